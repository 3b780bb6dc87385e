// Places the hunks of one file in its text: all of them, or none with every reason. A hunk that fits nowhere in the
// text may fit what earlier hunks of the patch write; then those are written first and the rest starts anew.
import { hasAnchor } from "./anchors.ts";
import { type Candidates, findCandidates } from "./candidates.ts";
import { compose } from "./compose.ts";
import { applyEdits } from "./edits.ts";
import { hashOf } from "./fold.ts";
import { type Hunk, type LineRange, loosenesses, type PlacedHunk } from "./model.ts";
import { excerptAround, findApplied, findNearest } from "./nearest.ts";
import type { Refusal } from "./patch-error.ts";
import { type Pattern, preparePattern } from "./pattern.ts";
import { countOf, type Index, indexLines, type Place } from "./seek.ts";
import { type Solution, solve } from "./solve.ts";
import { editsOf, type Splice, splicesOf } from "./splice.ts";
import { type Lines, splitLines } from "./text.ts";
import { findTwins } from "./twins.ts";

export type Placed =
  | { readonly kind: "placed"; readonly splices: readonly Splice[]; readonly hunks: readonly PlacedHunk[] }
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] };

export interface PlaceQuestion {
  /** For refusals. */
  readonly path: string;
  readonly lines: Lines;
  readonly hunks: readonly Hunk[];
  /** The number of the first of these hunks among the file's, counted from 0. */
  readonly from: number;
  /** The text is already the work of earlier hunks. */
  readonly onEarlier: boolean;
  /** How often the rest of the hunks may start anew on what earlier ones made. */
  readonly restarts: number;
}

export function placeHunks(question: PlaceQuestion): Placed {
  const { lines, hunks } = question;
  const patterns = hunks.map(preparePattern);
  const index = indexLines(lines, patterns);
  const candidates = patterns.map((pattern) => findCandidates(index, pattern));
  const lost = candidates.findIndex((own) => own.places.length === 0);
  if (lost >= 0) {
    const inTwo = mayBeWritten(index, patterns, lost) ? placeInTwo(question, lost) : undefined;
    return inTwo ?? { kind: "refused", refusals: refuseLost(question, index, candidates) };
  }
  const solution = solve(candidates);
  if (solution.kind !== "solved") {
    return { kind: "refused", refusals: refuseUnsolved(question, candidates, solution) };
  }
  const result = placed(question, patterns, solution.places);
  const twins = findTwins(lines, candidates, solution.places, result.splices, question.from);
  if (twins.size === 0) return result;
  return {
    kind: "refused",
    refusals: refuseUnsolved(question, candidates, { kind: "ambiguous", open: twins }),
  };
}

function placed(
  question: PlaceQuestion,
  patterns: readonly Pattern[],
  places: readonly Place[],
): Extract<Placed, { kind: "placed" }> {
  const found = patterns.flatMap((pattern, at) => {
    const place = places[at];
    return place === undefined ? [] : [{ pattern, place, hunk: question.from + at }];
  });
  const hunks = found.map(({ pattern, place }) => ({
    line: pattern.hunk.line,
    matched: rangeOf(pattern, place, question.lines),
    looseness: loosenesses[place.tier as 0 | 1 | 2 | 3],
    onEarlier: question.onEarlier,
  }));
  // Stable sorts: in one gap the lines of the hunk that begins higher come first, then those of the earlier hunk.
  const changeAt = ({ pattern, place }: (typeof found)[number]) => place.at + pattern.change.first;
  const fromTop = [...found].sort((one, other) => changeAt(one) - changeAt(other));
  const splices = fromTop.flatMap(({ pattern, place, hunk }) =>
    splicesOf(question.lines, pattern, place, hunk),
  );
  splices.sort((one, other) => one.first - other.first || one.last - other.last);
  return { kind: "placed", splices, hunks };
}

function rangeOf(pattern: Pattern, place: Place, lines: Lines): LineRange {
  return { first: place.at, last: Math.min(lines.count, place.at + pattern.lines.length) };
}

