// Places the hunks of one file in its text: all of them, or none, with every reason. A hunk that fits nowhere in the
// text may fit what earlier hunks of the patch write; those are then applied first, and the rest is placed in the
// result.

import { message } from "../../conversation/messages.ts";
import { firstIndexWhere } from "../../util/collections.ts";
import type { Lines } from "../edits.ts";
import { type Hunk, loosenesses, type PlacedHunk } from "../model.ts";
import type { Refusal } from "../patch-error.ts";
import { maxHunksTold } from "../patch-error.ts";
import { type Anchors, anchorsIn, hasAnchor } from "./anchors.ts";
import { type Candidates, findCandidates } from "./candidate-places.ts";
import {
  type FileInQuestion,
  refuseDone,
  refuseDoubted,
  refuseLost,
  refuseUnsolved,
} from "./diagnose-placement.ts";
import { type Indentation, indentationIn } from "./indent.ts";
import { stepsOf } from "./indent-scale.ts";
import { hashOf } from "./line-equality.ts";
import {
  countOf,
  type Effort,
  findPlaces,
  indexLines,
  type Pattern,
  type Place,
  preparePattern,
  rangeOf,
} from "./matching-lines.ts";
import { type Open, type Solution, solve } from "./placement-solver.ts";
import {
  applySplices,
  compose,
  type DoubtedHunk,
  isDoubt,
  type SettledHunk,
  type Splice,
  splicesOf,
} from "./splice.ts";

// The one ambiguity that the text alone does not show: a hunk fits the file, but it would also fit directly below what
// an earlier hunk of the patch writes. Nothing shows which of the two was meant.

interface Written {
  readonly first: number;
  readonly last: number;
  readonly hunks: readonly number[];
}

interface DuplicateQuestion {
  readonly lines: Lines;
  readonly candidates: readonly Candidates[];
  readonly places: readonly Place[];
  /** Index of the first of these hunks among the file's hunks. */
  readonly from: number;
  readonly effort: Effort;
}

/** For each ambiguous hunk, returns its place and the second one; undefined when there are none. */
function findDuplicates(
  { lines, candidates, places, from, effort }: DuplicateQuestion,
  splices: readonly Splice[],
): Extract<Solution, { kind: "ambiguous" }> | undefined {
  const suspects = findSuspects(candidates);
  if (suspects.length === 0) return undefined;
  const after = applySplices(lines, splices);
  const patterns = suspects.flatMap((at) => candidates[at]?.pattern ?? []);
  const index = indexLines(after, patterns, effort);
  const written = writtenBy(splices);
  const open = new Map<number, Open>();
  for (const at of suspects) {
    const [pattern, place] = [candidates[at]?.pattern, places[at]];
    if (pattern === undefined || place === undefined || open.size === maxHunksTold) continue;
    const found = findPlaces(index, pattern).all;
    effort.left -= found.length;
    const twin = firstBelow(written, found, { pattern, place, hunk: from + at });
    if (twin !== undefined) open.set(at, { places: [place, twin], count: 2 });
  }
  return open.size > 0 ? { kind: "ambiguous", open, others: 0 } : undefined;
}

function firstBelow(
  written: readonly Written[],
  found: readonly Place[],
  { pattern, place, hunk }: { readonly pattern: Pattern; readonly place: Place; readonly hunk: number },
): Place | undefined {
  return found.find((own) => own.tier <= place.tier && isBelowWritten(pattern, own, written, hunk));
}

/** Hunks with an old line that an earlier hunk adds, and with nothing but their lines to determine their place. */
function findSuspects(hunks: readonly Candidates[]): number[] {
  const added = new Set<number>();
  const suspects: number[] = [];
  for (const [at, { pattern, pinned }] of hunks.entries()) {
    if (!pinned && pattern.hashes.some((hash) => added.has(hash))) suspects.push(at);
    for (const line of pattern.hunk.lines) if (line.kind === "added") added.add(hashOf(line.text));
  }
  return suspects;
}

function writtenBy(splices: readonly Splice[]): Written[] {
  let shift = 0;
  return splices.map(({ first, last, lines, hunks }) => {
    const start = first + shift;
    shift += lines.length - (last - first);
    return { first: start, last: start + lines.length, hunks };
  });
}

/** Whether the place begins in lines that earlier hunks wrote, and its changes are below them. */
function isBelowWritten(pattern: Pattern, place: Place, written: readonly Written[], hunk: number): boolean {
  const last = place.at + pattern.lines.length;
  let step = firstIndexWhere(written, (own) => own.last > place.at);
  let own = written[step];
  if (own === undefined || own.first >= last) return false;
  for (; own !== undefined && own.first < last; own = written[++step]) {
    if (own.last > place.row || own.hunks.some((at) => at >= hunk)) return false;
  }
  return true;
}

export type Placed =
  | { readonly kind: "placed"; readonly splices: readonly Splice[]; readonly hunks: readonly PlacedHunk[] }
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] };

export interface PlaceQuestion extends FileInQuestion {
  readonly hunks: readonly Hunk[];
  /** The text already contains the work of earlier hunks. */
  readonly onEarlier: boolean;
  /** How often the remaining hunks may be placed again in the result of earlier ones. */
  readonly restarts: number;
  /** Shared by all readings and restarts. */
  readonly effort: Effort;
}

