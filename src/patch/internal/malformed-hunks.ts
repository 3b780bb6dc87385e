// Places hunks that are not quite in the strict form, by the one reading that the file confirms: context lines without
// their leading space, or copied line numbers. A reading counts only where all lines of the hunk agree on it and the
// file has them exactly as read; otherwise the hunk is taken literally, or refused.

import { lineAt } from "../edits.ts";
import type { Hunk, HunkLine, NoteCode, PlacedHunk } from "../model.ts";
import type { Refusal } from "../patch-error.ts";
import { findApplied } from "./already-applied.ts";
import { blankStepsOf, indentOf } from "./indent-scale.ts";
import { findPlaces, indexLines, preparePattern, trimBlankEdges } from "./matching-lines.ts";
import { type Placed, type PlaceQuestion, placeHunks } from "./place-hunks.ts";
import { noSign } from "./sections.ts";

const numberedLine = /^[ \t]{0,8}L?(\d{1,6})(\t|→| ?\||:| |$)/;

interface Numbered {
  readonly line: HunkLine;
  readonly number: number;
  readonly separator: string;
  readonly rest: string;
}

interface Unnumbered {
  readonly lines: readonly HunkLine[];
  /** Set if a single old line of the hunk has a number, which alone is not enough evidence. */
  readonly onlyNumber?: number;
}

/**
 * Removes line numbers that were copied into a hunk from a listing: `12\tconst a = 1;`, `12: …`, `12 | …`. They are
 * removed only where all lines of a kind have one, all in the same form, and they count up as the lines do.
 */
function withoutNumbers(lines: readonly HunkLine[]): Unnumbered | undefined {
  if (!beginsNumbered(lines, "context") && !beginsNumbered(lines, "removed")) return undefined;
  const found = new Map<HunkLine, Numbered>();
  const old: Numbered[] = [];
  const fresh: Numbered[] = [];
  const rows: number[] = [];
  let row = 0;
  for (const line of lines) {
    const own = readNumber(line);
    if (own !== undefined) {
      found.set(line, own);
      (line.kind === "added" ? fresh : old).push(own);
      if (line.kind !== "added") rows.push(row);
    }
    if (line.kind !== "added") row += 1;
  }
  const all = [...old, ...fresh];
  const form = all.find(({ separator }) => separator !== "")?.separator;
  const isSame = all.every(({ separator }) => separator === "" || separator === form);
  if (old.length === 0 || form === undefined || !isSame || !isWhole(lines, found)) return undefined;
  const first = (old[0]?.number ?? 0) - (rows[0] ?? 0);
  if (!old.every(({ number }, at) => number === first + (rows[at] ?? 0)) || !countsUp(fresh))
    return undefined;
  const hasSpace =
    form !== " " && form !== "\t" && all.every(({ rest }) => rest === "" || rest.startsWith(" "));
  const bare = lines.map((line) => {
    const own = found.get(line);
    return own === undefined ? line : { ...line, text: own.rest.slice(hasSpace ? 1 : 0) };
  });
  return old.length === 1 ? { lines: bare, onlyNumber: first } : { lines: bare };
}

/**
 * Either all lines of a kind have a number or none does, so the first one decides: most hunks need no further reading.
 */
function beginsNumbered(lines: readonly HunkLine[], kind: HunkLine["kind"]): boolean {
  const first = lines.find((line) => line.kind === kind && line.bare !== true);
  return first !== undefined && readNumber(first) !== undefined;
}

function readNumber(line: HunkLine): Numbered | undefined {
  const [head, number, separator = ""] = (line.bare === true ? null : numberedLine.exec(line.text)) ?? [];
  if (head === undefined) return undefined;
  return { line, number: Number(number), separator, rest: line.text.slice(head.length) };
}

/** Whether, for each kind of line, all have a number or none does, and the context lines do if there are any. */
function isWhole(lines: readonly HunkLine[], found: ReadonlyMap<HunkLine, Numbered>): boolean {
  const isMixed = (kind: HunkLine["kind"]) => {
    const own = lines.filter((line) => line.kind === kind && line.bare !== true);
    const count = own.filter((line) => found.has(line)).length;
    return count > 0 && count < own.length;
  };
  const context = lines.find((line) => line.kind === "context" && line.bare !== true);
  return (
    !isMixed("context") &&
    !isMixed("removed") &&
    !isMixed("added") &&
    (context === undefined || found.has(context))
  );
}

function countsUp(fresh: readonly Numbered[]): boolean {
  return fresh.every(({ number }, at) => at === 0 || number > (fresh[at - 1]?.number ?? 0));
}

/** One hunk, as written in the patch and as it is read. */
interface Reading {
  readonly original: Hunk;
  readonly hunk: Hunk;
  readonly notes: readonly NoteCode[];
  /** The number of its first old line, if no other line has one. */
  readonly onlyNumber?: number;
}

