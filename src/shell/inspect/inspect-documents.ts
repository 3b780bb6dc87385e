// Requests and replies as documents that can be read and searched, and not typed into. Each knows the request it shows,
// so that it can be copied as a command or sent again with changes.
import * as vscode from "vscode";
import type { Composed } from "../../core/api/compose.ts";

export const inspectScheme = "patchbay-inspect";
const kept = 50;

export interface Inspected {
  readonly text: string;
  /** The file ending, which decides the language; JSON with comments unless given. */
  readonly type?: "md" | "ts";
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
  const all = new Map<string, Inspected>();
  let count = 0;
  const provider = vscode.workspace.registerTextDocumentContentProvider(inspectScheme, {
    provideTextDocumentContent: (uri) =>
      all.get(uri.toString())?.text ?? vscode.l10n.t("This text is no longer kept."),
  });
  function add(title: string, inspected: Inspected): vscode.Uri {
    count += 1;
    const path = `/${title.replace(/[\\/?#]/g, "-")}.${inspected.type ?? "jsonc"}`;
    const uri = vscode.Uri.from({ scheme: inspectScheme, path, query: String(count) });
    all.set(uri.toString(), inspected);
    for (const oldest of [...all.keys()].slice(0, -kept)) all.delete(oldest);
    return uri;
  }
  return {
    add,
    async show(title, inspected) {
      await vscode.window.showTextDocument(add(title, inspected), { preview: true });
    },
    of: (uri) => (uri === undefined ? undefined : all.get(uri.toString())),
    dispose: () => provider.dispose(),
  };
}
