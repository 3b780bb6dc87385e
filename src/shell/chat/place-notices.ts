// What a person should know about where they are, and about what is written down: it stands above the question box.

import * as vscode from "vscode";
import { type Message, message } from "../../core/messages/message.ts";
import type { Settings } from "../settings.ts";

type Noted = Pick<Settings, "service" | "unusableProfile" | "defaultModel" | "languageModel">;

export function placeNotices({ service, unusableProfile, defaultModel, languageModel }: Noted): Message[] {
  const model = defaultModel();
  // Requirements M6: what nobody knows is told, and asked all the same.
  const isUnknown = model !== "" && !languageModel.models().some(({ id }) => id === model);
  return [
    // Requirements N5: nobody forgets it.
    ...(service().trace === "bodies" ? [message("placeTraced")] : []),
    ...unusableProfile().map((name) => message("placeProfile", { name })),
    ...(isUnknown ? [message("placeModel", { model })] : []),
    ...ofPlace(),
  ];
}

function ofPlace(): Message[] {
  if (!vscode.workspace.isTrusted) return [message("placeRestricted")];
  if (vscode.workspace.workspaceFolders === undefined) return [message("placeNoFolder")];
  return [];
}
