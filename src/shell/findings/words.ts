// What a finding is called wherever it is shown.
import * as vscode from "vscode";
import type { Severity } from "../../core/findings/read-findings.ts";
import type { Finding } from "./finding-list.ts";

export const severityWord = (severity: Severity): string => words[severity]();

const words = {
  error: () => vscode.l10n.t("Error"),
  warning: () => vscode.l10n.t("Warning"),
  note: () => vscode.l10n.t("Note"),
} as const;

export const linesGone = (): string => vscode.l10n.t("its lines are gone");

/** Severity and reason; a screen reader hears nothing else of a thread at first. */
export function labelOf({ severity, reason, lines }: Finding): string {
  const label = vscode.l10n.t("{0}: {1}", severityWord(severity), reason);
  return lines === undefined ? `${label} · ${linesGone()}` : label;
}
