// Places the hunks of one file in its text: all of them, or none with every reason. A hunk that fits nowhere in the
// text may fit what earlier hunks of the patch write; then those are written first and the rest starts again.
import { message } from "../messages/message.ts";
import type { Steps } from "../util/yield-to-event-loop.ts";
import type { Doubted, Settled } from "./already-applied.ts";
import { type Anchors, anchorsIn, hasAnchor } from "./anchors.ts";
import { type Candidates, findCandidates } from "./candidates.ts";
import { compose } from "./compose-splices.ts";
import { findDuplicates } from "./duplicates.ts";
import { countOf, type Effort, indexLines, type Place } from "./find-places.ts";
import { stepsOf } from "./indent-step.ts";
import { hashOf } from "./line-equality.ts";
import { type Hunk, loosenesses, type PlacedHunk } from "./model.ts";
import type { Refusal } from "./patch-error.ts";
import { type Pattern, preparing, rangeOf } from "./pattern.ts";
import {
  type FileInQuestion,
  refuseDone,
  refuseDoubted,
  refuseLost,
  refuseUnsolved,
} from "./placement-refusals.ts";
import { solve } from "./placement-solver.ts";
import { splicing } from "./resplit.ts";
import { isDoubt, type Splice, splicesOf } from "./splice.ts";

export type Placed =
  | { readonly kind: "placed"; readonly splices: readonly Splice[]; readonly hunks: readonly PlacedHunk[] }
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] };

export interface PlaceQuestion extends FileInQuestion {
  readonly hunks: readonly Hunk[];
  /** The text is already the work of earlier hunks. */
  readonly onEarlier: boolean;
  /** How often the rest of the hunks may start again on what earlier ones made. */
  readonly restarts: number;
  /** One for all readings and restarts. */
  readonly effort: Effort;
}

/** So many hunks are prepared without a pause. */
const hunksAtOnce = 100;

export function* placeHunks(question: PlaceQuestion): Steps<Placed> {
  const { lines, hunks, effort } = question;
  const patterns: Pattern[] = [];
  for (const [at, hunk] of hunks.entries()) {
    if (at % hunksAtOnce === 0) yield;
    patterns.push(yield* preparing(hunk));
  }
  const anchors = anchorsIn(indexLines(lines, patterns, effort));
  yield;
  const candidates: Candidates[] = [];
  for (const pattern of patterns) {
    candidates.push(yield* findCandidates(anchors, pattern));
    yield;
    // Places may be missing then, so nothing of it can be believed.
    if (effort.left < 0) return refuseAlike(question);
  }
  const lost = candidates.findIndex((own) => own.places.length === 0);
  if (lost >= 0) {
    const mayBe = yield* mayBeWritten(anchors, patterns, lost);
    const inTwo = mayBe ? yield* placeInTwo(question, lost) : undefined;
    return inTwo ?? { kind: "refused", refusals: yield* refuseLost(question, anchors, candidates) };
  }
  const solution = solve(candidates);
  if (solution.kind !== "solved") {
    return { kind: "refused", refusals: refuseUnsolved(question, candidates, solution) };
  }
  const tried = yield* settle(question, patterns, solution.places);
  const doubted = refuseDoubted(question, tried);
  if (doubted.length > 0) return { kind: "refused", refusals: doubted };
  const settled = tried.filter((own) => "splices" in own);
  const done = refuseDone(question, settled);
  if (done.length > 0) return { kind: "refused", refusals: done };
  const result = placed(question, settled);
  const twins = yield* findDuplicates(
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

function* settle(
  { lines, from }: PlaceQuestion,
  patterns: readonly Pattern[],
  places: readonly Place[],
): Steps<readonly (Settled | Doubted)[]> {
  const stepAt = stepsOf(lines);
  const tried: (Settled | Doubted)[] = [];
  for (const [at, pattern] of patterns.entries()) {
    const place = places[at];
    if (place === undefined) continue;
    const about = { pattern, place, number: from + at };
    const splices = yield* splicesOf({ lines, pattern, place, stepAt }, from + at);
    tried.push(isDoubt(splices) ? { ...about, doubt: splices } : { ...about, splices });
    yield;
  }
  return tried;
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
function* mayBeWritten(anchors: Anchors, patterns: readonly Pattern[], lost: number): Steps<boolean> {
  const added = new Set<number>();
  for (const { hunk } of patterns.slice(0, lost)) {
    for (const line of hunk.lines) if (line.kind === "added") added.add(hashOf(line.text));
  }
  const { hashes = [], hunk } = patterns[lost] ?? {};
  const known = hashes.every((hash) => added.has(hash) || countOf(anchors.index, hash) > 0);
  if (lost === 0 || !known || hunk === undefined) return false;
  for (const own of hunk.anchors)
    if (!added.has(hashOf(own)) && !(yield* hasAnchor(anchors, own))) return false;
  return true;
}

/** Undefined when the rest has no place in what the first hunks make either. */
function* placeInTwo(question: PlaceQuestion, at: number): Steps<Placed | undefined> {
  const { lines, from, restarts } = question;
  if (restarts === 0) return undefined;
  const first = yield* placeHunks({ ...question, hunks: question.hunks.slice(0, at) });
  if (first.kind === "refused") return first;
  const between = yield* splicing(lines, first.splices);
  const rest = { ...question, lines: between, hunks: question.hunks.slice(at), from: from + at };
  const second = yield* placeHunks({ ...rest, onEarlier: true, restarts: restarts - 1 });
  if (second.kind === "refused") return undefined;
  const splices = compose(lines.count, first.splices, second.splices);
  return { kind: "placed", splices, hunks: [...first.hunks, ...second.hunks] };
}
