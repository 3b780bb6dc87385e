// What has been changed since the last commit: all that is staged, all that is not, or of single files.
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { gitRepository } from "../git.ts";

export async function pickDiff(): Promise<readonly Attachment[]> {
  const repository = await gitRepository(vscode.window.activeTextEditor?.document.uri);
  const choices = [
    { label: vscode.l10n.t("Staged changes"), staged: true },
    { label: vscode.l10n.t("Unstaged changes"), staged: false },
  ];
  const title = vscode.l10n.t("Add Changes");
  const picked = await vscode.window.showQuickPick(choices, { title });
  if (picked === undefined) return [];
  return [{ kind: "diff", name: picked.label, text: await repository.diff(picked.staged) }];
}
