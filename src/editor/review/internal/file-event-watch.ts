// Notices from the editor's events that a file was changed by Undo or Redo, created, deleted or moved.
import * as vscode from "vscode";
import type { FileName } from "../../../patch/model.ts";
import { toFileName } from "../../workspace/file-uris.ts";

/**
 * Detects the editor's Undo and Redo from outside: text changes caused by them, and files that were created, deleted or
 * moved, which Undo does too. Reports only where; what it means is determined elsewhere.
 */
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
