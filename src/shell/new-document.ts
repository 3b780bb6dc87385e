// A new document that holds these words and no others.
import * as vscode from "vscode";

export async function newDocument(content: string, language?: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument({
    content,
    ...(language !== undefined && { language }),
  });
  await holdOnly(document, content);
  return document;
}

/**
 * A new document gets the name of one that was closed, and with it the words that VS Code has backed up of that one, until
 * it has come to deleting them.
 */
export async function holdOnly(document: vscode.TextDocument, content: string): Promise<void> {
  const plain = (text: string) => text.replace(/\r\n?/g, "\n");
  if (plain(document.getText()) === plain(content)) return;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, document.validateRange(new vscode.Range(0, 0, document.lineCount, 0)), content);
  await vscode.workspace.applyEdit(edit);
}
