// The flags that make a change worth a closer look, by severity, and the order of a review that follows from them.
// Their texts are created where they are shown.

import type { Code } from "../conversation/english.ts";
import { type Message, message } from "../conversation/messages.ts";
import { compareNaturally } from "../util/collections.ts";

/** Most severe first. */
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

/** Never collapsed and never accepted automatically. */
const grave: ReadonlySet<RiskFlag> = new Set([
  "hidden-characters",
  "secret",
  "test-weakened",
  "check-silenced",
]);

export const isGrave = (flags: readonly RiskFlag[]): boolean => flags.some((flag) => grave.has(flag));

/** Collapsed changes: a person who looks at all others has missed nothing. */
export const isFolded = (flags: readonly RiskFlag[]): boolean =>
  flags.includes("format-only") && flags.every((flag) => flag === "format-only" || flag === "out-of-scope");

const plain = riskFlags.indexOf("format-only");

/** A lower rank is reviewed earlier: flags by severity, then behaviour, then formatting. */
export function rankOf(flags: readonly RiskFlag[]): number {
  if (isFolded(flags)) return plain + 1;
  const heaviest = riskFlags.findIndex((flag) => flags.includes(flag));
  return heaviest < 0 ? plain : Math.min(plain, heaviest);
}

interface Placed {
  readonly path: string;
  /** Where the change begins; `undefined` for the file as a whole. */
  readonly line?: number | undefined;
  readonly flags: readonly RiskFlag[];
}

/**
 * The order in which changes are reviewed: flags by severity, then behaviour, then formatting; within each by name and
 * place.
 */
export const byRisk = (one: Placed, other: Placed): number =>
  rankOf(one.flags) - rankOf(other.flags) ||
  compareNaturally(one.path, other.path) ||
  (one.line ?? 0) - (other.line ?? 0);

const last = riskFlags.length;

/** Sorts files by their most severe change. */
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
    .sort((one, other) => one.rank - other.rank || compareNaturally(one.path, other.path))
    .map(({ file }) => file);
}

/** Counts the changes per flag, most severe first. Collapsed changes count as formatting only. */
function countFlags(changes: readonly (readonly RiskFlag[])[]): readonly (readonly [RiskFlag, number])[] {
  const counts = new Map<RiskFlag, number>();
  for (const flags of changes)
    for (const flag of isFolded(flags) ? (["format-only"] as const) : flags)
      counts.set(flag, (counts.get(flag) ?? 0) + 1);
  return riskFlags.flatMap((flag) => {
    const count = counts.get(flag);
    return count === undefined ? [] : [[flag, count] as const];
  });
}

// Messages of flags: individual ones next to a change, and counts for the first line of a review.

const one = {
  "hidden-characters": message("riskHidden"),
  secret: message("riskSecret"),
  "test-weakened": message("riskTest"),
  "check-silenced": message("riskCheck"),
  "executable-config": message("riskConfig"),
  dependency: message("riskDependency"),
  "errors-swallowed": message("riskErrors"),
  "public-api": message("riskPublic"),
  "large-deletion": message("riskDeletion"),
  "out-of-scope": message("riskScope"),
  "format-only": message("riskFormat"),
} as const satisfies Readonly<Record<RiskFlag, Message>>;

const counted = {
  "hidden-characters": ["riskHiddenOne", "riskHiddenMany"],
  secret: ["riskSecretOne", "riskSecretMany"],
  "test-weakened": ["riskTestOne", "riskTestMany"],
  "check-silenced": ["riskCheckOne", "riskCheckMany"],
  "executable-config": ["riskConfigOne", "riskConfigMany"],
  dependency: ["riskDependencyOne", "riskDependencyMany"],
  "errors-swallowed": ["riskErrorsOne", "riskErrorsMany"],
  "public-api": ["riskPublicApiOne", "riskPublicApiMany"],
  "large-deletion": ["riskDeletionOne", "riskDeletionMany"],
  "out-of-scope": ["riskScopeOne", "riskScopeMany"],
  "format-only": ["riskFormatOne", "riskFormatMany"],
} as const satisfies Readonly<Record<RiskFlag, readonly [Code, Code]>>;

/** `references`: number of references to the public names that change, if they were counted. */
function flagMessage(flag: RiskFlag, references: number | undefined): Message {
  if (flag === "public-api" && references !== undefined)
    return references === 1 ? message("riskPublicOne") : message("riskPublicMany", { count: references });
  return isGrave([flag]) ? message("riskGrave", { flag: one[flag] }) : one[flag];
}

/** Each flag once, most severe first. */
export function flagMessages(flags: readonly RiskFlag[], references?: number): readonly Message[] {
  return riskFlags.filter((flag) => flags.includes(flag)).map((flag) => flagMessage(flag, references));
}

/** The counts for all these changes together. */
export const countMessages = (changes: readonly (readonly RiskFlag[])[]): readonly Message[] =>
  countFlags(changes).map(([flag, count]): Message => {
    const [single, several] = counted[flag];
    return count === 1 ? { code: single } : { code: several, args: { count } };
  });
