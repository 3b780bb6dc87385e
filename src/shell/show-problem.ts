// A problem of the service outside the chat: its sentence, and the one command that helps.
import * as vscode from "vscode";
import type { Problem } from "../core/conversation/problem.ts";
import { commands } from "./manifest.ts";

export async function showProblem({ message, kind }: Problem): Promise<void> {
  const isKey = kind === "auth" || kind === "no-key";
  const [button, command] = isKey
    ? [vscode.l10n.t("Set API Key…"), commands.setKey]
    : [vscode.l10n.t("Manage Connection…"), commands.manageConnection];
  if ((await vscode.window.showErrorMessage(message, button)) === button)
    await vscode.commands.executeCommand(command);
}
