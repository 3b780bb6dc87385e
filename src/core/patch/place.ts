// Places the hunks of one file in its text: all of them, or none with every reason. A hunk that fits nowhere in the
// text may fit what earlier hunks of the patch write; then those are written first and the rest starts anew.
import type { Settled } from "./already.ts";
import { type Anchors, anchorsIn, hasAnchor } from "./anchors.ts";
import { type Candidates, findCandidates } from "./candidates.ts";
import { compose } from "./compose.ts";
import { applyEdits } from "./edits.ts";
import { hashOf } from "./fold.ts";
import { type Hunk, loosenesses, type PlacedHunk } from "./model.ts";
import type { Refusal } from "./patch-error.ts";
import { type Pattern, preparePattern, rangeOf } from "./pattern.ts";
import { type FileInQuestion, refuseDone, refuseLost, refuseUnsolved } from "./refusals.ts";
import { countOf, fullEffort, indexLines, type Place } from "./seek.ts";
import { solve } from "./solve.ts";
import { editsOf, type Splice, splicesOf } from "./splice.ts";
import { splitLines } from "./text.ts";
import { findTwins } from "./twins.ts";

export type Placed =
  | { readonly kind: "placed"; readonly splices: readonly Splice[]; readonly hunks: readonly PlacedHunk[] }
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] };

export interface PlaceQuestion extends FileInQuestion {
  readonly hunks: readonly Hunk[];
  /** The text is already the work of earlier hunks. */
  readonly onEarlier: boolean;
  /** How often the rest of the hunks may start anew on what earlier ones made. */
  readonly restarts: number;
}

export function placeHunks(question: PlaceQuestion): Placed {
  const { lines, hunks } = question;
  const patterns = hunks.map(preparePattern);
  const effort = fullEffort();
  const anchors = anchorsIn(indexLines(lines, patterns, effort));
  const candidates: Candidates[] = [];
  for (const pattern of patterns) {
    candidates.push(findCandidates(anchors, pattern));
    // Places may be missing then, so nothing of it can be believed.
    if (effort.left < 0) return refuseAlike(question);
  }
  const lost = candidates.findIndex((own) => own.places.length === 0);
  if (lost >= 0) {
    const inTwo = mayBeWritten(anchors, patterns, lost) ? placeInTwo(question, lost) : undefined;
    return inTwo ?? { kind: "refused", refusals: refuseLost(question, anchors, candidates) };
  }
  const solution = solve(candidates);
  if (solution.kind !== "solved") {
    return { kind: "refused", refusals: refuseUnsolved(question, candidates, solution) };
  }
  const settled = settle(question, patterns, solution.places);
  const done = refuseDone(question, settled);
  if (done.length > 0) return { kind: "refused", refusals: done };
  const result = placed(question, settled);
  const twins = findTwins(
    { lines, candidates, places: solution.places, from: question.from, effort },
    result.splices,
  );
  if (effort.left < 0) return refuseAlike(question);
  return twins === undefined
    ? result
    : { kind: "refused", refusals: refuseUnsolved(question, candidates, twins) };
}

function refuseAlike({ path }: PlaceQuestion): Placed {
  const why = "too many of its lines are alike to place this many hunks";
  return { kind: "refused", refusals: [{ kind: "file", path, why }] };
}

function settle(
  { lines, from }: PlaceQuestion,
  patterns: readonly Pattern[],
  places: readonly Place[],
): readonly Settled[] {
  return patterns.flatMap((pattern, at) => {
    const place = places[at];
    if (place === undefined) return [];
    return [{ pattern, place, number: from + at, splices: splicesOf(lines, pattern, place, from + at) }];
  });
}

function placed(question: PlaceQuestion, settled: readonly Settled[]): Extract<Placed, { kind: "placed" }> {
  const hunks = settled.map(({ pattern, place }) => ({
    line: pattern.hunk.line,
    matched: rangeOf(pattern, place.at, question.lines),
    looseness: loosenesses[place.tier as 0 | 1 | 2 | 3],
    onEarlier: question.onEarlier,
  }));
  // Stable sorts: in one gap the lines of the hunk that begins higher come first, then those of the earlier hunk.
  const fromTop = [...settled].sort((one, other) => one.place.row - other.place.row);
  const splices = fromTop.flatMap((own) => own.splices);
  splices.sort((one, other) => one.first - other.first || one.last - other.last);
  return { kind: "placed", splices, hunks };
}

/** Every line the hunk asks for is in the text or among what earlier hunks add, so it may fit what they make. */
function mayBeWritten(anchors: Anchors, patterns: readonly Pattern[], lost: number): boolean {
  const added = new Set<number>();
  for (const { hunk } of patterns.slice(0, lost)) {
    for (const line of hunk.lines) if (line.kind === "added") added.add(hashOf(line.text));
  }
  const { hashes = [], hunk } = patterns[lost] ?? {};
  const known = hashes.every((hash) => added.has(hash) || countOf(anchors.index, hash) > 0);
  return (
    lost > 0 &&
    known &&
    hunk?.anchors.every((own) => added.has(hashOf(own)) || hasAnchor(anchors, own)) === true
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
