// Line replacements: created from placed hunks, combined, and turned into exact edits of the text. This is also where
// the line ends of added lines are decided, and that a missing last line end stays missing.
import {
  applyEdits,
  endIn,
  endOf,
  type LineEnd,
  type Lines,
  type LineTable,
  lineAt,
  lineEndAt,
  makeRoom,
  markOf,
  splitBetween,
  splitLines,
  startOf,
  tabled,
  tableFor,
} from "../edits.ts";
import type { HunkLine, LineEdit } from "../model.ts";
import {
  type AddedLine,
  createReindent,
  type Indentation,
  type IndentPair,
  isFlat,
  learnedScale,
  type Reindent,
} from "./indent.ts";
import { indentOf, type StepAt } from "./indent-scale.ts";
import { isRespelled, respell } from "./line-equality.ts";
import type { Pattern, Place } from "./matching-lines.ts";

export interface Splice {
  readonly first: number;
  readonly last: number;
  readonly lines: readonly string[];
  readonly hunks: readonly number[];
}

/** Why a hunk that fits cannot be written: its new lines would be a guess. `row` is where. */
interface Doubt {
  readonly about: "indentation" | "spelling";
  readonly row: number;
}

/** A hunk, its place in the text, and what it would change there. */
export interface SettledHunk {
  readonly pattern: Pattern;
  readonly place: Place;
  /** Index among the file's hunks, counted from 0. */
  readonly number: number;
  readonly splices: readonly Splice[];
}

/** A hunk that has a place, but whose new lines are uncertain. */
export interface DoubtedHunk extends Omit<SettledHunk, "splices"> {
  readonly doubt: Doubt;
}

export function isDoubt(result: Splice[] | Doubt): result is Doubt {
  return !Array.isArray(result);
}

/** A hunk, its place, and what is known about the text there. */
interface Placing {
  readonly lines: Lines;
  readonly pattern: Pattern;
  readonly place: Place;
  readonly stepAt: StepAt;
  /** What all hunks of the file show about the indentation of the patch. */
  readonly indentation: () => Indentation;
}

/**
 * The replacements of a placed hunk. Its context, and lines that it removes only to add them again, stay as the file
 * has them.
 */
export function splicesOf(placing: Placing, hunk: number): Splice[] | Doubt {
  const { pattern, place } = placing;
  const { body } = pattern;
  const reindent = reindentFor(placing);
  if (reindent === undefined) return { about: "indentation", row: place.at };
  const splices: Splice[] = [];
  let row = place.at;
  for (let at = 0; at < body.length; at++) {
    if (body[at]?.kind === "context") {
      row += 1;
      continue;
    }
    const from = at;
    while (at + 1 < body.length && body[at + 1]?.kind !== "context") at += 1;
    const removed = body.slice(from, at + 1).filter((line) => line.kind === "removed");
    const splice = spliceOf(removed, addedIn(body, from, at + 1), row);
    const written = writtenBy(placing, splice, reindent);
    if (written === undefined) return { about: "spelling", row: splice.first };
    const { first, last } = splice;
    if (written.length > 0 || last > first) splices.push({ first, last, lines: written, hunks: [hunk] });
    row += removed.length;
  }
  return splices;
}

/** Undefined where it would be a guess. */
function reindentFor({ lines, pattern, place, stepAt, indentation }: Placing): Reindent | undefined {
  const { body } = pattern;
  const step = () => stepAt(place.at);
  if (isFlat(lines, pattern, place)) {
    const scale = learnedScale(lines, pattern, place.at, indentation(), step);
    return ({ text }) => (scale?.(indentOf(text)) ?? indentOf(text)) + text.slice(indentOf(text).length);
  }
  return place.tier < 2
    ? ({ text }) => text
    : createReindent(pairsOf(lines, body, place), addedIn(body), step);
}

function addedIn(body: readonly HunkLine[], first = 0, last = body.length): AddedLine[] {
  const added: AddedLine[] = [];
  for (let at = first; at < last; at++) {
    const line = body[at];
    if (line?.kind === "added") added.push({ at, text: line.text });
  }
  return added;
}

/** The removed and added lines, without those that stay. */
interface Run {
  readonly first: number;
  readonly last: number;
  readonly removed: readonly HunkLine[];
  readonly added: readonly AddedLine[];
}

function spliceOf(removed: readonly HunkLine[], added: readonly AddedLine[], row: number): Run {
  const most = Math.min(removed.length, added.length);
  let head = 0;
  while (head < most && removed[head]?.text === added[head]?.text) head += 1;
  let tail = 0;
  while (tail < most - head && removed.at(-1 - tail)?.text === added.at(-1 - tail)?.text) tail += 1;
  return {
    first: row + head,
    last: row + removed.length - tail,
    removed: removed.slice(head, removed.length - tail),
    added: added.slice(head, added.length - tail),
  };
}