export function placeHunks(question: PlaceQuestion): Placed {
  const { lines, hunks, effort } = question;
  const patterns = hunks.map(preparePattern);
  const anchors = anchorsIn(indexLines(lines, patterns, effort));
  const candidates: Candidates[] = [];
  for (const pattern of patterns) {
    candidates.push(findCandidates(anchors, pattern));
    // Places may be missing in this case, so the result cannot be trusted.
    if (effort.left < 0) return refuseAlike(question);
  }
  const lost = candidates.findIndex((own) => own.places.length === 0);
  if (lost >= 0) {
    const mayBe = mayBeWritten(anchors, patterns, lost);
    const inTwo = mayBe ? placeInTwo(question, lost) : undefined;
    return inTwo ?? { kind: "refused", refusals: refuseLost(question, anchors, candidates) };
  }
  const solution = solve(candidates);
  if (solution.kind !== "solved") {
    return { kind: "refused", refusals: refuseUnsolved(question, candidates, solution) };
  }
  const tried = settle(question, patterns, solution.places);
  const doubted = refuseDoubted(question, tried);
  if (doubted.length > 0) return { kind: "refused", refusals: doubted };
  const settled = tried.filter((own) => "splices" in own);
  const done = refuseDone(question, settled);
  if (done.length > 0) return { kind: "refused", refusals: done };
  const result = placed(question, settled);
  const twins = findDuplicates(
    { lines, candidates, places: solution.places, from: question.from, effort },
    result.splices,
  );
  if (effort.left < 0) return refuseAlike(question);
  return twins === undefined
    ? result
    : { kind: "refused", refusals: refuseUnsolved(question, candidates, twins) };
}

function refuseAlike({ path }: PlaceQuestion): Placed {
  const why = message("whyAlike");
  return { kind: "refused", refusals: [{ kind: "file", path, why }] };
}

function settle(
  { lines, from }: PlaceQuestion,
  patterns: readonly Pattern[],
  places: readonly Place[],
): readonly (SettledHunk | DoubtedHunk)[] {
  const stepAt = stepsOf(lines);
  let known: Indentation | undefined;
  const indentation = () => {
    known ??= indentationIn(
      lines,
      patterns.flatMap((pattern, at) => {
        const place = places[at];
        return place === undefined ? [] : [{ pattern, place }];
      }),
    );
    return known;
  };
  const tried: (SettledHunk | DoubtedHunk)[] = [];
  for (const [at, pattern] of patterns.entries()) {
    const place = places[at];
    if (place === undefined) continue;
    const number = from + at;
    const splices = splicesOf({ lines, pattern, place, stepAt, indentation }, number);
    tried.push(
      isDoubt(splices) ? { pattern, place, number, doubt: splices } : { pattern, place, number, splices },
    );
  }
  return tried;
}

function placed(
  question: PlaceQuestion,
  settled: readonly SettledHunk[],
): Extract<Placed, { kind: "placed" }> {
  const hunks = settled.map(({ pattern, place }) => ({
    line: pattern.hunk.line,
    matched: rangeOf(pattern, place.at, question.lines),
    looseness: loosenesses[place.tier as 0 | 1 | 2 | 3],
    onEarlier: question.onEarlier,
  }));
  // The sorts are stable: within one gap, the lines of the hunk that begins higher come first, then those of the
  // earlier hunk.
  const fromTop = [...settled].sort((one, other) => one.place.row - other.place.row);
  const splices: Splice[] = [];
  for (const own of fromTop) for (const splice of own.splices) splices.push(splice);
  splices.sort((one, other) => one.first - other.first || one.last - other.last);
  return { kind: "placed", splices, hunks };
}

/** Whether every line of the hunk is in the text or among what earlier hunks add, so that it may fit their result. */
function mayBeWritten(anchors: Anchors, patterns: readonly Pattern[], lost: number): boolean {
  const added = new Set<number>();
  for (const { hunk } of patterns.slice(0, lost)) {
    for (const line of hunk.lines) if (line.kind === "added") added.add(hashOf(line.text));
  }
  const { hashes = [], hunk } = patterns[lost] ?? {};
  const known = hashes.every((hash) => added.has(hash) || countOf(anchors.index, hash) > 0);
  if (lost === 0 || !known || hunk === undefined) return false;
  for (const own of hunk.anchors) if (!added.has(hashOf(own)) && !hasAnchor(anchors, own)) return false;
  return true;
}

/** Undefined when the rest has no place in the result of the first hunks either. */
function placeInTwo(question: PlaceQuestion, at: number): Placed | undefined {
  const { lines, from, restarts } = question;
  if (restarts === 0) return undefined;
  const first = placeHunks({ ...question, hunks: question.hunks.slice(0, at) });
  if (first.kind === "refused") return first;
  const between = applySplices(lines, first.splices);
  const rest = { ...question, lines: between, hunks: question.hunks.slice(at), from: from + at };
  const second = placeHunks({ ...rest, onEarlier: true, restarts: restarts - 1 });
  if (second.kind === "refused") return undefined;
  const splices = compose(lines.count, first.splices, second.splices);
  return { kind: "placed", splices, hunks: [...first.hunks, ...second.hunks] };
}
