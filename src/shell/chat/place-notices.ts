// What a person should know about where they are, and about what is written down: it stands above the question box.
import * as vscode from "vscode";
import type { Settings } from "../settings.ts";

type Noted = Pick<Settings, "service" | "defaultModel" | "languageModel">;

export function placeNotices({ service, defaultModel, languageModel }: Noted): string[] {
  const t = vscode.l10n.t;
  const model = defaultModel();
  // Requirements M6: what nobody knows is told, and asked all the same.
  const isUnknown = model !== "" && !languageModel.models().some(({ id }) => id === model);
  return [
    // Requirements N5: nobody forgets it.
    ...(service().trace === "bodies"
      ? [t("patchbay.trace: every request and every reply is written to the Patchbay log.")]
      : []),
    ...(isUnknown
      ? [t("patchbay.model.default: {0} is none of the known models; it is asked as one that chats.", model)]
      : []),
    ...ofPlace(t),
  ];
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
