// Requests and replies as documents that can be read and searched, and not typed into. Each knows the request it shows,
// so that it can be copied as a command or sent again with changes.
import * as vscode from "vscode";
import type { Composed } from "../../core/api/request.ts";
import { createTextDocuments } from "../text-documents.ts";

export const inspectScheme = "patchbay-inspect";

export interface Inspected {
  readonly text: string;
  /** The file ending, which decides the language; JSON with comments unless given. */
  readonly type?: "md";
  /** The first request in it. */
  readonly composed?: Composed | undefined;
  /** The turn it is about. */
  readonly turn?: string | undefined;
}

export interface InspectDocuments extends vscode.Disposable {
  add(title: string, inspected: Inspected): vscode.Uri;
  show(title: string, inspected: Inspected): Promise<void>;
  of(uri: vscode.Uri | undefined): Inspected | undefined;
}

export function createInspectDocuments(): InspectDocuments {
  const documents = createTextDocuments<Inspected>(inspectScheme);
  const add = (title: string, inspected: Inspected): vscode.Uri =>
    documents.add(title, inspected.type ?? "jsonc", inspected);
  return {
    add,
    async show(title, inspected) {
      await vscode.window.showTextDocument(add(title, inspected), { preview: true });
    },
    of: documents.of,
    dispose: () => documents.dispose(),
  };
}
