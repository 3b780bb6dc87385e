// Problems and progress outside of the chat, as notifications. In the chat, cards are used.
import * as vscode from "vscode";
import { type Problem, type ProblemAction, sentencesOf } from "../../conversation/problem.ts";
import type { OpenQuestion } from "../../session/spend-guard.ts";
import { visibleName } from "../../util/hidden-characters.ts";
import { localize } from "../localize.ts";
import { type ConnectionStep, commands } from "../manifest.ts";
import { showError, showWarning, withoutLinks } from "../notify.ts";
import type { ReadOnlyDocuments } from "./documents.ts";

/** Shows a problem: its messages, and the one action that helps, or a confirmation. */
export async function showProblem(problem: Problem): Promise<void> {
  const [button, ...command] = wayOut(problem.kind);
  if ((await showError(problemInWords(problem), button)) === button)
    await vscode.commands.executeCommand(...command);
}

/** All messages of a problem. */
export const problemInWords = (problem: Problem): string => sentencesOf(problem).map(localize).join(" ");

export type AskedTexts = NonNullable<OpenQuestion["texts"]>;

/** As text and not as rendered Markdown, which could hide some of it. */
export function showAskedTexts(texts: AskedTexts, documents: ReadOnlyDocuments): Promise<void> {
  const parts = texts.map(({ path, text }) => `${visibleName(path)}\n${"─".repeat(path.length)}\n${text}\n`);
  return documents.show(vscode.l10n.t("What the model would be told"), "txt", parts.join("\n\n"));
}

/**
 * Asks for confirmation before something is sent. Dismissing the dialog counts as no, or as leaving out what it asks
 * about where the rest is sent in any case. `documents`: where the texts that it is about can be read.
 */
export async function askToSend(
  title: string,
  question: Omit<OpenQuestion, "id">,
  documents?: ReadOnlyDocuments,
): Promise<ProblemAction> {
  const send = vscode.l10n.t("Send");
  const read = vscode.l10n.t("Read Whole Text");
  const { texts } = question;
  const buttons = texts === undefined || documents === undefined ? [send] : [send, read];
  const chosen = await showWarning(`${title}: ${problemInWords(question)}`, ...buttons);
  if (chosen === read && texts !== undefined && documents !== undefined) {
    await showAskedTexts(texts, documents);
    return askToSend(title, question, documents);
  }
  if (chosen === send) return "send-anyway";
  return question.actions.includes("keep-draft") ? "keep-draft" : "leave-out";
}

function wayOut(
  kind: Problem["kind"],
): readonly [button: string, command: string, ...step: ConnectionStep[]] {
  const t = vscode.l10n.t;
  if (kind === "auth") return [t("Replace API Key…"), commands.connection, "key"];
  if (kind === "no-key") return [t("Set API Key…"), commands.connection, "key"];
  if (kind === "bug") return [t("Open Log"), commands.showLog];
  return [t("Connection…"), commands.connection];
}

/** `done`: the share that is done, from 0 to 1, if known. */
export type ReportProgress = (message: string, done?: number) => void;

/** Runs a cancellable task with a progress notification. */
export async function withProgress<T>(
  title: string,
  run: (signal: AbortSignal, tell: ReportProgress) => Promise<T>,
): Promise<T> {
  const { Notification } = vscode.ProgressLocation;
  const options = { location: Notification, title: withoutLinks(title), cancellable: true };
  return vscode.window.withProgress(options, (progress, token) => {
    const controller = new AbortController();
    token.onCancellationRequested(() => controller.abort());
    let before = 0;
    return run(controller.signal, (message, done = before) => {
      progress.report({ message: withoutLinks(message), increment: (done - before) * 100 });
      before = done;
    });
  });
}

/** Handles the buttons of a problem that the assistant does not handle, with commands of the editor. */
export function actOnProblem(action: ProblemAction): void {
  const command = commandsOf[action];
  if (command !== undefined) void vscode.commands.executeCommand(...command);
}

const step = (one: ConnectionStep): readonly [string, ConnectionStep] => [commands.connection, one];

const commandsOf: Partial<Record<ProblemAction, readonly [command: string, ...given: string[]]>> = {
  "set-base-url": step("url"),
  "set-key": step("key"),
  "proxy-help": ["workbench.action.openSettings"],
  "connection-check": step("check"),
  "detect-features": step("features"),
  "open-log": [commands.showLog],
};
