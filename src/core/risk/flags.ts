// What can make a change deserve a look before others: the names of the flags, by weight. Words for people are made where
// they are shown.

/** The heaviest first. */
export const riskFlags = [
  "hidden-characters",
  "secret",
  "test-weakened",
  "check-silenced",
  "executable-config",
  "dependency",
  "errors-swallowed",
  "public-api",
  "large-deletion",
  "out-of-scope",
  "format-only",
] as const;
export type RiskFlag = (typeof riskFlags)[number];

/** Never folded away, and never accepted by itself. */
const grave: ReadonlySet<RiskFlag> = new Set([
  "hidden-characters",
  "secret",
  "test-weakened",
  "check-silenced",
]);

export const isGrave = (flags: readonly RiskFlag[]): boolean => flags.some((flag) => grave.has(flag));

/** A person who looks at everything else has missed nothing. */
export const isFolded = (flags: readonly RiskFlag[]): boolean =>
  flags.includes("format-only") && flags.every((flag) => flag === "format-only" || flag === "out-of-scope");

const plain = riskFlags.indexOf("format-only");

/** The smaller, the earlier it is looked at: flags by weight, then behaviour, then format. */
export function rankOf(flags: readonly RiskFlag[]): number {
  if (isFolded(flags)) return plain + 1;
  const heaviest = riskFlags.findIndex((flag) => flags.includes(flag));
  return heaviest < 0 ? plain : Math.min(plain, heaviest);
}
