// What has been changed since the last commit, from VS Code's own Git extension.
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { HumanError } from "../../core/util/human-error.ts";

/** As much of the Git extension's interface (version 1) as is used here. */
interface GitRepository {
  readonly rootUri: vscode.Uri;
  diff(cached?: boolean): Promise<string>;
}
interface GitExtension {
  getAPI(version: 1): { readonly repositories: readonly GitRepository[] };
}

export async function pickDiff(): Promise<readonly Attachment[]> {
  const repository = await gitRepository();
  const choices = [
    { label: vscode.l10n.t("Staged changes"), staged: true },
    { label: vscode.l10n.t("Unstaged changes"), staged: false },
  ];
  const title = vscode.l10n.t("Attach a Diff");
  const picked = await vscode.window.showQuickPick(choices, { title });
  if (picked === undefined) return [];
  return [{ kind: "diff", name: picked.label, text: await repository.diff(picked.staged) }];
}

/** The one that is open; a person chooses where there are several. */
export async function gitRepository(): Promise<GitRepository> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  const repositories = (await extension?.activate())?.getAPI(1).repositories ?? [];
  const [only, ...others] = repositories;
  if (only === undefined) throw new HumanError(vscode.l10n.t("No Git repository is open."));
  if (others.length === 0) return only;
  const items = repositories.map((repository) => ({ label: repository.rootUri.path, repository }));
  const title = vscode.l10n.t("Which Repository?");
  const picked = await vscode.window.showQuickPick(items, { title });
  if (picked === undefined) throw new vscode.CancellationError();
  return picked.repository;
}
