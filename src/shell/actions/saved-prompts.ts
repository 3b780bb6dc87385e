// The user's own ways to ask, and those of the workspace, run on what is selected. What a workspace's prompt says is
// shown in the chat before its first use; that is the core's rule, and nothing here goes around it.
import * as vscode from "vscode";
import type { SavedPrompt } from "../../core/conversation/saved-prompt.ts";
import type { Session } from "../../core/session/session.ts";
import type { WorkspacePrompts } from "../../core/session/workspace-prompts.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { showInformation } from "../notify.ts";
import { type Ask, labelOf, refuseWithoutTrust } from "./ask.ts";
import { surroundingsOf } from "./code-surroundings.ts";

export interface SavedPromptDeps {
  readonly ask: Ask;
  session(): Pick<Session, "commands">;
  readonly prompts: Pick<WorkspacePrompts, "look">;
  /** For tests: what a person picks. */
  readonly pick?: (rows: readonly PromptRow[]) => Thenable<PromptRow | undefined>;
}

export interface PromptRow extends vscode.QuickPickItem {
  readonly saved: SavedPrompt;
}

export function createSavedPrompts({ ask, session, prompts, pick = pickPrompt }: SavedPromptDeps) {
  return async (): Promise<void> => {
    refuseWithoutTrust();
    await prompts.look();
    const rows = session()
      .commands.filter(({ origin }) => origin !== "built-in")
      .map(rowOf);
    if (rows.length === 0) return tellWhere();
    const picked = await pick(rows);
    if (picked === undefined) return;
    const { name } = picked.saved;
    const editor = vscode.window.activeTextEditor;
    const place = editor && { document: editor.document, range: editor.selection };
    const companions = place === undefined ? [] : await surroundingsOf(place, { problems: false });
    const prompt = labelOf(companions[0]?.attachment);
    await ask({ title: `/${name}`, command: name, prompt, companions });
  };
}

function rowOf(saved: SavedPrompt): PromptRow {
  const t = vscode.l10n.t;
  const description = saved.origin === "user" ? t("yours") : t("from this workspace");
  return {
    saved,
    label: `/${saved.name}`,
    description,
    detail: typeof saved.detail === "string" ? saved.detail : inReaderLanguage(saved.detail),
  };
}

const pickPrompt = (rows: readonly PromptRow[]) =>
  vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t("Run Custom Command"),
    matchOnDescription: true,
    matchOnDetail: true,
  });

function tellWhere(): void {
  const t = vscode.l10n.t;
  const settings = t("Open Settings");
  const notice = showInformation(
    t("There are no custom commands yet. Add them in the settings or in .patchbay/prompts."),
    settings,
  );
  notice.then(
    (chosen) =>
      chosen === settings &&
      vscode.commands.executeCommand("workbench.action.openSettings", "patchbay.prompts"),
    () => undefined,
  );
}