/** The new lines in the file's indentation, and in its spelling where a removed line matched by look-alikes. */
function writtenBy(
  { lines, place }: Placing,
  { first, removed, added }: Run,
  reindent: Reindent,
): string[] | undefined {
  const indented = added.map((line) => reindent(line));
  if (place.tier < 3 || added.length === 0) return indented;
  const spelled = removed.map(({ text }, step) => {
    return { patch: text.trimStart(), file: lineAt(lines, first + step).trimStart() };
  });
  if (!spelled.some(isRespelled)) return indented;
  const contents = respell(
    spelled,
    indented.map((line) => line.trimStart()),
  );
  return contents?.map((text, at) => {
    const own = indented[at] ?? "";
    return own.slice(0, own.length - own.trimStart().length) + text;
  });
}

function pairsOf(lines: Lines, body: readonly HunkLine[], place: Place): IndentPair[] {
  const pairs: IndentPair[] = [];
  let row = place.at;
  for (const [at, line] of body.entries()) {
    if (line.kind === "added") continue;
    pairs.push({ at, patch: line.text, file: lineAt(lines, row), removed: line.kind === "removed" });
    row += 1;
  }
  return pairs;
}

/** Exact edits, in order and without overlap. */
export function editsOf(lines: Lines, splices: readonly Splice[]): LineEdit[] {
  return joinAtEnd(lines, splices).map((splice) => {
    const { start, end, text } = replacementOf(lines, splice);
    const removed = lines.text.slice(start, end);
    const range = { first: splice.first, last: splice.last };
    return { start, end, removed, text, lines: range, written: splice.lines.length, hunks: splice.hunks };
  });
}

/**
 * Removing the end of a text without a last line end also removes the line end before it, which may belong to an
 * adjacent splice.
 */
function joinAtEnd(lines: Lines, splices: readonly Splice[]): readonly Splice[] {
  const [before, last] = [splices.at(-2), splices.at(-1)];
  if (!lines.open || last?.last !== lines.count || last.lines.length > 0) return splices;
  if (before?.last !== last.first) return splices;
  const hunks = [...new Set([...before.hunks, ...last.hunks])];
  const joined = { first: before.first, last: last.last, lines: before.lines, hunks };
  return joinAtEnd(lines, [...splices.slice(0, -2), joined]);
}

function replacementOf(lines: Lines, splice: Splice): { start: number; end: number; text: string } {
  const { first, last } = splice;
  const ended = splice.lines.map((line, at) => line + endFor(lines, splice, at)).join("");
  const [start, end] = [startOf(lines, first), startOf(lines, last)];
  if (!lines.open || last < lines.count) return { start, end, text: ended };
  // The last line had no line end, so the new last line gets none either.
  if (splice.lines.length === 0)
    return { start: first === 0 ? start : endOf(lines, first - 1), end, text: "" };
  const close = endFor(lines, splice, splice.lines.length - 1);
  const text = ended.slice(0, ended.length - close.length);
  return { start, end, text: first < lines.count ? text : endFor(lines, splice, 0) + text };
}

/** A line takes the line end of the line it replaces, else of the nearest line above, else of the one below. */
function endFor(lines: Lines, { first, last }: Splice, at: number): LineEnd {
  for (let row = Math.min(first + at, Math.max(last - 1, first - 1)); row >= 0 && row < lines.count; row--) {
    const end = lineEndAt(lines, row);
    if (end !== "") return end;
  }
  return lineEndAt(lines, last) || lineEndAt(lines, 0) || "\n";
}

/** Rows of the old text that are kept, and how far they move down in the new one. */
interface Kept {
  readonly first: number;
  readonly last: number;
  readonly shift: number;
}

/** Rows of the old text that are split again, and where they are in the new one. */
interface Region {
  readonly first: number;
  last: number;
  readonly start: number;
  end: number;
  /** How far everything after the region moves down. */
  shift: number;
}

/**
 * Applies line replacements and returns the resulting text as lines. Only the replaced regions are split again, because
 * a patch may name one file in hundreds of sections, each based on the result of the one before.
 */
export function applySplices(lines: Lines, splices: readonly Splice[]): Lines {
  if (splices.length === 0) return lines;
  const edits = editsOf(lines, splices);
  const text = applyEdits(lines.text, edits);
  const isSplitAlike = endIn(text) === endIn(lines.text) && markOf(text) === markOf(lines.text);
  return isSplitAlike ? resplit(lines, edits, text) : splitLines(text);
}

