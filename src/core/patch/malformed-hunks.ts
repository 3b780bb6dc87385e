// Hunks that are not quite in the strict form, placed by the one reading that the file confirms: context lines without
// the space in front, line numbers that were copied along. Such a reading counts only where
// all lines of the hunk agree on it and stand in the file as they are read; else the hunk is what it says, or refused.
import type { Steps } from "../util/yield-to-event-loop.ts";
import { withoutNumbers } from "./line-numbers.ts";
import type { Hunk, HunkLine, NoteCode, PlacedHunk } from "./model.ts";
import type { Refusal } from "./patch-error.ts";
import { trimAir } from "./pattern.ts";
import { type Placed, type PlaceQuestion, placeHunks } from "./place-hunks.ts";
import { noSign } from "./sections.ts";
import { lineAt } from "./text.ts";

/** One hunk, as it stands in the patch and as it is read. */
interface Reading {
  readonly original: Hunk;
  readonly hunk: Hunk;
  readonly notes: readonly NoteCode[];
  /** The number of its first old line, where no other line bears one. */
  readonly onlyNumber?: number;
}

export type Read = Placed & { readonly notes: readonly NoteCode[] };

export function* placeAsRead(question: PlaceQuestion): Steps<Read> {
  const strict = question.hunks.map((original): Reading => {
    const reading = { original, hunk: original, notes: [] };
    return original.unsigned === undefined ? reading : unblanked(reading);
  });
  const first = yield* place(question, strict);
  const tries =
    first.kind === "placed"
      ? [() => whereShifted(question, strict, first.hunks)]
      : [() => whereSeveral(strict, first.refusals), () => numbered(strict)];
  for (const next of tries) {
    const readings = next();
    const placed = readings && (yield* place(question, readings));
    if (readings !== undefined && placed?.kind === "placed") return read(question, readings, placed);
  }
  return first.kind === "placed" ? read(question, strict, first) : { ...first, notes: [] };
}

function read({ hunks }: PlaceQuestion, readings: readonly Reading[], placed: Placed): Read {
  const notes = new Set(readings.flatMap((reading) => reading.notes));
  if (hunks.some(changesNothing)) notes.add("unchanged-hunk");
  return { ...placed, notes: [...notes] };
}

function* place(question: PlaceQuestion, readings: readonly Reading[]): Steps<Placed> {
  const placed = yield* placeHunks({ ...question, hunks: readings.map(({ hunk }) => hunk) });
  if (placed.kind === "refused") {
    return { kind: "refused", refusals: placed.refusals.map((refusal) => asWritten(refusal, readings)) };
  }
  const wrong = readings.filter((reading, at) => !isConfirmed(reading, placed.hunks[at]));
  return wrong.length === 0 ? placed : { kind: "refused", refusals: wrong.map(unreadable) };
}

/** The file has the lines as they were read, and not only something like them. */
function isConfirmed({ notes, onlyNumber }: Reading, placed: PlacedHunk | undefined): boolean {
  if (notes.length === 0) return true;
  const isLiteral = placed?.looseness === "exact" || placed?.looseness === "trailing-space";
  return isLiteral && (onlyNumber === undefined || placed.matched.first === onlyNumber - 1);
}

/** A refusal speaks of the hunk in the patch. */
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

/** Every context line is as long as it stands in the patch. */
function unblanked({ original, notes }: Reading): Reading {
  const lines = original.lines.map((line): HunkLine => {
    if (line.kind !== "context" || line.bare === true || line.unsigned === true) return line;
    return { ...line, text: ` ${line.text}` };
  });
  return { original, hunk: { ...original, lines }, notes: [...notes, "no-blanks"] };
}

/**
 * Its indentation may be one too few in every line of context. The other lines tell: one that it removes is indented and
 * fits as it is, or all that it adds are as deep as the context is with its first character. None that it adds may be as
 * deep as the context is without it: that hunk is indented by other steps.
 */
function mayLackBlanks({ original, notes }: Reading): boolean {
  if (notes.length > 0) return false;
  const filled = original.lines.filter(({ text }) => text.trim() !== "");
  const context = filled.filter(({ kind }) => kind === "context");
  if (context.length === 0 || !context.every(({ text }) => /^[ \t]/.test(text))) return false;
  const asItStands = new Set(context.map(({ text }) => indentOf(text)));
  const depths = new Set(context.map(({ text }) => indentOf(` ${text}`)));
  const added = filled.flatMap(({ kind, text }) => (kind === "added" ? [indentOf(text)] : []));
  if (added.some((indent) => asItStands.has(indent) && !depths.has(indent))) return false;
  if (filled.some(({ kind, text }) => kind === "removed" && /^[ \t]/.test(text))) return true;
  return added.length > 0 && added.every((indent) => depths.has(indent));
}

const indentOf = (text: string): string => text.slice(0, text.length - text.trimStart().length);

/** Placed loosely, where the file has just the lines of the patch once none of them is taken for its blank. */
function whereShifted(
  { lines }: PlaceQuestion,
  strict: readonly Reading[],
  placed: readonly PlacedHunk[],
): readonly Reading[] | undefined {
  return replaced(strict, (reading, at) => {
    const { looseness, matched, onEarlier } = placed[at] ?? {};
    if (looseness !== "outer-space" || onEarlier === true || !mayLackBlanks(reading)) return undefined;
    const old = trimAir(reading.original.lines).lines.filter(({ kind }) => kind !== "added");
    const agree = old.every(({ kind, text, bare }, step) => {
      const own = lineAt(lines, (matched?.first ?? 0) + step).trimEnd();
      return own === (kind === "removed" || bare === true ? text : ` ${text}`).trimEnd();
    });
    return agree ? unblanked(reading) : undefined;
  });
}

/** Several places, or none for sure, for lines that are in the file: one of them may have just these. */
function whereSeveral(
  strict: readonly Reading[],
  refusals: readonly Refusal[],
): readonly Reading[] | undefined {
  const open = new Set(
    refusals.flatMap((own) => ("hunk" in own && own.kind !== "not-found" ? [own.hunk] : [])),
  );
  if (open.size === 0) return undefined;
  return replaced(strict, (reading) =>
    open.has(reading.original) && mayLackBlanks(reading) ? unblanked(reading) : undefined,
  );
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
  const before = lines.filter(({ kind }) => kind !== "added");
  const after = lines.filter(({ kind }) => kind !== "removed");
  return before.length === after.length && before.every(({ text }, at) => text === after[at]?.text);
}
