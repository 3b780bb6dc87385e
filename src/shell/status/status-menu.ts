// What a click on the status bar offers: the commands that are about tokens, and those about what runs or waits.
import * as vscode from "vscode";
import type { Session } from "../../core/session/session.ts";
import { type Command, commands } from "../manifest.ts";

export interface StatusMenuDeps {
  session(): Pick<Session, "isRunning" | "draft" | "choices">;
  /** Changes that wait for a review. */
  toReview(): number;
  /** In how many conversations something runs. */
  runs(): number;
}

interface Entry extends vscode.QuickPickItem {
  readonly command?: Command;
}

export function createStatusMenu({ session, toReview, runs }: StatusMenuDeps) {
  const t = vscode.l10n.t;

  function entries(): Entry[] {
    const isRunning = session().isRunning;
    const hasDraft = session().draft.contents.length > 0;
    const hasEditor = vscode.window.activeTextEditor !== undefined;
    const isResponses = session().choices.route === "responses";
    const entry = (icon: string, label: string, command: Command, isThere = true): Entry[] =>
      isThere ? [{ label: `$(${icon}) ${label}`, command }] : [];
    return [
      ...entry("debug-stop", t("Stop the response"), commands.stop, isRunning),
      ...entry("debug-stop", t("Stop All Responses"), commands.stopAll, runs() > (isRunning ? 1 : 0)),
      ...entry("diff-multiple", t("Review pending changes"), commands.openReview, toReview() > 0),
      ...entry("symbol-numeric", t("Count tokens…"), commands.countTokens, hasDraft || hasEditor),
      ...entry("graph", t("Show usage"), commands.showUsage),
      ...entry("watch", t("Choose the cache lifetime"), commands.pickCacheTier, isResponses),
      ...entry("symbol-misc", t("Choose the model"), commands.pickModel),
      ...entry("settings-gear", t("Manage the connection"), commands.manageConnection),
    ];
  }

  return {
    async [commands.statusMenu](): Promise<void> {
      const picked = await vscode.window.showQuickPick(entries(), { title: "Patchbay" });
      if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command);
    },
  };
}
