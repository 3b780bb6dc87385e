// Line replacements: made from placed hunks, put one after another, and turned into exact edits of the text.
// Here it is decided how added lines end and that a missing last line end stays missing.
import { type AddedLine, createReindent, type IndentPair, type Reindent } from "./indent.ts";
import type { HunkLine, LineEdit } from "./model.ts";
import type { Pattern } from "./pattern.ts";
import type { Place } from "./seek.ts";
import { endOf, type LineEnd, type Lines, lineAt, lineEndAt, startOf } from "./text.ts";

export interface Splice {
  readonly first: number;
  readonly last: number;
  readonly lines: readonly string[];
  readonly hunks: readonly number[];
}

/** What a placed hunk replaces. Its context, and lines it removes only to add them again, stay the file's own. */
export function splicesOf(lines: Lines, pattern: Pattern, place: Place, hunk: number): Splice[] {
  const { body } = pattern;
  const reindent = place.tier < 2 ? undefined : createReindent(pairsOf(lines, body, place), addedIn(body));
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
    const splice = spliceOf(removed, addedIn(body, from, at + 1), row, reindent);
    if (splice.lines.length > 0 || splice.last > splice.first) splices.push({ ...splice, hunks: [hunk] });
    row += removed.length;
  }
  return splices;
}

function addedIn(body: readonly HunkLine[], first = 0, last = body.length): AddedLine[] {
  const added: AddedLine[] = [];
  for (let at = first; at < last; at++) {
    const line = body[at];
    if (line?.kind === "added") added.push({ at, text: line.text });
  }
  return added;
}

function spliceOf(
  removed: readonly HunkLine[],
  added: readonly AddedLine[],
  row: number,
  reindent: Reindent = (line) => line.text,
): { first: number; last: number; lines: string[] } {
  const most = Math.min(removed.length, added.length);
  let head = 0;
  while (head < most && removed[head]?.text === added[head]?.text) head += 1;
  let tail = 0;
  while (tail < most - head && removed.at(-1 - tail)?.text === added.at(-1 - tail)?.text) tail += 1;
  const lines = added.slice(head, added.length - tail).map((line) => reindent(line));
  return { first: row + head, last: row + removed.length - tail, lines };
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

/** Exact edits, in order and apart from each other. */
export function editsOf(lines: Lines, splices: readonly Splice[]): LineEdit[] {
  return joinAtEnd(lines, splices).map((splice) => {
    const { start, end, text } = replacementOf(lines, splice);
    const removed = lines.text.slice(start, end);
    const range = { first: splice.first, last: splice.last };
    return { start, end, removed, text, lines: range, written: splice.lines.length, hunks: splice.hunks };
  });
}

/** Removing the end of a text without last line end takes the line end before it, which a neighbour may own. */
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
  // The last line had no line end, and the new last line gets none either.
  if (splice.lines.length === 0)
    return { start: first === 0 ? start : endOf(lines, first - 1), end, text: "" };
  const close = endFor(lines, splice, splice.lines.length - 1);
  const text = ended.slice(0, ended.length - close.length);
  return { start, end, text: first < lines.count ? text : endFor(lines, splice, 0) + text };
}

/** A line takes the end of the line it replaces, else of the nearest line above, else of the one below. */
function endFor(lines: Lines, { first, last }: Splice, at: number): LineEnd {
  for (let row = Math.min(first + at, Math.max(last - 1, first - 1)); row >= 0 && row < lines.count; row--) {
    const end = lineEndAt(lines, row);
    if (end !== "") return end;
  }
  return lineEndAt(lines, last) || lineEndAt(lines, 0) || "\n";
}
