// Texts as lines, and exact edits of them: applied, reversed, and derived from two texts. A plan is turned
// into text nowhere else.

import { firstIndexWhere } from "../util/collections.ts";
import { diffLines, linesOf, merge3 } from "./diff-and-merge.ts";
import { blankHash, foldedHash } from "./internal/line-equality.ts";
import type { AddChange, Base, FileChange, FileName, LineEdit } from "./model.ts";

export function applyEdits(text: string, edits: readonly LineEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/** The name of the file after the change. */
export const nameAfter = (change: FileChange): FileName => (change.kind === "move" ? change.to : change.file);

/** `undefined` if the file does not exist. */
export const textBefore = (change: FileChange): string | undefined =>
  change.kind === "add" ? undefined : change.base.text;

/** `undefined` if the file would not exist. */
export function textAfter(change: FileChange): string | undefined {
  if (change.kind === "add") return change.text;
  return change.kind === "delete" ? undefined : applyEdits(change.base.text, change.edits);
}

export type LineEnd = "" | "\n" | "\r\n" | "\r";

/**
 * A text as lines: where each begins and ends, its line end, and its folded hash. Built in one pass without copying a
 * line; a byte order mark is not part of the first line.
 */
export interface Lines {
  readonly text: string;
  readonly count: number;
  /** Where line `i` begins; the entry after the last line is the end of the text. */
  readonly starts: Int32Array;
  readonly hashes: Int32Array;
  /** Whether the last line has no line end. */
  readonly open: boolean;
}

const lineFeed = 10;
const carriageReturn = 13;

export function splitLines(text: string): Lines {
  const table = tableFor(text, leastRoom);
  if (markOf(text) < text.length) splitBetween(table, markOf(text), text.length);
  return tabled(table);
}

/** Lines while they are collected. */
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

/** A carriage return alone ends a line only in a text without line feeds (the old Macintosh form). */
export function endIn(text: string): "\n" | "\r" {
  return !text.includes("\n") && text.includes("\r") ? "\r" : "\n";
}

/** Where the first line begins: after a byte order mark. */
export function markOf(text: string): number {
  return text.startsWith("\uFEFF") ? 1 : 0;
}

const leastRoom = 1024;
const mostRoom = 4096;

/** Splits from `from`, where a line begins, to `to`, where one ends. */
export function splitBetween(table: LineTable, from: number, to: number): void {
  for (let at = from; at < to; ) {
    // Most texts are short, so the table grows as needed.
    makeRoom(table, Math.min(mostRoom, to - at, table.count + leastRoom));
    at = fillTable(table, at, to);
  }
}

/** Splits as many lines as there is room for; returns where the next one begins. */
function fillTable(table: LineTable, from: number, to: number): number {
  const { text, end, starts, hashes } = table;
  let { count } = table;
  let at = from;
  for (; at < to && count < starts.length - 1; count++) {
    const found = text.indexOf(end, at);
    const stop = found === -1 ? text.length : found;
    starts[count] = at;
    hashes[count] = foldedHash(text, at, stop);
    at = found === -1 ? text.length : found + 1;
  }
  table.count = count;
  return at;
}

/** Makes room for this many more lines, and for the end of the last one. */
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

/** Whether all lines from `first` to before `last` are blank. */
export function areBlank(lines: Lines, first: number, last: number): boolean {
  for (let row = first; row < last; row++) if (!isBlank(lines, row)) return false;
  return true;
}

export function lineEndAt(lines: Lines, index: number): LineEnd {
  return lines.text.slice(endOf(lines, index), startOf(lines, index + 1)) as LineEnd;
}

/** The line that contains the character at `offset`. */
export function rowOf(lines: Lines, offset: number): number {
  const next = firstIndexWhere(lines.starts.subarray(0, lines.count), (start) => start > offset);
  return Math.max(0, next - 1);
}

export function linesBetween(lines: Lines, first: number, last: number): string[] {
  const found: string[] = [];
  for (let index = Math.max(0, first); index < Math.min(last, lines.count); index++) {
    found.push(lineAt(lines, index));
  }
  return found;
}

/**
 * Derives the changes that undo a plan byte for byte. Used by undo, export and provenance; needs nothing but the plan.
 */
export function reverseChanges(
  changes: readonly FileChange[],
  sha256: (text: string) => string,
): readonly FileChange[] {
  return changes.map((change) => reverse(change, sha256)).reverse();
}

function reverse(change: FileChange, sha256: (text: string) => string): FileChange {
  const { file, permission } = change;
  switch (change.kind) {
    case "add":
      return { kind: "delete", file, permission, base: written(change.text, sha256) };
    case "delete":
      return { kind: "add", file, permission, text: change.base.text } satisfies AddChange;
    case "update":
    case "move": {
      const base = written(applyEdits(change.base.text, change.edits), sha256);
      const edits = reverseEdits(change.edits);
      if (change.kind === "update") return { kind: "update", file, permission, base, edits, hunks: [] };
      const back = { file: change.to, to: file, toReal: permission.real };
      return {
        kind: "move",
        ...back,
        permission: { ...permission, real: change.toReal },
        base,
        edits,
        hunks: [],
      };
    }
    default:
      return change satisfies never;
  }
}

/** A text that has not been read yet, so it has no version. */
function written(text: string, sha256: (text: string) => string): Base {
  return { text, sha256: sha256(text), version: undefined };
}

function reverseEdits(edits: readonly LineEdit[]): LineEdit[] {
  let shift = 0;
  let lineShift = 0;
  return edits.map((edit) => {
    const start = edit.start + shift;
    const first = edit.lines.first + lineShift;
    const replaced = edit.lines.last - edit.lines.first;
    shift += edit.text.length - edit.removed.length;
    lineShift += edit.written - replaced;
    return {
      start,
      end: start + edit.text.length,
      removed: edit.text,
      text: edit.removed,
      lines: { first, last: first + edit.written },
      written: replaced,
      hunks: edit.hunks,
    };
  });
}

/**
 * The edits that turn one text into another, in whole lines, as the editor applies them. They lead from `before` to
 * `after`, byte for byte; no hunk of a patch asked for them.
 */
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

/** The task for texts of any length. */
export const comparing = {
  name: "compare",
  run: ({ before, after }: { readonly before: string; readonly after: string }) => lineEdits(before, after),
};

interface MergeQuestion {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/** The task of a merge, with the edits that turn `mine` into its result. */
export const mergingTexts = {
  name: "merge",
  run({ base, mine, theirs }: MergeQuestion) {
    const merged = merge3(base, mine, theirs);
    return { ...merged, edits: lineEdits(mine, merged.text) };
  },
};

/** Without the common beginning and end: a cursor in a line keeps its place if only the line's end is changed. */
export function smallest({
  start,
  end,
  removed,
  text,
}: Pick<LineEdit, "start" | "end" | "removed" | "text">) {
  const most = Math.min(removed.length, text.length);
  let head = 0;
  while (head < most && removed[head] === text[head]) head += 1;
  if (isInside(removed, head) || isInside(text, head)) head -= 1;
  let tail = 0;
  while (tail < most - head && removed.at(-1 - tail) === text.at(-1 - tail)) tail += 1;
  if (isInside(removed, removed.length - tail) || isInside(text, text.length - tail)) tail -= 1;
  return { start: start + head, end: end - tail, text: text.slice(head, text.length - tail) };
}

/** Whether `at` is between two halves of a surrogate pair or of a line end. */
function isInside(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  const isPair = before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
  return isPair || (before === 13 && after === 10);
}
