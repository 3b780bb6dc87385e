// Notifications and errors in the corner of the window. They do not block; dialogs, which wait for a choice, have no
// links.
import * as vscode from "vscode";
import { isHumanError } from "../conversation/messages.ts";
import { localize } from "./localize.ts";
import type { LogChannel } from "./log.ts";

/**
 * Prevents VS Code from turning `[label](command:…)` in names of files and texts of the service into a link that runs a
 * command. It is a link only if nothing separates the brackets.
 */
export const withoutLinks = (text: string): string => text.replaceAll("](", "] (");

export const showInformation = <T extends string>(message: string, ...buttons: readonly T[]) =>
  vscode.window.showInformationMessage(withoutLinks(message), ...buttons);

export const showWarning = <T extends string>(message: string, ...buttons: readonly T[]) =>
  vscode.window.showWarningMessage(withoutLinks(message), ...buttons);

export const showError = <T extends string>(message: string, ...buttons: readonly T[]) =>
  vscode.window.showErrorMessage(withoutLinks(message), ...buttons);

/** Status bar message for something that is already visible elsewhere and only needs to be announced. */
export function showStatusMessage(sentence: string): void {
  vscode.window.setStatusBarMessage(`$(warning) ${sentence}`, 8000);
}

/** Shows an error. One meant for people is shown as it is; anything else is a bug: a general sentence, and the log. */
export async function reportError(error: unknown, log: LogChannel): Promise<void> {
  if (error instanceof vscode.CancellationError) return;
  if (error instanceof Error && error.name === "AbortError") return;
  if (isHumanError(error)) {
    const said = error.asMessage === undefined ? error.message : localize(error.asMessage);
    if (error.isInRow) showStatusMessage(said);
    else void showError(said);
    return;
  }
  log.error("Something that was asked for could not be done.", error);
  const openLog = vscode.l10n.t("Open Log");
  const chosen = await showError(vscode.l10n.t("Something went wrong in Patchbay."), openLog);
  if (chosen === openLog) log.show();
}
