// A problem of the service outside the chat: its sentence, and the one command that helps. The page has its cards.
import * as vscode from "vscode";
import { type Problem, sentencesOf } from "../core/conversation/problem.ts";
import { inReaderLanguage } from "./in-reader-language.ts";
import { commands } from "./manifest.ts";
import { showError } from "./notify.ts";

export async function showProblem(problem: Problem): Promise<void> {
  const [button, command] = wayOut(problem.kind);
  const words = sentencesOf(problem).map(inReaderLanguage).join(" ");
  if ((await showError(words, button)) === button) await vscode.commands.executeCommand(command);
}

function wayOut(kind: Problem["kind"]): readonly [button: string, command: string] {
  const t = vscode.l10n.t;
  if (kind === "auth") return [t("Replace API Key…"), commands.setKey];
  if (kind === "no-key") return [t("Set API Key…"), commands.setKey];
  if (kind === "bug") return [t("Open Log"), commands.showLog];
  return [t("Manage Connection…"), commands.manageConnection];
}
