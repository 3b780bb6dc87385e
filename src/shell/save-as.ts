// A file that a person asked for: they say where, and are told where it is.
import * as vscode from "vscode";
import { showInformation } from "./notify.ts";

export async function saveAs(name: string, bytes: Uint8Array): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
    title: vscode.l10n.t("Export"),
  });
  if (target === undefined) return;
  await vscode.workspace.fs.writeFile(target, bytes);
  const show = vscode.l10n.t("Open");
  const chosen = await showInformation(
    vscode.l10n.t("Saved as {0}.", vscode.workspace.asRelativePath(target)),
    show,
  );
  if (chosen === show) await vscode.window.showTextDocument(target);
}
