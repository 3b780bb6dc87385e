// The flags of changes in words: one by one beside a change, counted in the first line of a review.
import * as vscode from "vscode";
import type { RiskFlag } from "../../core/risk/flags.ts";
import { countFlags } from "../../core/risk/order.ts";

const t = vscode.l10n.t;

const one: Readonly<Record<RiskFlag, () => string>> = {
  "hidden-characters": () => t("hidden characters"),
  secret: () => t("looks like a secret"),
  "test-weakened": () => t("test weakened"),
  "check-silenced": () => t("check silenced"),
  "executable-config": () => t("can run code"),
  dependency: () => t("dependency"),
  "errors-swallowed": () => t("error swallowed"),
  "public-api": () => t("public API"),
  "large-deletion": () => t("large deletion"),
  "out-of-scope": () => t("not asked for"),
  "format-only": () => t("format only"),
};

const many: Readonly<Record<RiskFlag, (count: number) => string>> = {
  "hidden-characters": (count) =>
    count === 1 ? t("1 with hidden characters") : t("{0} with hidden characters", count),
  secret: (count) => (count === 1 ? t("1 possible secret") : t("{0} possible secrets", count)),
  "test-weakened": (count) => (count === 1 ? t("1 test weakened") : t("{0} tests weakened", count)),
  "check-silenced": (count) => (count === 1 ? t("1 check silenced") : t("{0} checks silenced", count)),
  "executable-config": (count) => (count === 1 ? t("1 can run code") : t("{0} can run code", count)),
  dependency: (count) => (count === 1 ? t("1 dependency") : t("{0} dependencies", count)),
  "errors-swallowed": (count) => (count === 1 ? t("1 error swallowed") : t("{0} errors swallowed", count)),
  "public-api": (count) => (count === 1 ? t("1 public API change") : t("{0} public API changes", count)),
  "large-deletion": (count) => (count === 1 ? t("1 large deletion") : t("{0} large deletions", count)),
  "out-of-scope": (count) => (count === 1 ? t("1 not asked for") : t("{0} not asked for", count)),
  "format-only": (count) => t("{0} format only", count),
};

/** The warning sign is heard as well; what only says where to look has none. */
const warns: ReadonlySet<RiskFlag> = new Set([
  "hidden-characters",
  "secret",
  "test-weakened",
  "check-silenced",
]);

export const flagWords = (flag: RiskFlag): string => (warns.has(flag) ? `⚠ ${one[flag]()}` : one[flag]());

export const flagsInWords = (flags: readonly RiskFlag[]): string =>
  [...new Set(flags)].map(flagWords).join(" · ");

export const countsInWords = (changes: readonly (readonly RiskFlag[])[]): readonly string[] =>
  countFlags(changes).map(([flag, count]) => many[flag](count));

export function changesInFiles(changes: number, files: number): string {
  if (files !== 1) return t("{0} changes in {1} files", changes, files);
  return changes === 1 ? t("1 change in 1 file") : t("{0} changes in 1 file", changes);
}
