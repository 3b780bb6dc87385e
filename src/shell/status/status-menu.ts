// What a click on the status bar offers: the commands that are about tokens, and those about what runs or waits.
import * as vscode from "vscode";
import type { Assistant } from "../../core/assistant.ts";
import { type Command, commands } from "../manifest.ts";

export interface StatusMenuNeeds {
  readonly assistant: Pick<Assistant, "conversation" | "draftContents" | "draftParts" | "route">;
  /** Changes that wait for a review. */
  toReview(): number;
  isSelected(): boolean;
}

interface Entry extends vscode.QuickPickItem {
  readonly command?: Command;
}

export function createStatusMenu({ assistant, toReview, isSelected }: StatusMenuNeeds) {
  const t = vscode.l10n.t;

  function entries(): Entry[] {
    const isRunning = assistant.conversation.turns.at(-1)?.status === "running";
    const hasDraft = assistant.draftContents.length > 0;
    const hasEditor = vscode.window.activeTextEditor !== undefined;
    const isResponses = assistant.route === "responses";
    const entry = (icon: string, label: string, command: Command, isThere = true): Entry[] =>
      isThere ? [{ label: `$(${icon}) ${label}`, command }] : [];
    return [
      ...entry("debug-stop", t("Stop the answer"), commands.stop, isRunning),
      ...entry("diff-multiple", t("Review pending edits"), commands.openReview, toReview() > 0),
      ...entry("symbol-numeric", t("Count the selection"), commands.countSelection, isSelected()),
      ...entry("symbol-numeric", t("Count the draft"), commands.countDraft, hasDraft),
      ...entry(
        "symbol-numeric",
        t("Count each attachment"),
        commands.countParts,
        assistant.draftParts.length > 0,
      ),
      ...entry("symbol-numeric", t("Count the file"), commands.countFile, hasEditor),
      ...entry("table", t("Compare counts across models"), commands.compareCounts, hasDraft || hasEditor),
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
