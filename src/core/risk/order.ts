// In which order a person looks at changes: flags by weight, then behaviour, then format; in between by name and place.
import { isFolded, type RiskFlag, rankOf, riskFlags } from "./flags.ts";

export interface Placed {
  readonly path: string;
  /** Where it begins; nothing: the file as a whole. */
  readonly line?: number | undefined;
  readonly flags: readonly RiskFlag[];
}

const byName = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

export const byRisk = (one: Placed, other: Placed): number =>
  rankOf(one.flags) - rankOf(other.flags) ||
  byName(one.path, other.path) ||
  (one.line ?? 0) - (other.line ?? 0);

const last = riskFlags.length;

/** Files by the heaviest of their changes. */
export function inReviewOrder<T>(
  files: readonly T[],
  pathOf: (file: T) => string,
  flagsOf: (file: T) => readonly (readonly RiskFlag[])[],
): T[] {
  const ranked = files.map((file) => {
    const own = flagsOf(file);
    const rank = own
      .map(rankOf)
      .reduce((one, other) => Math.min(one, other), own.length === 0 ? rankOf([]) : last);
    return { file, path: pathOf(file), rank };
  });
  return ranked
    .sort((one, other) => one.rank - other.rank || byName(one.path, other.path))
    .map(({ file }) => file);
}

/** How many changes have each flag, the heaviest first; what is folded away counts as format and nothing else. */
export function countFlags(
  changes: readonly (readonly RiskFlag[])[],
): readonly (readonly [RiskFlag, number])[] {
  const counts = new Map<RiskFlag, number>();
  for (const flags of changes)
    for (const flag of isFolded(flags) ? (["format-only"] as const) : flags)
      counts.set(flag, (counts.get(flag) ?? 0) + 1);
  return riskFlags.flatMap((flag) => {
    const count = counts.get(flag);
    return count === undefined ? [] : [[flag, count] as const];
  });
}
