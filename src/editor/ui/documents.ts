// Our own texts as documents: read-only, as a new document, or saved to a file.
import * as vscode from "vscode";
import { showInformation } from "../notify.ts";

const kept = 50;

interface TextDocuments<Item> extends vscode.Disposable {
  /** `ending`: a file extension, which determines the language. */
  add(title: string, ending: string, item: Item): vscode.Uri;
  of(uri: vscode.Uri | undefined): Item | undefined;
}

/**
 * Provides texts as read-only documents. The newest are kept, whether or not their tabs are open; VS Code itself holds
 * what it has read.
 */
export function createTextDocuments<Item extends { readonly text: string }>(
  scheme: string,
): TextDocuments<Item> {
  const items = new Map<string, Item>();
  // A tab that has survived a reload holds on to its old text, so no later document may have its URL.
  let count = Date.now();
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (uri) =>
      items.get(uri.toString())?.text ?? vscode.l10n.t("This text is no longer available."),
  });
  return {
    add(title, ending, item) {
      count += 1;
      const path = `/${title.replace(/[\\/?#]/g, "-")}.${ending}`;
      const uri = vscode.Uri.from({ scheme, path, query: String(count) });
      items.set(uri.toString(), item);
      for (const oldest of [...items.keys()].slice(0, -kept)) items.delete(oldest);
      return uri;
    },
    of: (uri) => (uri === undefined ? undefined : items.get(uri.toString())),
    dispose: () => provider.dispose(),
  };
}

export interface ReadOnlyDocuments extends vscode.Disposable {
  /** `type` is a file extension, which determines the language. */
  show(title: string, type: "md" | "json" | "txt", text: string): Promise<void>;
}

/** Opens reports, figures and tables as read-only documents. */
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

/** Opens a new document with exactly this content. */
export async function newDocument(content: string, language?: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument({
    content,
    ...(language !== undefined && { language }),
  });
  await replaceBackup(document, content);
  return document;
}

/**
 * A new document may get the name of a closed one, and with it the backup that VS Code has not deleted yet: replaces
 * the restored text.
 */
export async function replaceBackup(document: vscode.TextDocument, content: string): Promise<void> {
  const plain = (text: string) => text.replace(/\r\n?/g, "\n");
  if (plain(document.getText()) === plain(content)) return;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, document.validateRange(new vscode.Range(0, 0, document.lineCount, 0)), content);
  await vscode.workspace.applyEdit(edit);
}

/** Saves a file for the user: asks where, and reports where it is. */
export async function saveAs(name: string, bytes: Uint8Array): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
    title: vscode.l10n.t("Export"),
  });
  if (target === undefined) return;
  await vscode.workspace.fs.writeFile(target, bytes);
  const show = vscode.l10n.t("Open");
  const chosen = await showInformation(
    vscode.l10n.t("Saved as {0}.", vscode.workspace.asRelativePath(target)),
    show,
  );
  if (chosen === show) await vscode.window.showTextDocument(target);
}
