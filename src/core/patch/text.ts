// A text as lines: where each begins and ends, how it ends, and its folded hash. Built in one pass without
// copying a line; the byte order mark stands outside the first line.
import { blankHash, foldedHash } from "./fold.ts";
import { firstThat } from "./search.ts";

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
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  // A carriage return alone ends a line only where no line feed does (the old Macintosh form).
  const end = !text.includes("\n") && text.includes("\r") ? "\r" : "\n";
  let starts = new Int32Array(1024);
  let hashes = new Int32Array(1024);
  let count = 0;
  let at = bom;
  while (at < text.length) {
    if (count + 1 >= starts.length) {
      starts = grow(starts);
      hashes = grow(hashes);
    }
    const found = text.indexOf(end, at);
    const stop = found === -1 ? text.length : found;
    starts[count] = at;
    hashes[count] = foldedHash(text, at, stop);
    count += 1;
    at = found === -1 ? text.length : found + 1;
  }
  starts[count] = text.length;
  if (count === 0) starts[0] = bom;
  return { text, count, starts, hashes, open: count > 0 && !text.endsWith(end) };
}

function grow(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 4);
  larger.set(array);
  return larger;
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
