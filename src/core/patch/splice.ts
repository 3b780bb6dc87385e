// Line replacements: made from placed hunks, put one after another, and turned into exact edits of the text.
// Here it is decided how added lines end and that a missing last line end stays missing.
import type { Steps } from "../util/yield-to-event-loop.ts";
import type { Place } from "./find-places.ts";
import { type AddedLine, createReindent, type IndentPair, type Reindent } from "./indent.ts";
import type { StepAt } from "./indent-step.ts";
import type { HunkLine, LineEdit } from "./model.ts";
import type { Pattern } from "./pattern.ts";
import { isRespelled, respell } from "./spelling.ts";
import { endOf, type LineEnd, type Lines, lineAt, lineEndAt, startOf } from "./text.ts";

export interface Splice {
  readonly first: number;
  readonly last: number;
  readonly lines: readonly string[];
  readonly hunks: readonly number[];
}

/** Why a hunk that fits cannot be written: its new lines would have to be guessed. `row` is where. */
export interface Doubt {
  readonly about: "indentation" | "spelling";
  readonly row: number;
}

export function isDoubt(result: Splice[] | Doubt): result is Doubt {
  return !Array.isArray(result);
}

/** A hunk at its place, and what is known of the text there. */
export interface Placing {
  readonly lines: Lines;
  readonly pattern: Pattern;
  readonly place: Place;
  readonly stepAt: StepAt;
}

/** What a placed hunk replaces. Its context, and lines it removes only to add them again, stay the file's own. */
export function* splicesOf(placing: Placing, hunk: number): Steps<Splice[] | Doubt> {
  const { lines, pattern, place, stepAt } = placing;
  const { body } = pattern;
  const isLoose = place.tier >= 2;
  const step = () => stepAt(place.at);
  const reindent = isLoose ? yield* createReindent(pairsOf(lines, body, place), addedIn(body), step) : asItIs;
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
    const written = yield* writtenBy(placing, splice, reindent);
    if (written === undefined) return { about: "spelling", row: splice.first };
    const { first, last } = splice;
    if (written.length > 0 || last > first) splices.push({ first, last, lines: written, hunks: [hunk] });
    row += removed.length;
  }
  return splices;
}

const asItIs: Reindent = (line) => line.text;

function addedIn(body: readonly HunkLine[], first = 0, last = body.length): AddedLine[] {
  const added: AddedLine[] = [];
  for (let at = first; at < last; at++) {
    const line = body[at];
    if (line?.kind === "added") added.push({ at, text: line.text });
  }
  return added;
}

/** What goes and what comes, without the lines that stay. */
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

/** The new lines in the file's indentation, and in its spelling where a line that goes matched by look-alikes. */
function* writtenBy(
  { lines, place }: Placing,
  { first, removed, added }: Run,
  reindent: Reindent,
): Steps<string[] | undefined> {
  const indented = added.map((line) => reindent(line));
  if (place.tier < 3 || added.length === 0) return indented;
  yield;
  const spelled = removed.map(({ text }, step) => {
    return { patch: text.trimStart(), file: lineAt(lines, first + step).trimStart() };
  });
  if (!spelled.some(isRespelled)) return indented;
  const contents = yield* respell(
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
