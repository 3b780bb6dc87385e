// How an error becomes a message. One made to be read by people is shown as it is; anything else is a bug: one
// sentence, and the log.
import * as vscode from "vscode";
import { isHumanError } from "../core/messages/human-error.ts";
import { inReaderLanguage } from "./in-reader-language.ts";
import type { LogChannel } from "./log.ts";
import { showError } from "./notify.ts";

export async function reportError(error: unknown, log: LogChannel): Promise<void> {
  if (error instanceof vscode.CancellationError) return;
  if (error instanceof Error && error.name === "AbortError") return;
  if (isHumanError(error)) {
    void showError(error.asMessage === undefined ? error.message : inReaderLanguage(error.asMessage));
    return;
  }
  log.error("Something that was asked for could not be done.", error);
  const openLog = vscode.l10n.t("Open Log");
  const chosen = await showError(vscode.l10n.t("Something went wrong in Patchbay."), openLog);
  if (chosen === openLog) log.show();
}
