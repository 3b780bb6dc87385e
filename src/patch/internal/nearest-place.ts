import { type Lines, lineAt } from "../edits.ts";
import type { Nearest } from "../patch-error.ts";
import { tierOf } from "./line-equality.ts";
import { countOf, type Index, type Pattern, rowsOf } from "./matching-lines.ts";

/** Lines this frequent do not identify a place. */
const tooCommon = 2000;
/** After this many votes the best place is known, or none is worth mentioning. */
const enough = 100_000;

/**
 * For a hunk that fits nowhere, finds the place that its lines point to, and what differs there first. A line counts the
 * more the rarer it is in the file: many braces and empty lines say less than one name. Used for explanations only; no
 * edit depends on it.
 */
export function findNearest(index: Index, pattern: Pattern): Nearest | undefined {
  const steps = pattern.hashes.flatMap((hash, step) => {
    const count = countOf(index, hash);
    return count === 0 || count > tooCommon || pattern.lines[step]?.trim() === ""
      ? []
      : { step, hash, count };
  });
  const votes = new Map<number, number>();
  let cast = 0;
  for (const { step, hash, count } of steps.toSorted((one, other) => one.count - other.count)) {
    if (cast > enough) break;
    cast += count;
    for (const row of rowsOf(index, hash)) votes.set(row - step, (votes.get(row - step) ?? 0) + 1 / count);
  }
  let best: number | undefined;
  let most = 0;
  for (const [at, weight] of votes) {
    // Sums of the same fractions in another order differ by less than this.
    if (weight > most + 1e-9) [best, most] = [at, weight];
  }
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
