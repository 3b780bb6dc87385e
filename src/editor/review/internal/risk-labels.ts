// Labels for the flags of changes and the results of checks: next to a change, and in the title of a review.
import * as vscode from "vscode";
import { evidenceOf } from "../../../checks/report.ts";
import { countMessages, flagMessages, type RiskFlag } from "../../../risk/flags.ts";
import { localize } from "../../localize.ts";
import type { ReviewSet, WaitingFile } from "./review-targets.ts";

const t = vscode.l10n.t;

export const flagWords = (flags: readonly RiskFlag[], references?: number): readonly string[] =>
  flagMessages(flags, references).map(localize);

export const flagsInWords = (flags: readonly RiskFlag[], references?: number): string =>
  flagWords(flags, references).join(" · ");

export const countsInWords = (changes: readonly (readonly RiskFlag[])[]): readonly string[] =>
  countMessages(changes).map(localize);

export function changesInFiles(changes: number, files: number): string {
  if (files !== 1) return t("{0} changes in {1} files", changes, files);
  return changes === 1 ? t("1 change in 1 file") : t("{0} changes in 1 file", changes);
}

export const changesInWords = (count: number): string =>
  count === 1 ? t("1 proposed change") : t("{0} proposed changes", count);

export const conflictsInWords = (count: number): string =>
  count === 1 ? t("1 conflict") : t("{0} conflicts", count);

/**
 * For a change in a file that also moves: accepting any hunk includes the move, and the only hunk is decided with it.
 */
export function moveInWords({ change, pending, to }: WaitingFile): string {
  if (change.kind !== "move") return "";
  return pending.hunks.length > 2
    ? t("accepting also moves the file to {0}", to)
    : t("moves the file to {0}", to);
}

/** The results of the user's checks for the changes of a set. */
export const evidenceInWords = ({ session }: ReviewSet): readonly string[] =>
  evidenceOf(session?.patches.checks?.results ?? []).map(localize);
