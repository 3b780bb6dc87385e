// Why the hunks of a file have no place, as data: each with every place it fits or the nearest one, and ten lines of
// the file as it is. Of a long patch only the first hunks in trouble are told; the rest are counted.
import type { Steps } from "../util/yield-to-event-loop.ts";
import { alreadyAt, type Doubted, type Settled } from "./already-applied.ts";
import { type Anchors, hasAnchor } from "./anchors.ts";
import type { Candidates } from "./candidates.ts";
import type { Place } from "./find-places.ts";
import { loosenesses } from "./model.ts";
import { excerptAround, findApplied, findNearest } from "./nearest.ts";
import type { Excerpt, PlacesTold, Refusal } from "./patch-error.ts";
import { type Pattern, rangeOf } from "./pattern.ts";
import { maxPlacesTold, maxTold, type Open, type Solution } from "./placement-solver.ts";
import type { Lines } from "./text.ts";

export interface FileInQuestion {
  readonly path: string;
  readonly lines: Lines;
  /** The number of the first of the hunks among the file's, counted from 0. */
  readonly from: number;
}

export function* refuseLost(
  file: FileInQuestion,
  anchors: Anchors,
  candidates: readonly Candidates[],
): Steps<Refusal[]> {
  const lost = [...candidates.entries()].filter(([, { places }]) => places.length === 0);
  const told: Refusal[] = [];
  for (const [at, own] of lost.slice(0, maxTold)) {
    told.push(yield* lostHunk(file, anchors, own, at));
    yield;
  }
  return [...told, ...theOthers(file, lost.length - told.length)];
}

function* lostHunk(
  { path, lines, from }: FileInQuestion,
  anchors: Anchors,
  { pattern, everywhere }: Candidates,
  at: number,
): Steps<Refusal> {
  const { hunk } = pattern;
  const about = { path, number: from + at + 1, hunk };
  const anchor = yield* missing(anchors, hunk.anchors);
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
  yield;
  const appliedAt = yield* findApplied(lines, hunk);
  const first = appliedAt[0];
  const around = first === undefined ? nearest?.at : { first, last: first + hunk.lines.length };
  const excerpt = excerptAround(lines, around ?? { first: 0, last: 0 });
  return { ...about, kind: "not-found", nearest, appliedAt, excerpt };
}

function* missing(anchors: Anchors, wanted: readonly string[]): Steps<string | undefined> {
  for (const anchor of wanted) if (!(yield* hasAnchor(anchors, anchor))) return anchor;
  return undefined;
}

/** Hunks whose lines were found, but whose work is done. */
export function refuseDone(file: FileInQuestion, settled: readonly Settled[]): Refusal[] {
  const done = settled.flatMap((own): Refusal[] => {
    const at = alreadyAt(file.lines, own);
    if (at === undefined) return [];
    const excerpt = excerptAround(file.lines, { first: at, last: at + own.pattern.body.length });
    return [
      { path: file.path, number: own.number + 1, hunk: own.pattern.hunk, kind: "already", at, excerpt },
    ];
  });
  const told = done.slice(0, maxTold);
  return [...told, ...theOthers(file, done.length - told.length)];
}

/** Hunks that fit, but what they would write is not certain. */
export function refuseDoubted(file: FileInQuestion, tried: readonly (Settled | Doubted)[]): Refusal[] {
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
