// Dialogs before and after files are deleted: native, and naming the ids (threats C16).
import * as vscode from "vscode";
import { localize } from "../../../editor/localize.ts";
import { showInformation, showWarning } from "../../../editor/notify.ts";
import type { FileOutcome } from "../../internal/delete-files.ts";
import type { FileUse } from "../../uploaded-files.ts";

/** More are not listed; the count says how many there are. */
const maxShown = 12;

export interface FilesDialog {
  /** `areAll`: all conversations were searched for all files. */
  agreeToDelete(ids: readonly string[], uses: readonly FileUse[], areAll: boolean): Promise<boolean>;
  /** Resolves with what the user wants to do about it. */
  tellOutcome(outcomes: readonly FileOutcome[]): Promise<"retry" | "report" | undefined>;
}

export const nativeFilesDialog: FilesDialog = {
  async agreeToDelete(ids, uses, areAll) {
    const t = vscode.l10n.t;
    const [only = ""] = ids;
    const question =
      ids.length === 1
        ? t("Delete the uploaded file {0}? This is permanent.", only)
        : t("Delete {0} uploaded files? This is permanent.", ids.length);
    const shown = ids.length === 1 ? [] : ids.slice(0, maxShown);
    if (ids.length > maxShown) shown.push(t("… and {0} more", ids.length - maxShown));
    const detail = [
      ...(shown.length > 0 ? [shown.join("\n")] : []),
      t("The file can't be restored or viewed."),
      ...usesWarning(uses),
      ...(areAll ? [] : [t("Not all conversations were searched.")]),
    ].join("\n\n");
    const yes = t("Delete Permanently");
    return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
  },
  async tellOutcome(outcomes) {
    const t = vscode.l10n.t;
    const isBad = outcomes.some(({ outcome }) => outcome === "failed" || outcome === "unsure");
    const retry = t("Retry");
    const report = t("Show Report");
    const buttons = [...(canBeRetried(outcomes).length > 0 ? [retry] : []), report];
    const show = isBad ? showWarning : showInformation;
    const chosen = await show(summaryOf(outcomes), ...buttons);
    return chosen === retry ? "retry" : chosen === report ? "report" : undefined;
  },
};

/** Requirements K7. */
function usesWarning(uses: readonly FileUse[]): string[] {
  const t = vscode.l10n.t;
  if (uses.length === 0) return [];
  const titles = uses.slice(0, maxShown).map(({ title }) => (title === "" ? t("Conversation") : title));
  return [t("These conversations use the file: {0}.", titles.join(", "))];
}

export const canBeRetried = (outcomes: readonly FileOutcome[]): readonly string[] =>
  outcomes
    .filter(({ outcome }) => outcome === "failed" || outcome === "unsure" || outcome === "not-tried")
    .map(({ id }) => id);

/** Names only the outcomes that occurred. */
function summaryOf(outcomes: readonly FileOutcome[]): string {
  const t = vscode.l10n.t;
  const [only] = outcomes;
  if (outcomes.length === 1 && only?.problem !== undefined)
    return `${only.id}: ${localize(only.problem.message)}`;
  const count = (...kinds: FileOutcome["outcome"][]) =>
    outcomes.filter(({ outcome }) => kinds.includes(outcome)).length;
  const deleted = count("deleted", "gone");
  const parts = [
    ...(deleted > 0 ? [t("{0} deleted", deleted)] : []),
    ...(count("not-found") > 0 ? [t("{0} not there", count("not-found"))] : []),
    ...(count("failed") > 0 ? [t("{0} not deleted", count("failed"))] : []),
    ...(count("unsure") > 0 ? [t("{0} canceled", count("unsure"))] : []),
    ...(count("not-tried") > 0 ? [t("{0} not tried", count("not-tried"))] : []),
  ];
  return t("Uploaded files: {0}.", parts.join(", "));
}

export function reportOf(outcomes: readonly FileOutcome[]): string {
  const t = vscode.l10n.t;
  const words: Readonly<Record<FileOutcome["outcome"], string>> = {
    deleted: t("deleted"),
    gone: t("deleted (confirmed by a second request)"),
    "not-found": t("not there, or deleted before"),
    failed: t("not deleted"),
    unsure: t("canceled: it may be deleted"),
    "not-tried": t("not tried"),
  };
  const rows = outcomes.map(({ id, outcome, problem }) =>
    [id, words[outcome], ...(problem === undefined ? [] : [localize(problem.message)])].join("\t"),
  );
  return `${summaryOf(outcomes)}\n\n${rows.join("\n")}\n`;
}
