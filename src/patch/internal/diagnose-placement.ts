// Reports why the hunks of a file have no place, as data: each with every place it fits or the nearest one, and ten
// lines of the file as it is. For a long patch only the first failing hunks are described; the rest are counted.

import { type Lines, lineAt, linesBetween } from "../edits.ts";
import { type Hunk, type LineRange, loosenesses } from "../model.ts";
import type { Excerpt, Nearest, PlacesTold, Refusal } from "../patch-error.ts";
import { type Anchors, hasAnchor } from "./anchors.ts";
import { type Candidates, isShifted } from "./candidate-places.ts";
import { tierOf } from "./line-equality.ts";
import {
  countOf,
  findPlaces,
  type Index,
  indexLines,
  type Pattern,
  type Place,
  preparePattern,
  rangeOf,
  rowsOf,
  trimBlankEdges,
} from "./matching-lines.ts";
import { maxPlacesTold, maxTold, type Open, type Solution } from "./placement-solver.ts";
import type { Doubt, Splice } from "./splice.ts";

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

/**
 * Detects hunks whose added lines are already in the file, right beside their place. The old lines of such a hunk still
 * fit, so nothing else shows that the patch was sent twice. Returns the first row of the lines that are already there,
 * or undefined when the hunk has something to do. Lines that the hunk shows as its own context are expected to occur
 * once more.
 */
