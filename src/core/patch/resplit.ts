// A text after replacements of lines, as lines again. Only what is replaced is split again: a patch may name one file in
// hundreds of sections, each of which speaks of what the one before it made.
import type { Steps } from "../util/yield-to-event-loop.ts";
import { applyEdits } from "./edits.ts";
import type { LineEdit } from "./model.ts";
import { editsOf, type Splice } from "./splice.ts";
import {
  endIn,
  type Lines,
  type LineTable,
  makeRoom,
  markOf,
  splitBetween,
  splitting,
  tabled,
  tableFor,
} from "./text.ts";

/** Rows of the text before, and how much further down they stand in the text after. */
interface Kept {
  readonly first: number;
  readonly last: number;
  readonly shift: number;
}

/** Rows of the text before that are split again, and where they stand in the text after. */
interface Region {
  readonly first: number;
  last: number;
  readonly start: number;
  end: number;
  /** How much further down all that follows stands. */
  shift: number;
}

export function* splicing(lines: Lines, splices: readonly Splice[]): Steps<Lines> {
  if (splices.length === 0) return lines;
  const edits = editsOf(lines, splices);
  yield;
  const text = applyEdits(lines.text, edits);
  yield;
  const isSplitAlike = endIn(text) === endIn(lines.text) && markOf(text) === markOf(lines.text);
  return yield* isSplitAlike ? resplit(lines, edits, text) : splitting(text);
}

function* resplit(lines: Lines, edits: readonly LineEdit[], text: string): Steps<Lines> {
  const table = tableFor(text, lines.count + 1024);
  let [row, shift] = [0, 0];
  for (const region of regionsOf(lines, edits)) {
    keep(table, lines, { first: row, last: region.first, shift });
    yield* splitBetween(table, region.start, region.end);
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

/** With a line above and below, since an edit at the end of a text may begin in the line before. */
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
