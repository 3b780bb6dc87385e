// Differences of texts by lines, the three-way merge as git does it, and edits carried over to a later text. Pure.
import {
  changesOf,
  commonHead,
  commonTail,
  LineNumbers,
  Search,
  Side,
  settle,
} from "./internal/diff-lines.ts";
import type { LineEdit, LineRange, MoveChange, UpdateChange } from "./model.ts";

interface Merged {
  readonly text: string;
  /** The places that both sides changed differently. */
  readonly conflicts: readonly Conflict[];
}

/** Lines [from, to) of the merged text, which are those of `mine`, and the lines of `theirs` in their place. */
export interface Conflict {
  readonly from: number;
  readonly to: number;
  readonly theirs: readonly string[];
}

/** Lines [from, to) of `mine` are replaced by those of `theirs`. */
interface Taken {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/**
 * Merges two versions of a text: changes of one side only are taken; changes of both sides to the same or adjacent
 * lines are a conflict, in which the lines of `mine` stay.
 */
export function merge3(base: string, mine: string, theirs: string): Merged {
  if (mine === theirs || base === theirs) return { text: mine, conflicts: [] };
  if (base === mine) return { text: theirs, conflicts: [] };
  const [own, other] = [linesOf(mine), linesOf(theirs)];
  const numbers = new LineNumbers(linesOf(base));
  const { taken, conflicts } = weave(
    { lines: own, changes: changesFrom(numbers, own) },
    { lines: other, changes: changesFrom(numbers, other) },
  );
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, lines } of taken) {
    for (; at < from; at++) parts.push(own[at] ?? "");
    for (const line of lines) parts.push(line);
    at = to;
  }
  for (; at < own.length; at++) parts.push(own[at] ?? "");
  return { text: parts.join(""), conflicts: conflicts.map(inMerged(taken)) };
}

/** Converts a conflict from lines of `mine` to lines of the merged text. */
const inMerged =
  (taken: readonly Taken[]) =>
  ({ from, to, theirs }: Conflict): Conflict => {
    let shift = 0;
    for (const each of taken) if (each.to <= from) shift += each.lines.length - (each.to - each.from);
    return { from: from + shift, to: to + shift, theirs };
  };

interface Variant {
  readonly lines: readonly string[];
  /** Relative to the base. */
  readonly changes: readonly LineChange[];
}

interface Woven {
  readonly taken: readonly Taken[];
  /** In lines of `mine`. */
  readonly conflicts: readonly Conflict[];
}

function weave(mine: Variant, theirs: Variant): Woven {
  const taken: Taken[] = [];
  const conflicts: Conflict[] = [];
  let [at, next] = [0, 0];
  for (let their = theirs.changes[next]; their !== undefined; their = theirs.changes[next]) {
    const own = mine.changes[at];
    if (own !== undefined && own.to < their.from) at += 1;
    else if (own === undefined || their.to < own.from) {
      const { from, to, newFrom, newTo } = their;
      const shift = shiftBehind(mine.changes[at - 1]);
      taken.push({ from: from + shift, to: to + shift, lines: theirs.lines.slice(newFrom, newTo) });
      next += 1;
    } else {
      // Changes that touch form one place, which grows while changes of either side continue it.
      const [first, firstTheirs] = [at, next];
      let end = 0;
      for (;;) {
        const [one, other] = [mine.changes[at], theirs.changes[next]];
        if (one !== undefined && (at === first || one.from <= end)) {
          end = Math.max(end, one.to);
          at += 1;
        } else if (other !== undefined && other.from <= end) {
          end = Math.max(end, other.to);
          next += 1;
        } else break;
      }
      const start = Math.min(own.from, their.from);
      const one = linesBetween(mine, { start, end }, first, at);
      const other = linesBetween(theirs, { start, end }, firstTheirs, next);
      if (one.join("") !== other.join(""))
        conflicts.push({
          from: start + shiftBehind(mine.changes[first - 1]),
          to: end + shiftBehind(mine.changes[at - 1]),
          theirs: other,
        });
    }
  }
  return { taken, conflicts };
}

/** By how many lines the text after this change is farther down than in the base. */
const shiftBehind = (change: LineChange | undefined): number =>
  change === undefined ? 0 : change.newTo - change.to;

/** The variant's lines in place of these lines of the base; its changes from `first` to `last` are within them. */
function linesBetween(
  { lines, changes }: Variant,
  { start, end }: { readonly start: number; readonly end: number },
  first: number,
  last: number,
): readonly string[] {
  const [from, to] = [shiftBehind(changes[first - 1]), shiftBehind(changes[last - 1])];
  return lines.slice(start + from, end + to);
}