type PlacedAll = Extract<Placed, { kind: "placed" }>;

type Read = Placed & { readonly notes: readonly NoteCode[] };

export function placeAsRead(question: PlaceQuestion): Read {
  const strict = question.hunks.map((original): Reading => {
    const reading = { original, hunk: original, notes: [] };
    return original.unsigned === undefined ? reading : unblanked(reading);
  });
  const first = place(question, strict);
  if (first.kind === "placed") return unshifted(question, strict, first);
  const tries = [
    () => whereSeveral(strict, first.refusals),
    () => numbered(strict),
    () => withoutLostAnchors(strict, first.refusals),
  ];
  for (const next of tries) {
    const readings = next();
    const placed = readings && place(question, readings);
    if (readings !== undefined && placed?.kind === "placed") return unshifted(question, readings, placed);
  }
  return { ...first, notes: [] };
}

/** Reads hunks again whose loose place shows that their context lacks the leading space. */
function unshifted(question: PlaceQuestion, readings: readonly Reading[], placed: PlacedAll): Read {
  const shifted = whereShifted(question, readings, placed.hunks);
  const again = shifted && place(question, shifted);
  return shifted !== undefined && again?.kind === "placed"
    ? read(question, shifted, again)
    : read(question, readings, placed);
}

function read({ hunks }: PlaceQuestion, readings: readonly Reading[], placed: PlacedAll): Read {
  const notes = new Set<NoteCode>();
  for (const reading of readings) for (const note of reading.notes) notes.add(note);
  if (hunks.some(changesNothing)) notes.add("unchanged-hunk");
  return { kind: "placed", splices: placed.splices, hunks: placed.hunks, notes: [...notes] };
}

function place(question: PlaceQuestion, readings: readonly Reading[]): Placed {
  const placed = placeHunks({ ...question, hunks: readings.map(({ hunk }) => hunk) });
  if (placed.kind === "refused") {
    return { kind: "refused", refusals: placed.refusals.map((refusal) => asWritten(refusal, readings)) };
  }
  const stepsByBlanks = blankStepsOf(question.lines);
  const isOnly = onlyPlaces(question, readings);
  const wrong = readings.filter((reading, at) => {
    const isLost = reading.notes.includes("lost-anchor");
    return !isConfirmed(reading, placed.hunks[at], stepsByBlanks) || (isLost && !isOnly(reading));
  });
  return wrong.length === 0 ? placed : { kind: "refused", refusals: wrong.map(unreadable) };
}

/** Whether the file has the lines exactly as they were read, not merely similar ones. */
function isConfirmed(
  { original, notes, onlyNumber }: Reading,
  placed: PlacedHunk | undefined,
  stepsByBlanks: (row: number) => boolean,
): boolean {
  if (notes.length === 0) return true;
  const isLiteral = placed?.looseness === "exact" || placed?.looseness === "trailing-space";
  if (!isLiteral || (onlyNumber !== undefined && placed.matched.first !== onlyNumber - 1)) return false;
  // Where one space is a whole step, a line that lacks a space may just as well be one step less deep.
  const isGuess = notes.includes("no-blanks") && original.unsigned === undefined;
  return !isGuess || !stepsByBlanks(placed.matched.first);
}

/**
 * Accepts hunks that, without their anchors, fit a single place in the whole file at any tier, and are not applied
 * anywhere yet.
 */
function onlyPlaces({ lines }: PlaceQuestion, readings: readonly Reading[]): (own: Reading) => boolean {
  const lost = readings.filter(({ notes }) => notes.includes("lost-anchor"));
  const patterns = lost.map(({ hunk }) => preparePattern(hunk));
  const index = indexLines(lines, patterns);
  const only = new Set<Reading>();
  for (const [at, pattern] of patterns.entries()) {
    const { all } = findPlaces(index, pattern);
    const own = lost[at];
    if (own === undefined || all.length !== 1 || index.effort.left < 0) continue;
    if (findApplied(lines, own.hunk).length === 0) only.add(own);
  }
  return (own) => only.has(own);
}

/** Refusals refer to the hunk as the patch has it. */
function asWritten(refusal: Refusal, readings: readonly Reading[]): Refusal {
  const reading = "hunk" in refusal && readings.find(({ hunk }) => hunk === refusal.hunk);
  if (!reading) return refusal;
  if (refusal.kind === "not-found" && reading.original.unsigned !== undefined) return unreadable(reading);
  return { ...refusal, hunk: reading.original };
}

function unreadable({ original }: Reading): Refusal {
  const { line, found } = original.unsigned ?? { line: original.line, found: undefined };
  return { kind: "syntax", line, problem: noSign, found };
}

/**
 * Restores the leading space of context lines, which then begin with the text as written; only of those for which
 * `isLost` holds.
 */
