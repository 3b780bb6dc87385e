// The menu of the status bar: commands about tokens, and about what is running or pending.
import * as vscode from "vscode";
import type { Session } from "../../session/session.ts";
import type { OtherActivity } from "../../session/session-registry.ts";
import { commands, focusOf, views } from "../manifest.ts";

interface StatusMenuDeps {
  session(): Pick<Session, "isRunning" | "draft" | "choices">;
  /** Number of pending changes. */
  toReview(): number;
  /** Number of conversations that are running. */
  runs(): number;
  /** Activity in conversations that are not in use here. */
  others(): OtherActivity;
}

interface Entry extends vscode.QuickPickItem {
  readonly command?: string;
}

/** The list shows which ones they are. */
const showList = focusOf(views.conversations);

export function createStatusMenu({ session, toReview, runs, others }: StatusMenuDeps) {
  const t = vscode.l10n.t;

  function entries(): Entry[] {
    const isRunning = session().isRunning;
    const { waiting, failed } = others();
    const hasDraft = session().draft.contents.length > 0;
    const hasEditor = vscode.window.activeTextEditor !== undefined;
    const { isTrusted } = vscode.workspace;
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
      ...entry("beaker", t("Compare Models on This Repository…"), commands.compareModels, isTrusted),
      ...entry("settings-gear", t("Connection…"), commands.connection),
    ];
  }

  return {
    async [commands.statusMenu](): Promise<void> {
      const picked = await vscode.window.showQuickPick(entries(), { title: "Patchbay" });
      if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command);
    },
  };
}
