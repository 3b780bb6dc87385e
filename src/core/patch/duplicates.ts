// The one ambiguity that the text alone does not show: a hunk fits the file, but it would also fit directly below
// what an earlier hunk of the patch writes. Which of the two was meant cannot be told.
import type { Steps } from "../util/yield-to-event-loop.ts";
import { firstThat } from "./binary-search.ts";
import type { Candidates } from "./candidates.ts";
import { type Effort, findPlaces, indexLines, type Place } from "./find-places.ts";
import { hashOf } from "./line-equality.ts";
import type { Pattern } from "./pattern.ts";
import { maxTold, type Open, type Solution } from "./placement-solver.ts";
import { splicing } from "./resplit.ts";
import type { Splice } from "./splice.ts";
import type { Lines } from "./text.ts";

interface Written {
  readonly first: number;
  readonly last: number;
  readonly hunks: readonly number[];
}

export interface DuplicateQuestion {
  readonly lines: Lines;
  readonly candidates: readonly Candidates[];
  readonly places: readonly Place[];
  /** The number of the first of these hunks among the file's. */
  readonly from: number;
  readonly effort: Effort;
}

/** For each hunk that has one, the place it got and its twin's; undefined when none has. */
export function* findDuplicates(
  { lines, candidates, places, from, effort }: DuplicateQuestion,
  splices: readonly Splice[],
): Steps<Extract<Solution, { kind: "ambiguous" }> | undefined> {
  const suspects = findSuspects(candidates);
  if (suspects.length === 0) return undefined;
  const after = yield* splicing(lines, splices);
  const patterns = suspects.flatMap((at) => candidates[at]?.pattern ?? []);
  const index = indexLines(after, patterns, effort);
  const written = writtenBy(splices);
  const open = new Map<number, Open>();
  for (const at of suspects) {
    const [pattern, place] = [candidates[at]?.pattern, places[at]];
    if (pattern === undefined || place === undefined || open.size === maxTold) continue;
    const found = (yield* findPlaces(index, pattern)).all;
    effort.left -= found.length;
    const twin = yield* firstBelow(written, found, { pattern, place, hunk: from + at });
    if (twin !== undefined) open.set(at, { places: [place, twin], count: 2 });
  }
  return open.size > 0 ? { kind: "ambiguous", open, others: 0 } : undefined;
}

/** So many places are looked at without a pause. */
const placesAtOnce = 10_000;

function* firstBelow(
  written: readonly Written[],
  found: readonly Place[],
  { pattern, place, hunk }: { readonly pattern: Pattern; readonly place: Place; readonly hunk: number },
): Steps<Place | undefined> {
  for (const [at, own] of found.entries()) {
    if (at % placesAtOnce === 0) yield;
    if (own.tier <= place.tier && isBelowWritten(pattern, own, written, hunk)) return own;
  }
  return undefined;
}

/** Hunks with an old line that an earlier hunk adds, and nothing but their lines to say where they belong. */
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

/** It begins in lines that earlier hunks wrote, and what it changes stands below them. */
function isBelowWritten(pattern: Pattern, place: Place, written: readonly Written[], hunk: number): boolean {
  const last = place.at + pattern.lines.length;
  let step = firstThat(written, (own) => own.last > place.at);
  let own = written[step];
  if (own === undefined || own.first >= last) return false;
  for (; own !== undefined && own.first < last; own = written[++step]) {
    if (own.last > place.row || own.hunks.some((at) => at >= hunk)) return false;
  }
  return true;
}