function findAlreadyApplied(lines: Lines, { pattern, place, splices }: SettledHunk): number | undefined {
  const end = place.at + pattern.lines.length;
  const rows = splices.map(({ first, last, lines: added }) => {
    if (last > first || added.every((line) => line.trim() === "")) return undefined;
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

/** Lines this frequent do not identify a place. */
const tooCommon = 2000;
/** After this many votes the best place is known, or none is worth mentioning. */
const enough = 100_000;

/**
 * For a hunk that fits nowhere, finds the place where most of its lines agree, what differs there first, and whether
 * the file already holds what the hunk would write. Used for explanations only; no edit depends on it.
 */
function findNearest(index: Index, pattern: Pattern): Nearest | undefined {
  const votes = new Map<number, number>();
  let cast = 0;
  for (const [step, hash] of pattern.hashes.entries()) {
    if (cast > enough || countOf(index, hash) > tooCommon || pattern.lines[step]?.trim() === "") continue;
    cast += countOf(index, hash);
    for (const row of rowsOf(index, hash)) votes.set(row - step, (votes.get(row - step) ?? 0) + 1);
  }
  let best: number | undefined;
  for (const [at, count] of votes) if (best === undefined || count > (votes.get(best) ?? 0)) best = at;
  return best === undefined ? undefined : describe(index.lines, pattern, best);
}

function describe(lines: Lines, pattern: Pattern, at: number): Nearest {
  const steps = pattern.lines.map((patch, step) => {
    const row = at + step;
    const file = row >= 0 && row < lines.count ? lineAt(lines, row) : undefined;
    return { row, patch, file, fits: file !== undefined && tierOf(file, patch) <= (pattern.caps[step] ?? 0) };
  });
  // A line that is present but differs is more informative than one that is missing.
  const differing = steps.filter(({ fits }) => !fits);
  const told = differing.find(({ file }) => file !== undefined) ?? differing[0];
  return {
    at: { first: Math.max(0, at), last: Math.min(lines.count, at + pattern.lines.length) },
    agreeing: steps.length - differing.length,
    line: Math.max(0, told?.row ?? at),
    patch: told?.patch ?? "",
    file: told?.file,
  };
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
function findProvenApplied(lines: Lines, hunk: Hunk): readonly number[] {
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

/** Ten lines around a place. */
function excerptAround(lines: Lines, { first, last }: LineRange): Excerpt {
  const size = 10;
  const centred = Math.floor((first + last - size) / 2);
  const start = Math.max(0, Math.min(centred, lines.count - size));
  return { first: start, lines: linesBetween(lines, start, start + size), whole: lines.text };
}

export interface FileInQuestion {
  readonly path: string;
  readonly lines: Lines;
  /** Index of the first of the hunks among the file's, counted from 0. */
  readonly from: number;
}

export function refuseLost(
  file: FileInQuestion,
  anchors: Anchors,
  candidates: readonly Candidates[],
): Refusal[] {
  const lost = [...candidates.entries()].filter(([, { places }]) => places.length === 0);
  const told = lost.slice(0, maxTold).map(([at, own]) => lostHunk(file, anchors, own, at));
  return [...told, ...theOthers(file, lost.length - told.length)];
}

function lostHunk(
  { path, lines, from }: FileInQuestion,
  anchors: Anchors,
  { pattern, everywhere }: Candidates,
  at: number,
): Refusal {
  const { hunk } = pattern;
  const about = { path, number: from + at + 1, hunk };
  const anchor = missing(anchors, hunk.anchors);
  if (anchor !== undefined) {
    const first = everywhere[0]?.at ?? 0;
    return { ...about, kind: "no-anchor", anchor, excerpt: excerptAround(lines, { first, last: first }) };
  }
  if (everywhere.length > 0) {
    return { ...about, kind: "outside-anchor", ...placesTold(lines, pattern, allOpen(everywhere)) };
  }
  if (pattern.lines.length === 0) {
    const excerpt = excerptAround(lines, { first: lines.count, last: lines.count });
    return { ...about, kind: "no-place", excerpt };
  }
  const nearest = findNearest(anchors.index, pattern);
  const appliedAt = findProvenApplied(lines, hunk);
  const first = appliedAt[0];
  const around = first === undefined ? nearest?.at : { first, last: first + hunk.lines.length };
  const excerpt = excerptAround(lines, around ?? { first: 0, last: 0 });
  return { ...about, kind: "not-found", nearest, appliedAt, excerpt };
}

function missing(anchors: Anchors, wanted: readonly string[]): string | undefined {
  return wanted.find((anchor) => !hasAnchor(anchors, anchor));
}

/** Refuses hunks whose lines were found, but which are already applied. */
export function refuseDone(file: FileInQuestion, settled: readonly SettledHunk[]): Refusal[] {
  const done = settled.flatMap((own): Refusal[] => {
    const at = findAlreadyApplied(file.lines, own);
    if (at === undefined) return [];
    const excerpt = excerptAround(file.lines, { first: at, last: at + own.pattern.body.length });
    return [
      { path: file.path, number: own.number + 1, hunk: own.pattern.hunk, kind: "already", at, excerpt },
    ];
  });
  const told = done.slice(0, maxTold);
  return [...told, ...theOthers(file, done.length - told.length)];
}

/** Refuses hunks that fit, but whose new lines are uncertain. */
export function refuseDoubted(
  file: FileInQuestion,
  tried: readonly (SettledHunk | DoubtedHunk)[],
): Refusal[] {
  const doubted = tried.filter((own) => "doubt" in own);
  const told = doubted.slice(0, maxTold).map(({ pattern, number, doubt }): Refusal => {
    const excerpt = excerptAround(file.lines, { first: doubt.row, last: doubt.row });
    return { path: file.path, number: number + 1, hunk: pattern.hunk, kind: "doubt", ...doubt, excerpt };
  });
  return [...told, ...theOthers(file, doubted.length - told.length)];
}

export function refuseUnsolved(
  file: FileInQuestion,
  candidates: readonly Candidates[],
  solution: Exclude<Solution, { kind: "solved" }>,
): Refusal[] {
  const about = (at: number, own: Candidates, open: Open) => {
    const number = file.from + at + 1;
    const told = placesTold(file.lines, own.pattern, open);
    return { path: file.path, number, hunk: own.pattern.hunk, ...told };
  };
  if (solution.kind === "entangled") {
    const [other, at] = solution.hunks;
    const own = candidates[at];
    if (own === undefined) return [];
    return [{ ...about(at, own, allOpen(own.places)), kind: "entangled", other: file.from + other + 1 }];
  }
  const told = [...solution.open].flatMap(([at, open]): Refusal[] => {
    const own = candidates[at];
    const looseness = loosenesses[(open.places[0]?.tier ?? 0) as 0 | 1 | 2 | 3];
    return own === undefined ? [] : [{ ...about(at, own, open), kind: "ambiguous", looseness }];
  });
  return [...told, ...theOthers(file, solution.others)];
}

const allOpen = (places: readonly Place[]): Open => ({ places, count: places.length });

function placesTold(
  lines: Lines,
  pattern: Pattern,
  { places, count }: Open,
): PlacesTold & { readonly excerpt: Excerpt } {
  const told = places.slice(0, maxPlacesTold).map((place) => rangeOf(pattern, place.at, lines));
  const excerpt = excerptAround(lines, told[0] ?? { first: 0, last: 0 });
  return { places: told, count, excerpt };
}

function theOthers({ path }: FileInQuestion, count: number): Refusal[] {
  return count > 0 ? [{ kind: "others", path, count }] : [];
}
