// A text as lines: where each begins and ends, how it ends, and its folded hash. Built in one pass without
// copying a line; the byte order mark stands outside the first line.

import { atOnce, type Steps } from "../util/yield-to-event-loop.ts";
import { firstThat } from "./binary-search.ts";
import { blankHash, foldedHash } from "./line-equality.ts";

export type LineEnd = "" | "\n" | "\r\n" | "\r";

export interface Lines {
  readonly text: string;
  readonly count: number;
  /** Where line `i` begins; the entry after the last line is the end of the text. */
  readonly starts: Int32Array;
  readonly hashes: Int32Array;
  /** The last line has no line end. */
  readonly open: boolean;
}

const lineFeed = 10;
const carriageReturn = 13;

export function splitLines(text: string): Lines {
  return atOnce(splitting(text));
}

export function* splitting(text: string): Steps<Lines> {
  const table = tableFor(text, leastRoom);
  if (markOf(text) < text.length) yield* splitBetween(table, markOf(text), text.length);
  return tabled(table);
}

/** Lines while they are gathered. */
export interface LineTable {
  readonly text: string;
  readonly end: "\n" | "\r";
  starts: Int32Array<ArrayBuffer>;
  hashes: Int32Array<ArrayBuffer>;
  count: number;
}

export function tableFor(text: string, room: number): LineTable {
  return { text, end: endIn(text), starts: new Int32Array(room), hashes: new Int32Array(room), count: 0 };
}

/** A carriage return alone ends a line only where no line feed does (the old Macintosh form). */
export function endIn(text: string): "\n" | "\r" {
  return !text.includes("\n") && text.includes("\r") ? "\r" : "\n";
}

/** Where the first line begins. */
export function markOf(text: string): number {
  return text.startsWith("\uFEFF") ? 1 : 0;
}

const leastRoom = 1024;
/** So many lines or characters are split without a pause. */
const [linesAtOnce, charsAtOnce] = [4096, 250_000];

/** The lines from one that begins at `from` to where one ends. */
export function* splitBetween(table: LineTable, from: number, to: number): Steps<void> {
  for (let at = from; at < to; ) {
    // Most texts are short: room is made as they turn out not to be.
    makeRoom(table, Math.min(linesAtOnce, to - at, table.count + leastRoom));
    at = splitSome(table, at, to);
    yield;
  }
}

function splitSome(table: LineTable, from: number, to: number): number {
  const { text, end, starts, hashes } = table;
  let { count } = table;
  let at = from;
  const last = Math.min(count + linesAtOnce, starts.length - 1);
  while (at < to && count < last && at - from <= charsAtOnce) {
    const found = text.indexOf(end, at);
    const stop = found === -1 ? text.length : found;
    starts[count] = at;
    hashes[count] = foldedHash(text, at, stop);
    count += 1;
    at = found === -1 ? text.length : found + 1;
  }
  table.count = count;
  return at;
}

/** For so many lines more, and for the end of the last. */
export function makeRoom(table: LineTable, more: number): void {
  const wanted = table.count + more + 1;
  if (table.starts.length >= wanted) return;
  const [starts, hashes] = [new Int32Array(wanted * 2), new Int32Array(wanted * 2)];
  starts.set(table.starts);
  hashes.set(table.hashes);
  Object.assign(table, { starts, hashes });
}

export function tabled({ text, end, starts, hashes, count }: LineTable): Lines {
  starts[count] = count === 0 ? markOf(text) : text.length;
  return { text, count, starts, hashes, open: count > 0 && !text.endsWith(end) };
}

export function startOf(lines: Lines, index: number): number {
  return lines.starts[Math.min(index, lines.count)] ?? 0;
}

/** Where the line's own characters end, before its line end. */
export function endOf(lines: Lines, index: number): number {
  const start = startOf(lines, index);
  let end = startOf(lines, index + 1);
  if (lines.open && index === lines.count - 1) return end;
  if (end > start) end -= 1;
  const paired = lines.text.charCodeAt(end) === lineFeed && lines.text.charCodeAt(end - 1) === carriageReturn;
  return paired && end > start ? end - 1 : end;
}

export function lineAt(lines: Lines, index: number): string {
  return lines.text.slice(startOf(lines, index), endOf(lines, index));
}

export function isBlank(lines: Lines, index: number): boolean {
  return lines.hashes[index] === blankHash && lineAt(lines, index).trim() === "";
}

export function lineEndAt(lines: Lines, index: number): LineEnd {
  return lines.text.slice(endOf(lines, index), startOf(lines, index + 1)) as LineEnd;
}

/** The line that the character at `offset` belongs to. */
export function rowOf(lines: Lines, offset: number): number {
  const next = firstThat(lines.starts.subarray(0, lines.count), (start) => start > offset);
  return Math.max(0, next - 1);
}

export function linesBetween(lines: Lines, first: number, last: number): string[] {
  const found: string[] = [];
  for (let index = Math.max(0, first); index < Math.min(last, lines.count); index++) {
    found.push(lineAt(lines, index));
  }
  return found;
}
