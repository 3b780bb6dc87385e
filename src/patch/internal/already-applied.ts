// Whether a file already holds what a hunk would write.
import { type Lines, lineAt } from "../edits.ts";
import type { Hunk } from "../model.ts";
import { isShifted } from "./candidate-places.ts";
import {
  findPlaces,
  indexLines,
  type Pattern,
  type Place,
  preparePattern,
  trimBlankEdges,
} from "./matching-lines.ts";
import type { SettledHunk } from "./splice.ts";

/**
 * Detects hunks whose added lines are already in the file, right beside their place. The old lines of such a hunk still
 * fit, so nothing else shows that the patch was sent twice. Returns the first row of the lines that are already there,
 * or undefined when the hunk has something to do. Lines that the hunk shows as its own context are expected to occur
 * once more.
 */
export function findAlreadyApplied(
  lines: Lines,
  { pattern, place, splices }: SettledHunk,
): number | undefined {
  // What removes lines has something to do.
  if (splices.some(({ first, last }) => last > first)) return undefined;
  const end = place.at + pattern.lines.length;
  const rows = splices.map(({ first, lines: added }) => {
    if (added.every((line) => line.trim() === "")) return undefined;
    // Many blocks end alike: added lines without any word count only if they directly touch the hunk's place.
    const hasWords = added.some((line) => /[\p{L}\p{N}]/u.test(line));
    const [above, below] = [first - added.length, first + added.length];
    if ((first === end || hasWords) && below > end && reads(lines, first, added)) return first;
    // The lines above a hunk that only adds are its anchor.
    const mayBeAbove = place.at < end || pattern.hunk.atEndOfFile;
    const isAbove = mayBeAbove && above < place.at && (first === place.at || hasWords);
    return isAbove && reads(lines, above, added) ? above : undefined;
  });
  return rows.every((row) => row !== undefined) ? rows[0] : undefined;
}

function reads(lines: Lines, first: number, added: readonly string[]): boolean {
  if (first < 0 || first + added.length > lines.count) return false;
  return added.every((line, step) => lineAt(lines, first + step) === line);
}

/** Rows at which the text already holds the hunk's new lines. */
export function findApplied(lines: Lines, hunk: Hunk): readonly number[] {
  const pattern = newSideOf(hunk);
  if (pattern === undefined) return [];
  return placesOf(lines, pattern)
    .filter(({ at, tier }) => tier < 2 || isShifted(lines, pattern.lines, at))
    .map((place) => place.at);
}

/**
 * Those rows that prove it. A removed line that is missing is proven only by its neighbours, and both must be there.
 */
export function findProvenApplied(lines: Lines, hunk: Hunk): readonly number[] {
  const found = findApplied(lines, hunk);
  const { lines: own } = trimBlankEdges(hunk.lines);
  if (own.some(({ kind }) => kind === "added")) return found;
  const length = own.filter(({ kind }) => kind === "context").length;
  const isBegun = own[0]?.kind !== "removed";
  const isEnded = own.at(-1)?.kind !== "removed";
  return found.filter((at) => (isBegun || at === 0) && (isEnded || at + length === lines.count));
}

function newSideOf(hunk: Hunk): Pattern | undefined {
  const result = trimBlankEdges(hunk.lines).lines.filter((line) => line.kind !== "removed");
  if (result.every((line) => line.text.trim() === "")) return undefined;
  if (result.length === hunk.lines.length) return undefined;
  const context = result.map((line) => ({ kind: "context" as const, text: line.text }));
  return preparePattern({ ...hunk, lines: context });
}

function placesOf(lines: Lines, pattern: Pattern): readonly Place[] {
  return findPlaces(indexLines(lines, [pattern]), pattern).all;
}
