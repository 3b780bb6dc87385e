// For a hunk that fits nowhere: the place that agrees with most of its lines, what differs there first, and whether
// the file already holds what the hunk would write. This is for the explanation only; nothing is edited by it.
import type { Hunk, LineRange } from "./model.ts";
import type { Excerpt, Nearest } from "./patch-error.ts";
import { type Pattern, preparePattern, trimAir } from "./pattern.ts";
import { countOf, findPlaces, type Index, indexLines, rowsOf } from "./seek.ts";
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
  return best === undefined ? undefined : describe(index.lines, pattern, best, votes.get(best) ?? 0);
}

function describe(lines: Lines, pattern: Pattern, at: number, agreeing: number): Nearest {
  const differs = (hash: number, step: number) => at + step < 0 || lines.hashes[at + step] !== hash;
  const step = Math.max(0, pattern.hashes.findIndex(differs));
  const row = at + step;
  return {
    at: { first: Math.max(0, at), last: Math.min(lines.count, at + pattern.lines.length) },
    agreeing,
    line: row,
    patch: pattern.lines[step] ?? "",
    file: row >= 0 && row < lines.count ? lineAt(lines, row) : undefined,
  };
}

/** Rows at which the text already holds the hunk's new lines. */
export function findApplied(lines: Lines, hunk: Hunk): readonly number[] {
  const result = trimAir(hunk.lines).lines.filter((line) => line.kind !== "removed");
  if (result.every((line) => line.text.trim() === "")) return [];
  if (result.length === hunk.lines.length) return [];
  const context = result.map((line) => ({ kind: "context" as const, text: line.text }));
  const pattern = preparePattern({ ...hunk, lines: context });
  const index = indexLines(lines, [pattern]);
  return findPlaces(index, pattern)
    .all.filter((place) => place.tier < 2)
    .map((place) => place.at);
}

/** Ten lines around a place. */
export function excerptAround(lines: Lines, { first, last }: LineRange): Excerpt {
  const size = 10;
  const centred = Math.floor((first + last - size) / 2);
  const start = Math.max(0, Math.min(centred, lines.count - size));
  return { first: start, lines: linesBetween(lines, start, start + size) };
}
