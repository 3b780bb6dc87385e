// The flags of changes and what checks have found, in words: beside a change, and in the first line of a review.
import * as vscode from "vscode";
import { evidenceOf } from "../../core/checks/report.ts";
import { countMessages, flagMessages } from "../../core/risk/flag-messages.ts";
import type { RiskFlag } from "../../core/risk/flags.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import type { ReviewSet, WaitingFile } from "./review-model.ts";

const t = vscode.l10n.t;

export const flagWords = (flags: readonly RiskFlag[], references?: number): readonly string[] =>
  flagMessages(flags, references).map(inReaderLanguage);

export const flagsInWords = (flags: readonly RiskFlag[], references?: number): string =>
  flagWords(flags, references).join(" · ");

export const countsInWords = (changes: readonly (readonly RiskFlag[])[]): readonly string[] =>
  countMessages(changes).map(inReaderLanguage);

export function changesInFiles(changes: number, files: number): string {
  if (files !== 1) return t("{0} changes in {1} files", changes, files);
  return changes === 1 ? t("1 change in 1 file") : t("{0} changes in 1 file", changes);
}

export const changesInWords = (count: number): string =>
  count === 1 ? t("1 proposed change") : t("{0} proposed changes", count);

export const conflictsInWords = (count: number): string =>
  count === 1 ? t("1 conflict") : t("{0} conflicts", count);

/** Of a change in a file that moves: any that is accepted takes the move along, and the only one is decided with it. */
export function moveInWords({ change, pending, to }: WaitingFile): string {
  if (change.kind !== "move") return "";
  return pending.hunks.length > 2
    ? t("accepting also moves the file to {0}", to)
    : t("moves the file to {0}", to);
}

/** What the person's checks say of what a set proposes. */
export const evidenceInWords = ({ session }: ReviewSet): readonly string[] =>
  evidenceOf(session?.patches.checks?.results ?? []).map(inReaderLanguage);
