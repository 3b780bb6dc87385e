// What a person should know about where they are, and about what is written down: it stands above the question box.
import * as vscode from "vscode";
import type { Settings } from "../settings.ts";

export function placeNotices({ service }: Pick<Settings, "service">): string[] {
  const t = vscode.l10n.t;
  if (service().trace !== "bodies") return ofPlace(t);
  // Requirements N5: nobody forgets it.
  const trace = t("patchbay.trace: every request and every reply is written to the Patchbay log.");
  return [trace, ...ofPlace(t)];
}

function ofPlace(t: typeof vscode.l10n.t): string[] {
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
