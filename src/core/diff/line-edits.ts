// What it takes to make one text of another, in whole lines, as an edit of the editor. Pure.

import type { LineEdit } from "../patch/model.ts";
import { atOnce, type Steps } from "../util/yield-to-event-loop.ts";
import { diffing, linesOf } from "./diff-lines.ts";

/** The edits lead from `before` to `after`, byte for byte; no hunk of a patch asked for them. */
export const lineEdits = (before: string, after: string): LineEdit[] => atOnce(editing(before, after));

/** The same for long texts, in pieces. */
export function* editing(before: string, after: string): Steps<LineEdit[]> {
  const old = linesOf(before);
  yield;
  const now = linesOf(after);
  yield;
  const changes = yield* diffing(old, now);
  let [start, row] = [0, 0];
  return changes.map(({ from, to, newFrom, newTo }) => {
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
