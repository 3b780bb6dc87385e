// Whether VS Code would let a person write here: what the file system says, and what the user's settings say.

import * as vscode from "vscode";
import { type Message, message } from "../../core/messages/message.ts";

/** Why a file cannot be written. */
export function refuseReadOnly(uri: vscode.Uri, isWritable: boolean): Message | undefined {
  const name = vscode.workspace.asRelativePath(uri);
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false)
    return message("editsFixedDisk", { name });
  if (!isWritable) return message("editsReadOnly", { name });
  return isReadOnlyBySettings(uri) ? message("editsReadOnlySetting", { name }) : undefined;
}

function isReadOnlyBySettings(uri: vscode.Uri): boolean {
  const configuration = vscode.workspace.getConfiguration("files", uri);
  const matches = (key: string) =>
    Object.entries(configuration.get<Record<string, unknown>>(key) ?? {}).some(
      ([glob, on]) => on === true && isMatch(glob, uri),
    );
  return matches("readonlyInclude") && !matches("readonlyExclude");
}

/** Matching needs a document, but only its address. */
function isMatch(glob: string, uri: vscode.Uri): boolean {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const patterns = folder === undefined ? [glob] : [glob, new vscode.RelativePattern(folder, glob)];
  const document = { uri, languageId: "plaintext", notebook: undefined } as unknown as vscode.TextDocument;
  return patterns.some((pattern) => vscode.languages.match({ pattern }, document) > 0);
}