function resplit(lines: Lines, edits: readonly LineEdit[], text: string): Lines {
  const table = tableFor(text, lines.count + 1024);
  let [row, shift] = [0, 0];
  for (const region of regionsOf(lines, edits)) {
    keep(table, lines, { first: row, last: region.first, shift });
    splitBetween(table, region.start, region.end);
    [row, shift] = [region.last, region.shift];
  }
  keep(table, lines, { first: row, last: lines.count, shift });
  return tabled(table);
}

function keep(table: LineTable, lines: Lines, { first, last, shift }: Kept): void {
  makeRoom(table, last - first);
  const { starts, hashes, count } = table;
  hashes.set(lines.hashes.subarray(first, last), count);
  for (let at = first; at < last; at++) starts[count + at - first] = (lines.starts[at] ?? 0) + shift;
  table.count += last - first;
}

/** Includes a line above and below, since an edit at the end of a text may begin in the line before. */
function regionsOf(lines: Lines, edits: readonly LineEdit[]): Region[] {
  const regions: Region[] = [];
  const startAt = (row: number) => lines.starts[row] ?? lines.text.length;
  let shift = 0;
  for (const edit of edits) {
    const first = Math.max(0, edit.lines.first - 1);
    const last = Math.min(lines.count, edit.lines.last + 1);
    const start = startAt(first) + shift;
    shift += edit.text.length - (edit.end - edit.start);
    const end = startAt(last) + shift;
    const before = regions.at(-1);
    if (before !== undefined && first <= before.last) {
      before.last = Math.max(last, before.last);
      before.end = startAt(before.last) + shift;
      before.shift = shift;
    } else regions.push({ first, last, start, end, shift });
  }
  return regions;
}

/** Consecutive lines of the base. */
interface KeptRun {
  readonly first: number;
  readonly last: number;
}

interface Written {
  readonly text: string;
  readonly hunks: readonly number[];
}

type Entry = KeptRun | Written;

interface Removal extends KeptRun {
  readonly hunks: readonly number[];
}

/**
 * Composes two successive lists of replacements into one that refers to the first text. Needed when a hunk builds on
 * what an earlier one wrote, and when a patch names a file twice. The cost depends on what is replaced, not on the
 * length of the text. `count` is the number of lines of the text that `one` refers to.
 */
export function compose(count: number, one: readonly Splice[], two: readonly Splice[]): Splice[] {
  const removals: Removal[] = [];
  const base = [{ first: 0, last: count }];
  const entries = rewrite(rewrite(base, one, removals), two, removals);
  removals.sort((a, b) => a.first - b.first);
  return collect(count, entries, removals);
}

function rewrite(entries: readonly Entry[], splices: readonly Splice[], removals: Removal[]): Entry[] {
  const result: Entry[] = [];
  const take = takerOf(entries);
  let at = 0;
  for (const { first, last, lines, hunks } of splices) {
    take(first - at, (entry) => result.push(entry));
    for (const text of lines) result.push({ text, hunks });
    take(last - first, (entry) => {
      if ("first" in entry) removals.push({ ...entry, hunks });
    });
    at = last;
  }
  take(Number.POSITIVE_INFINITY, (entry) => result.push(entry));
  return result;
}

/** Returns a function that hands out the next `count` lines after those taken before. */
function takerOf(entries: readonly Entry[]): (count: number, each: (entry: Entry) => void) => void {
  let step = 0;
  /** Lines of the entry at `step` that are already taken. */
  let taken = 0;
  return (count, each) => {
    let left = count;
    for (let entry = entries[step]; entry !== undefined && left > 0; entry = entries[step]) {
      const length = "first" in entry ? entry.last - entry.first - taken : 1;
      const part = Math.min(length, left);
      if (!("first" in entry)) each(entry);
      else if (part > 0) each({ first: entry.first + taken, last: entry.first + taken + part });
      left -= part;
      if (part < length) taken += part;
      else [step, taken] = [step + 1, 0];
    }
  };
}

function collect(count: number, entries: readonly Entry[], removals: readonly Removal[]): Splice[] {
  const splices: Splice[] = [];
  let next = 0;
  let lines: string[] = [];
  let hunks = new Set<number>();
  let removal = 0;
  for (const entry of [...entries, { first: count, last: count }]) {
    if (!("first" in entry)) {
      lines.push(entry.text);
      for (const hunk of entry.hunks) hunks.add(hunk);
      continue;
    }
    for (let own = removals[removal]; own !== undefined && own.first < entry.first; own = removals[++removal])
      for (const hunk of own.hunks) hunks.add(hunk);
    if (entry.first > next || lines.length > 0)
      splices.push({ first: next, last: entry.first, lines, hunks: [...hunks] });
    [next, lines, hunks] = [entry.last, [], new Set()];
  }
  return splices;
}
