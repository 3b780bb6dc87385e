// The editor's own Undo and Redo, as far as they are seen from outside: texts that one of them has changed, and files
// that came, went or moved, as Undo makes them do too. Says where; what it means is found out elsewhere.
import * as vscode from "vscode";
import type { FileName } from "../../core/patch/model.ts";
import { toFileName } from "../workspace/file-uris.ts";

export function watchEditorUndo(tell: (file: FileName, by?: "undo" | "redo") => unknown): vscode.Disposable {
  const notice = (uris: readonly vscode.Uri[], by?: "undo" | "redo") => {
    for (const file of uris.map(toFileName)) if (file !== undefined) void tell(file, by);
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document, reason }) => {
      const isUndo = reason === vscode.TextDocumentChangeReason.Undo;
      if (reason !== undefined) notice([document.uri], isUndo ? "undo" : "redo");
    }),
    vscode.workspace.onDidCreateFiles(({ files }) => notice(files)),
    vscode.workspace.onDidDeleteFiles(({ files }) => notice(files)),
    vscode.workspace.onDidRenameFiles(({ files }) => notice(files.map(({ newUri }) => newUri))),
  );
}
