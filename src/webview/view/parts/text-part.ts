// Running text: the answer itself, a refusal, a remark of ours. Only what is new is added.
import type { Part } from "../../../core/conversation/state.ts";
import { h } from "../../dom.ts";
import { icon } from "../../icons.ts";
import { words } from "../../words.ts";
import type { PartView } from "./part-view.ts";

type TextPart = Extract<Part, { type: "text" }>;
type RefusalPart = Extract<Part, { type: "refusal" }>;
type NotePart = Extract<Part, { type: "note" }>;

export function textPart(): PartView<TextPart> {
  const { root, update } = growingText("part text");
  return { root, update: (part) => update(part.text) };
}

export function refusalPart(): PartView<RefusalPart> {
  const { root: text, update } = growingText("body");
  const title = h("p", { class: "title" }, icon("info"), words.refusal);
  const root = h("div", { class: "part refusal" }, title, text);
  return { root, update: (part) => update(part.text) };
}

export function notePart(): PartView<NotePart> {
  const { root, update } = growingText("part note");
  return { root, update: (part) => update(part.text) };
}

/** Text that mostly grows at its end. */
export function growingText(className: string) {
  const text = document.createTextNode("");
  const root = h("p", { class: `${className} plain`, dir: "auto" }, text);
  let shown = "";
  return {
    root,
    update(next: string): void {
      if (next === shown) return;
      if (next.startsWith(shown)) text.appendData(next.slice(shown.length));
      else text.data = next;
      shown = next;
    },
  };
}
