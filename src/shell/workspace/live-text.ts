// The text of a file as a person has it now: the open document with its unsaved changes, else the file, read the way
// VS Code would open it. Opening a document for every file that is looked through would wake every language server.
import * as vscode from "vscode";
import type { Reading } from "../../core/patch/model.ts";

export async function liveText(uri: vscode.Uri): Promise<Reading> {
  const name = uri.toString();
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === name);
  if (open !== undefined) return { kind: "text", text: open.getText(), version: open.version };
  const bytes = await vscode.workspace.fs.readFile(uri);
  const text = await decoded(bytes, uri);
  // Encodings with NUL bytes decode to text without them; what still holds one is no text.
  if (text === undefined || text.includes("\0")) return { kind: "binary" };
  return { kind: "text", text: withOneLineEnd(text), version: 0 };
}

/** Nothing where VS Code sees at the first bytes that this is no text. */
function decoded(bytes: Uint8Array, uri: vscode.Uri): Thenable<string | undefined> {
  return vscode.workspace.decode(bytes, { uri }).then(
    (text) => text,
    (error: unknown) => {
      if (typeof error === "object" && error !== null && "decodeStreamErrorKind" in error) return undefined;
      throw error;
    },
  );
}

/** A document has one kind of line end, the one that most lines have; VS Code changes the others when it opens a file. */
export function withOneLineEnd(text: string): string {
  const count = (end: string) => {
    let found = 0;
    for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end, at + end.length)) found++;
    return found;
  };
  const [feeds, returns, both] = [count("\n"), count("\r"), count("\r\n")];
  const kept = returns > (feeds + returns - both) / 2 ? "\r\n" : "\n";
  const others = kept === "\n" ? returns : feeds + returns - 2 * both;
  return others === 0 ? text : text.replace(/\r\n|\r|\n/g, kept);
}
