// A change carried over to a text in which somebody has typed since, if what they typed lies apart from everything it
// edits (faults, row 86). Where it does not, there is no answer: then a person has to look again. Pure.
import type { LineEdit, LineRange, MoveChange, UpdateChange } from "./model.ts";

export function rebase<C extends UpdateChange | MoveChange>(change: C, now: string): C | undefined {
  const { text } = change.base;
  if (text === now) return change;
  const edits = rebaseEdits(change.edits, text, now);
  return edits && { ...change, edits, base: { ...change.base, text: now } };
}

/** The same for edits of a text alone. */
export function rebaseEdits(
  all: readonly LineEdit[],
  text: string,
  now: string,
): readonly LineEdit[] | undefined {
  if (text === now) return all;
  const head = commonHead(text, now);
  const tail = commonTail(text, now, Math.min(text.length, now.length) - head);
  const typed = { start: head, end: text.length - tail };
  const by = now.length - text.length;
  const byLines = linesIn(now, head, now.length - tail) - linesIn(text, head, typed.end);
  const edits: LineEdit[] = [];
  for (const edit of all) {
    const [start, end] = [lineBefore(text, edit.start), lineAfter(text, edit.end)];
    if (typed.start <= end && typed.end >= start) return undefined;
    const isBehind = edit.start >= typed.end;
    edits.push(isBehind ? shifted(edit, by, byLines) : edit);
  }
  return edits;
}

/**
 * Whether what differs can only be read in one way: not where a line beside it is also in it, so that it could as well
 * have begun or ended there.
 */
export function isFirm(text: string, now: string): boolean {
  if (text === now) return true;
  const { from: start, to: end, nowTo: nowEnd } = differing(text, now);
  const inside = new Set(`${text.slice(start, end)}${now.slice(start, nowEnd)}`.match(/[^\n]*\n|[^\n]+/g));
  const before = start === 0 ? undefined : text.slice(text.lastIndexOf("\n", start - 2) + 1, start);
  const after = end === text.length ? undefined : text.slice(end, lineEnd(text, end + 1));
  return !inside.has(before ?? "") && !inside.has(after ?? "");
}

/** The lines in which two texts differ, from the first to the last; `line`: how many stand before them. */
export function differing(text: string, now: string) {
  const head = commonHead(text, now);
  const tail = commonTail(text, now, Math.min(text.length, now.length) - head);
  const from = head === 0 ? 0 : text.lastIndexOf("\n", head - 1) + 1;
  const to = lineEnd(text, text.length - tail);
  return { from, to, nowTo: now.length - (text.length - to), line: linesIn(text, 0, from) };
}

/** Behind the line end that follows, or that stands just before. */
function lineEnd(text: string, at: number): number {
  if (at > 0 && text[at - 1] === "\n") return at;
  const found = text.indexOf("\n", at);
  return found === -1 ? text.length : found + 1;
}

/** Something that was typed, in the lines and characters of the text as it was just before. */
export interface Typed {
  readonly lines: LineRange;
  readonly removed: number;
  readonly text: string;
}

/** The same for edits alone: told what was typed, nobody has to read the text again. `lines.last` is its last line. */
export function moveAlong(
  edits: readonly LineEdit[],
  { lines, removed, text }: Typed,
): LineEdit[] | undefined {
  const by = text.length - removed;
  const byLines = linesIn(text, 0, text.length) - (lines.last - lines.first);
  const moved: LineEdit[] = [];
  for (const edit of edits) {
    const isBelow = edit.lines.first - 1 > lines.last;
    if (!isBelow && edit.lines.last + 1 >= lines.first) return undefined;
    moved.push(isBelow ? shifted(edit, by, byLines) : edit);
  }
  return moved;
}

/** Compared by the block, and only where two differ by the character: texts can be long, and a key is short. */
const block = 1 << 14;

function commonHead(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at + block <= most && one.slice(at, at + block) === other.slice(at, at + block)) at += block;
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

function commonTail(one: string, other: string, most: number): number {
  const isSame = (at: number) =>
    one.slice(one.length - at - block, one.length - at) ===
    other.slice(other.length - at - block, other.length - at);
  let at = 0;
  while (at + block <= most && isSame(at)) at += block;
  while (at < most && one.charCodeAt(one.length - 1 - at) === other.charCodeAt(other.length - 1 - at))
    at += 1;
  return at;
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
