// What a person should know about where they are: it stands above the question box.
import * as vscode from "vscode";

export function placeNotices(): string[] {
  const t = vscode.l10n.t;
  if (!vscode.workspace.isTrusted)
    return [
      t(
        "Restricted Mode: until you trust this folder the model reads none of its files and changes nothing.",
      ),
    ];
  if (vscode.workspace.workspaceFolders === undefined)
    return [t("No folder is open: there are no files for the model to read or change.")];
  return [];
}
