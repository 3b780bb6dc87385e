import { type Lines, lineAt } from "../edits.ts";
import type { Nearest } from "../patch-error.ts";
import { tierOf } from "./line-equality.ts";
import { countOf, type Index, type Pattern, rowsOf } from "./matching-lines.ts";

/** Lines this frequent do not identify a place. */
const tooCommon = 2000;
/** After this many votes the best place is known, or none is worth mentioning. */
const enough = 100_000;

/**
 * For a hunk that fits nowhere, finds the place where most of its lines agree, and what differs there first. Used for
 * explanations only; no edit depends on it.
 */
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