function unblanked({ original, notes }: Reading, isLost: (line: HunkLine) => boolean = () => true): Reading {
  const lines = original.lines.map((line): HunkLine => {
    if (line.kind !== "context" || line.bare === true || line.unsigned === true || !isLost(line)) return line;
    return { ...line, text: ` ${line.text}` };
  });
  return { original, hunk: { ...original, lines }, notes: [...notes, "no-blanks"] };
}

/**
 * Whether these context lines may lack one space, because a model forgot the sign and their indentation was read as it.
 * No added line may be as deep as one of them is now, unless another one has that depth with its space restored: such a
 * hunk indents by other steps.
 */
function mayLackBlanks({ original, notes }: Reading, lost: readonly HunkLine[]): boolean {
  if (notes.length > 0 || lost.length === 0) return false;
  const asTheyStand = new Set(lost.map(({ text }) => indentOf(text)));
  const depths = new Set(lost.map(({ text }) => indentOf(` ${text}`)));
  return !original.lines.some(({ kind, text }) => {
    const indent = indentOf(text);
    return kind === "added" && text.trim() !== "" && asTheyStand.has(indent) && !depths.has(indent);
  });
}

/**
 * Finds hunks that were placed loosely, where the file has exactly the lines of the patch once no leading space is
 * taken for the sign.
 */
function whereShifted(
  { lines }: PlaceQuestion,
  strict: readonly Reading[],
  placed: readonly PlacedHunk[],
): readonly Reading[] | undefined {
  return replaced(strict, (reading, at) => {
    const { looseness, matched, onEarlier } = placed[at] ?? {};
    if (looseness !== "outer-space" || onEarlier === true || matched === undefined) return undefined;
    const old = trimBlankEdges(reading.original.lines).lines.filter(({ kind }) => kind !== "added");
    const isThere = ({ text }: HunkLine, step: number) =>
      text.trimEnd() === lineAt(lines, matched.first + step).trimEnd();
    const lost = old.filter((line, step) => !isThere(line, step));
    const agree = old.every((line, step) => {
      return (
        isThere(line, step) || (line.kind === "context" && isThere({ ...line, text: ` ${line.text}` }, step))
      );
    });
    return agree && mayLackBlanks(reading, lost)
      ? unblanked(reading, (line) => lost.includes(line))
      : undefined;
  });
}

/** For lines with several places, or without a certain one: one of the places may have exactly these lines. */
function whereSeveral(
  strict: readonly Reading[],
  refusals: readonly Refusal[],
): readonly Reading[] | undefined {
  const open = new Set(
    refusals.flatMap((own) => ("hunk" in own && own.kind !== "not-found" ? [own.hunk] : [])),
  );
  if (open.size === 0) return undefined;
  return replaced(strict, (reading) => {
    const context = reading.original.lines.filter(
      ({ kind, text }) => kind === "context" && text.trim() !== "",
    );
    return open.has(reading.original) && mayLackBlanks(reading, context) ? unblanked(reading) : undefined;
  });
}

/** This many context lines identify a hunk's place if the file has them exactly, and only once. */
const enoughContext = 3;

/** Drops anchors that occur nowhere in the file: a model misremembered them, or they were renamed. */
function withoutLostAnchors(
  strict: readonly Reading[],
  refusals: readonly Refusal[],
): readonly Reading[] | undefined {
  const lost = new Map(
    refusals.flatMap((own) => (own.kind === "no-anchor" ? [[own.hunk, own.anchor] as const] : [])),
  );
  return replaced(strict, ({ original, hunk, notes }) => {
    const anchor = lost.get(original);
    const context = trimBlankEdges(hunk.lines).lines.filter(({ kind }) => kind === "context");
    if (anchor === undefined || context.length < enoughContext) return undefined;
    const anchors = hunk.anchors.filter((own) => own !== anchor);
    return { original, hunk: { ...hunk, anchors }, notes: [...notes, "lost-anchor"] };
  });
}

function numbered(strict: readonly Reading[]): readonly Reading[] | undefined {
  return replaced(strict, ({ original, hunk, notes }) => {
    const bare = withoutNumbers(hunk.lines);
    if (bare === undefined) return undefined;
    const { lines, ...rest } = bare;
    return { original, hunk: { ...hunk, lines }, notes: [...notes, "line-numbers"], ...rest };
  });
}

function replaced(
  strict: readonly Reading[],
  by: (reading: Reading, at: number) => Reading | undefined,
): readonly Reading[] | undefined {
  const readings = strict.map((reading, at) => by(reading, at) ?? reading);
  return readings.every((reading, at) => reading === strict[at]) ? undefined : readings;
}

function changesNothing({ lines }: Hunk): boolean {
  let after = 0;
  for (const { kind, text } of lines) {
    if (kind === "added") continue;
    while (lines[after]?.kind === "removed") after += 1;
    if (lines[after]?.text !== text) return false;
    after += 1;
  }
  return lines.slice(after).every(({ kind }) => kind === "removed");
}
