// For a hunk that fits nowhere: the place that agrees with most of its lines, what differs there first, and whether
// the file already holds what the hunk would write. This is for the explanation only; nothing is edited by it.
import type { Steps } from "../util/yield-to-event-loop.ts";
import { isShifted } from "./candidates.ts";
import { countOf, findPlaces, type Index, indexLines, type Place, rowsOf } from "./find-places.ts";
import { tierOf } from "./line-equality.ts";
import type { Hunk, LineRange } from "./model.ts";
import type { Excerpt, Nearest } from "./patch-error.ts";
import { type Pattern, preparePattern, trimAir } from "./pattern.ts";
import { type Lines, lineAt, linesBetween } from "./text.ts";

/** Lines this frequent say nothing about the place. */
const tooCommon = 2000;
/** After so many votes the best place is known, or there is none worth telling. */
const enough = 100_000;

export function findNearest(index: Index, pattern: Pattern): Nearest | undefined {
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
  // A line that is there and differs says more than one that is not there.
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
export function* findApplied(lines: Lines, hunk: Hunk): Steps<readonly number[]> {
  const pattern = newSideOf(hunk);
  if (pattern === undefined) return [];
  return (yield* placesOf(lines, pattern))
    .filter(({ at, tier }) => tier < 2 || isShifted(lines, pattern.lines, at))
    .map((place) => place.at);
}

function newSideOf(hunk: Hunk): Pattern | undefined {
  const result = trimAir(hunk.lines).lines.filter((line) => line.kind !== "removed");
  if (result.every((line) => line.text.trim() === "")) return undefined;
  if (result.length === hunk.lines.length) return undefined;
  const context = result.map((line) => ({ kind: "context" as const, text: line.text }));
  return preparePattern({ ...hunk, lines: context });
}

function* placesOf(lines: Lines, pattern: Pattern): Steps<readonly Place[]> {
  return (yield* findPlaces(indexLines(lines, [pattern]), pattern)).all;
}

/** Ten lines around a place. */
export function excerptAround(lines: Lines, { first, last }: LineRange): Excerpt {
  const size = 10;
  const centred = Math.floor((first + last - size) / 2);
  const start = Math.max(0, Math.min(centred, lines.count - size));
  return { first: start, lines: linesBetween(lines, start, start + size), whole: lines.text };
}
