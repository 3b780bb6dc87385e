// A row that folds something away. While there is nothing behind it, it is a row and no control: nobody is led to what
// does nothing, and nobody hears "collapsed" of what cannot be opened.
import { h, setChildren } from "../dom.ts";
import { icon } from "../icons.ts";

export interface FoldRow {
  /** What is to stand in its place now. */
  show(hasBody: boolean): HTMLElement;
}

export function foldRow(row: readonly HTMLElement[], body: HTMLElement): FoldRow {
  const pieces = [icon("chevron"), ...row];
  const summary = h("summary");
  const details = h("details", { class: "fold" }, summary, body);
  const flat = h("div", { class: "fold-head empty-fold" }, ...pieces);
  return {
    show(hasBody) {
      const [holder, shown] = hasBody ? [summary, details] : [flat, flat];
      setChildren(holder, pieces);
      return shown;
    },
  };
}
