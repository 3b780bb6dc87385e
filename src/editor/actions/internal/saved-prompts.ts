// Runs the user's saved prompts, and those of the workspace, on the selection. A workspace prompt is shown in the chat
// before its first use; the session enforces this, and nothing here bypasses it.
import * as vscode from "vscode";
import type { Session } from "../../../session/session.ts";
import type { SavedPrompt, WorkspacePrompts } from "../../../session/slash-commands.ts";
import { localize } from "../../localize.ts";
import { showInformation } from "../../notify.ts";
import { type Ask, attachmentPlace, requireTrust } from "../ask.ts";
import { surroundingsOf } from "../code-surroundings.ts";

export interface SavedPromptDeps {
  readonly ask: Ask;
  session(): Pick<Session, "commands">;
  readonly prompts: Pick<WorkspacePrompts, "look">;
  /** For tests: what the user picks. */
  readonly pick?: (rows: readonly PromptRow[]) => Thenable<PromptRow | undefined>;
}

interface PromptRow extends vscode.QuickPickItem {
  readonly saved: SavedPrompt;
}

export function createSavedPrompts({ ask, session, prompts, pick = pickPrompt }: SavedPromptDeps) {
  return async (): Promise<void> => {
    requireTrust();
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
    const companions = place === undefined ? [] : await surroundingsOf(place, { role: "asked-about" });
    const prompt = attachmentPlace(companions[0]?.attachment);
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
    detail: typeof saved.detail === "string" ? saved.detail : localize(saved.detail),
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
    t("There are no custom commands yet. Add them in the settings, .patchbay/prompts or .github/prompts."),
    settings,
  );
  notice.then(
    (chosen) =>
      chosen === settings &&
      vscode.commands.executeCommand("workbench.action.openSettings", "patchbay.prompts"),
    () => undefined,
  );
}