/** Every line the hunk asks for is in the text or among what earlier hunks add, so it may fit what they make. */
function mayBeWritten(index: Index, patterns: readonly Pattern[], lost: number): boolean {
  const added = new Set<number>();
  for (const { hunk } of patterns.slice(0, lost)) {
    for (const line of hunk.lines) if (line.kind === "added") added.add(hashOf(line.text));
  }
  const { hashes = [], hunk } = patterns[lost] ?? {};
  const known = hashes.every((hash) => added.has(hash) || countOf(index, hash) > 0);
  return (
    lost > 0 &&
    known &&
    hunk?.anchors.every((own) => added.has(hashOf(own)) || hasAnchor(index, own)) === true
  );
}

/** Undefined when the rest has no place in what the first hunks make either. */
function placeInTwo(question: PlaceQuestion, at: number): Placed | undefined {
  const { lines, from, restarts } = question;
  if (restarts === 0) return undefined;
  const first = placeHunks({ ...question, hunks: question.hunks.slice(0, at) });
  if (first.kind === "refused") return first;
  const between = splitLines(applyEdits(lines.text, editsOf(lines, first.splices)));
  const rest = { ...question, lines: between, hunks: question.hunks.slice(at), from: from + at };
  const second = placeHunks({ ...rest, onEarlier: true, restarts: restarts - 1 });
  if (second.kind === "refused") return undefined;
  const splices = compose(lines.count, first.splices, second.splices);
  return { kind: "placed", splices, hunks: [...first.hunks, ...second.hunks] };
}

function refuseLost(question: PlaceQuestion, index: Index, candidates: readonly Candidates[]): Refusal[] {
  const refusals: Refusal[] = [];
  for (const [at, { pattern, places, everywhere }] of candidates.entries()) {
    if (places.length > 0) continue;
    const { lines, path } = question;
    const { hunk } = pattern;
    const about = { path, number: question.from + at + 1, hunk };
    const anchor = hunk.anchors.find((own) => !hasAnchor(index, own));
    if (anchor !== undefined) {
      const first = everywhere[0]?.at ?? 0;
      const excerpt = excerptAround(lines, { first, last: first });
      refusals.push({ ...about, kind: "no-anchor", anchor, excerpt });
    } else if (everywhere.length > 0) {
      const elsewhere = everywhere.map((place) => rangeOf(pattern, place, lines));
      const excerpt = excerptAround(lines, elsewhere[0] ?? { first: 0, last: 0 });
      refusals.push({ ...about, kind: "outside-anchor", places: elsewhere, excerpt });
    } else if (pattern.lines.length === 0) {
      const excerpt = excerptAround(lines, { first: lines.count, last: lines.count });
      refusals.push({ ...about, kind: "no-place", excerpt });
    } else {
      const nearest = findNearest(index, pattern);
      const appliedAt = findApplied(lines, hunk);
      const first = appliedAt[0];
      const around = first === undefined ? nearest?.at : { first, last: first + hunk.lines.length };
      const excerpt = excerptAround(lines, around ?? { first: 0, last: 0 });
      refusals.push({ ...about, kind: "not-found", nearest, appliedAt, excerpt });
    }
  }
  return refusals;
}

function refuseUnsolved(
  question: PlaceQuestion,
  candidates: readonly Candidates[],
  solution: Exclude<Solution, { kind: "solved" }>,
): Refusal[] {
  const about = (at: number, places: readonly Place[]) => {
    const pattern =
      candidates[at]?.pattern ?? preparePattern({ line: 1, anchors: [], lines: [], atEndOfFile: false });
    const ranges = places.map((place) => rangeOf(pattern, place, question.lines));
    const excerpt = excerptAround(question.lines, ranges[0] ?? { first: 0, last: 0 });
    const number = question.from + at + 1;
    return { path: question.path, number, hunk: pattern.hunk, places: ranges, excerpt };
  };
  if (solution.kind === "entangled") {
    const [, at] = solution.hunks;
    return [
      {
        ...about(at, candidates[at]?.places ?? []),
        kind: "entangled",
        other: solution.hunks[0] + question.from + 1,
      },
    ];
  }
  return [...solution.open].map(([at, places]) => {
    const looseness = loosenesses[(places[0]?.tier ?? 0) as 0 | 1 | 2 | 3];
    return { ...about(at, places), kind: "ambiguous", looseness };
  });
}
