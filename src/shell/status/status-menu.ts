// What a click on the status bar offers: the commands that are about tokens, and those about what runs or waits.
import * as vscode from "vscode";
import type { Session } from "../../core/session/session.ts";
import type { OtherActivity } from "../../core/session/session-registry.ts";
import { commands, focusOf, views } from "../manifest.ts";

export interface StatusMenuDeps {
  session(): Pick<Session, "isRunning" | "draft" | "choices">;
  /** Changes that wait for a review. */
  toReview(): number;
  /** In how many conversations something runs. */
  runs(): number;
  /** What goes on in conversations that are not in use here. */
  others(): OtherActivity;
}

interface Entry extends vscode.QuickPickItem {
  readonly command?: string;
}

/** Their rows there say which they are. */
const showList = focusOf(views.conversations);

export function createStatusMenu({ session, toReview, runs, others }: StatusMenuDeps) {
  const t = vscode.l10n.t;

  function entries(): Entry[] {
    const isRunning = session().isRunning;
    const { waiting, failed } = others();
    const hasDraft = session().draft.contents.length > 0;
    const hasEditor = vscode.window.activeTextEditor !== undefined;
    const isResponses = session().choices.route === "responses";
    const entry = (icon: string, label: string, command: string, isThere = true): Entry[] =>
      isThere ? [{ label: `$(${icon}) ${label}`, command }] : [];
    return [
      ...entry("debug-stop", t("Stop the response"), commands.stop, isRunning),
      ...entry("debug-stop", t("Stop All Responses"), commands.stopAll, runs() > (isRunning ? 1 : 0)),
      ...entry("diff-multiple", t("Review pending changes"), commands.openReview, toReview() > 0),
      ...entry("bell", t("Other conversations to review"), showList, waiting > 0),
      ...entry("error", t("Other conversations that failed"), showList, failed > 0),
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
