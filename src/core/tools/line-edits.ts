// What it takes to make one text of another, in whole lines, as an edit of the editor. Pure.
import { diffLines, linesOf } from "../changes/diff-lines.ts";
import type { LineEdit } from "../patch/model.ts";

/** The edits lead from `before` to `after`, byte for byte; no hunk of a patch asked for them. */
export function lineEdits(before: string, after: string): LineEdit[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let [start, row] = [0, 0];
  return diffLines(old, now).map(({ from, to, newFrom, newTo }) => {
    for (; row < from; row++) start += old[row]?.length ?? 0;
    const removed = old.slice(from, to).join("");
    const [lines, text] = [{ first: from, last: to }, now.slice(newFrom, newTo).join("")];
    const edit = {
      start,
      end: start + removed.length,
      removed,
      text,
      lines,
      written: newTo - newFrom,
      hunks: [],
    };
    start += removed.length;
    row = to;
    return edit;
  });
}