/** Lines [from, to) of the old text are replaced by [newFrom, newTo) of the new one. */
export interface LineChange {
  readonly from: number;
  readonly to: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Splits a text into lines with their line ends; only the last may lack one. */
export function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  let from = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
    lines.push(text.slice(from, end + 1));
    from = end + 1;
  }
  if (from < text.length) lines.push(text.slice(from));
  return lines;
}

/** In order; two changes are separated by at least one common line. */
export const diffLines = (old: readonly string[], now: readonly string[]): LineChange[] =>
  changesFrom(new LineNumbers(old), now);

function changesFrom(numbers: LineNumbers, now: readonly string[]): LineChange[] {
  const one = new Side(numbers.ofBase);
  const other = new Side(numbers.of(now));
  const start = commonHead(one.lines, other.lines);
  const tail = commonTail(one.lines, other.lines, start);
  one.choose(other, start, one.length - tail, numbers.count);
  other.choose(one, start, other.length - tail, numbers.count);
  new Search(one, other).run();
  settle(one, other);
  settle(other, one);
  return changesOf(one, other);
}

/**
 * Carries a change over to a text that was edited since, if those edits are separate from everything it changes
 * (faults, row 86). If they are not, there is no result and a person must review it again.
 */
export function rebase<C extends UpdateChange | MoveChange>(change: C, now: string): C | undefined {
  const { text } = change.base;
  if (text === now) return change;
  const edits = rebaseEdits(change.edits, text, now);
  return edits && { ...change, edits, base: { ...change.base, text: now } };
}

/** The same for the edits of one text. */
export function rebaseEdits(
  all: readonly LineEdit[],
  text: string,
  now: string,
): readonly LineEdit[] | undefined {
  if (text === now) return all;
  const head = commonPrefix(text, now);
  const tail = commonSuffix(text, now, Math.min(text.length, now.length) - head);
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
 * Whether the difference can only be read in one way. It cannot if a neighbouring line also occurs in it: the
 * difference could then begin or end there just as well.
 */
export function isUnambiguous(text: string, now: string): boolean {
  if (text === now) return true;
  const { from: start, to: end, nowTo: nowEnd } = differingRange(text, now);
  const inside = new Set(`${text.slice(start, end)}${now.slice(start, nowEnd)}`.match(/[^\n]*\n|[^\n]+/g));
  const before = start === 0 ? undefined : text.slice(text.lastIndexOf("\n", start - 2) + 1, start);
  const after = end === text.length ? undefined : text.slice(end, lineEnd(text, end + 1));
  return !inside.has(before ?? "") && !inside.has(after ?? "");
}

/** The range of lines in which two texts differ; `line` is the number of lines before it. */
export function differingRange(text: string, now: string) {
  const head = commonPrefix(text, now);
  const tail = commonSuffix(text, now, Math.min(text.length, now.length) - head);
  const from = head === 0 ? 0 : text.lastIndexOf("\n", head - 1) + 1;
  const to = lineEnd(text, text.length - tail);
  return { from, to, nowTo: now.length - (text.length - to), line: linesIn(text, 0, from) };
}

/** Returns the position after the next line end, or `at` if a line ends just before it. */
function lineEnd(text: string, at: number): number {
  if (at > 0 && text[at - 1] === "\n") return at;
  const found = text.indexOf("\n", at);
  return found === -1 ? text.length : found + 1;
}

/** A typed edit, in lines and characters of the text just before it. */
interface Typed {
  readonly lines: LineRange;
  readonly removed: number;
  readonly text: string;
}

/**
 * The same for edits alone: given what was typed, the text need not be compared again. `lines.last` is its last line.
 */
export function shiftEdits(
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

/**
 * Texts are compared block by block, and only differing blocks by character: texts can be long, and this runs at each
 * keystroke.
 */
const block = 1 << 14;

function commonPrefix(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at + block <= most && one.slice(at, at + block) === other.slice(at, at + block)) at += block;
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

function commonSuffix(one: string, other: string, most: number): number {
  const isSame = (at: number) =>
    one.slice(one.length - at - block, one.length - at) ===
    other.slice(other.length - at - block, other.length - at);
  let at = 0;
  while (at + block <= most && isSame(at)) at += block;
  while (at < most && one.charCodeAt(one.length - 1 - at) === other.charCodeAt(other.length - 1 - at))
    at += 1;
  return at;
}

/** The start of the line before the one that contains `at`. */
function lineBefore(text: string, at: number): number {
  const own = text.lastIndexOf("\n", at - 1);
  return own < 1 ? 0 : text.lastIndexOf("\n", own - 1) + 1;
}

/** The end of the line after the one that contains `at`. */
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
