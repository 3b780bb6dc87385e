// A change carried over to a text in which somebody has typed since, if what they typed lies apart from everything it
// edits (faults, row 86). Where it does not, there is no answer: then a person has to look again. Pure.
import type { LineEdit, MoveChange, UpdateChange } from "../../core/patch/model.ts";

export function rebase<C extends UpdateChange | MoveChange>(change: C, now: string): C | undefined {
  const { text } = change.base;
  if (text === now) return change;
  const most = Math.min(text.length, now.length);
  let head = 0;
  while (head < most && text[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && text.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const typed = { start: head, end: text.length - tail };
  const by = now.length - text.length;
  const byLines = linesIn(now, head, now.length - tail) - linesIn(text, head, typed.end);
  const edits: LineEdit[] = [];
  for (const edit of change.edits) {
    const [start, end] = [lineBefore(text, edit.start), lineAfter(text, edit.end)];
    if (typed.start <= end && typed.end >= start) return undefined;
    const isBehind = edit.start >= typed.end;
    edits.push(isBehind ? shifted(edit, by, byLines) : edit);
  }
  return { ...change, edits, base: { ...change.base, text: now } };
}

/** The beginning of the line before the one that `at` is in. */
function lineBefore(text: string, at: number): number {
  const own = text.lastIndexOf("\n", at - 1);
  return own < 1 ? 0 : text.lastIndexOf("\n", own - 1) + 1;
}

/** The end of the line after the one that `at` is in. */
function lineAfter(text: string, at: number): number {
  const own = text.indexOf("\n", at);
  const next = own === -1 ? -1 : text.indexOf("\n", own + 1);
  return next === -1 ? text.length : next + 1;
}

function linesIn(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

const shifted = (edit: LineEdit, by: number, byLines: number): LineEdit => ({
  ...edit,
  start: edit.start + by,
  end: edit.end + by,
  lines: { first: edit.lines.first + byLines, last: edit.lines.last + byLines },
});
