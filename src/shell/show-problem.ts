// A problem outside the chat: its sentences, and the one command that helps, or a yes that it waits for. The page has
// its cards.
import * as vscode from "vscode";
import { type Problem, type ProblemAction, sentencesOf } from "../core/conversation/problem.ts";
import { inReaderLanguage } from "./in-reader-language.ts";
import { commands } from "./manifest.ts";
import { showError, showWarning } from "./notify.ts";

export async function showProblem(problem: Problem): Promise<void> {
  const [button, command] = wayOut(problem.kind);
  if ((await showError(problemInWords(problem), button)) === button)
    await vscode.commands.executeCommand(command);
}

/** What went wrong, with all that helps to understand it. */
export const problemInWords = (problem: Problem): string =>
  sentencesOf(problem).map(inReaderLanguage).join(" ");

/** What has to be said yes to before it is sent: no answer is a no. */
export async function askToSend(title: string, question: Problem): Promise<ProblemAction> {
  const send = vscode.l10n.t("Send");
  const chosen = await showWarning(`${title}: ${problemInWords(question)}`, send);
  return chosen === send ? "send-anyway" : "keep-draft";
}

function wayOut(kind: Problem["kind"]): readonly [button: string, command: string] {
  const t = vscode.l10n.t;
  if (kind === "auth") return [t("Replace API Key…"), commands.setKey];
  if (kind === "no-key") return [t("Set API Key…"), commands.setKey];
  if (kind === "bug") return [t("Open Log"), commands.showLog];
  return [t("Connection and Settings…"), commands.manageConnection];
}
