// Reports why the hunks of a file have no place, as data: each with every place it fits or the nearest one, and ten
// lines of the file as it is. For a long patch only the first failing hunks are described; the rest are counted.

import { type Lines, linesBetween } from "../edits.ts";
import { type LineRange, loosenesses } from "../model.ts";
import { type Excerpt, maxHunksTold, maxPlacesTold, type PlacesTold, type Refusal } from "../patch-error.ts";
import { findAlreadyApplied, findProvenApplied } from "./already-applied.ts";
import { type Anchors, hasAnchor } from "./anchors.ts";
import type { Candidates } from "./candidate-places.ts";
import { type Pattern, type Place, rangeOf } from "./matching-lines.ts";
import { findNearest } from "./nearest-place.ts";
import type { Open, Solution } from "./placement-solver.ts";
import type { DoubtedHunk, SettledHunk } from "./splice.ts";

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
  const told = lost.slice(0, maxHunksTold).map(([at, own]) => lostHunk(file, anchors, own, at));
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
  const done: Refusal[] = [];
  for (const own of settled) {
    const at = findAlreadyApplied(file.lines, own);
    if (at === undefined) continue;
    const { hunk, body } = own.pattern;
    const excerpt = excerptAround(file.lines, { first: at, last: at + body.length });
    done.push({ path: file.path, number: own.number + 1, hunk, kind: "already", at, excerpt });
  }
  const told = done.slice(0, maxHunksTold);
  return [...told, ...theOthers(file, done.length - told.length)];
}

/** Refuses hunks that fit, but whose new lines are uncertain. */
export function refuseDoubted(
  file: FileInQuestion,
  tried: readonly (SettledHunk | DoubtedHunk)[],
): Refusal[] {
  const doubted = tried.filter((own) => "doubt" in own);
  const told = doubted.slice(0, maxHunksTold).map(({ pattern, number, doubt }): Refusal => {
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
