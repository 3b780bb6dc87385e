// Texts of ours that are read in an editor like any file: reports, figures, tables.
import * as vscode from "vscode";
import { createTextDocuments } from "./text-documents.ts";

export interface ReadOnlyDocuments extends vscode.Disposable {
  /** `type` is a file ending: it decides the language. */
  show(title: string, type: "md" | "json" | "txt", text: string): Promise<void>;
}

export function createReadOnlyDocuments(): ReadOnlyDocuments {
  const documents = createTextDocuments("patchbay-view");
  return {
    async show(title, type, text) {
      const uri = documents.add(title, type, { text });
      if (type === "md") await vscode.commands.executeCommand("markdown.showPreview", uri);
      else await vscode.window.showTextDocument(uri, { preview: true });
    },
    dispose: () => documents.dispose(),
  };
}
