// The editors that a person sees, without the boxes of comment threads: VS Code has one for each thread in sight, whether
// anything is asked in it or not, and takes it for the active editor while somebody writes in it.
import * as vscode from "vscode";

/** The scheme of the boxes' own documents. */
const boxScheme = "comment";

export const notABox = (editor: vscode.TextEditor | undefined): vscode.TextEditor | undefined =>
  editor?.document.uri.scheme === boxScheme ? undefined : editor;

export const visibleEditors = (): readonly vscode.TextEditor[] =>
  vscode.window.visibleTextEditors.filter((editor) => notABox(editor) !== undefined);

/** The one that was used last; while a box has the focus, one in sight. */
export const editorInUse = (): vscode.TextEditor | undefined =>
  notABox(vscode.window.activeTextEditor) ?? visibleEditors()[0];

/** Two hundred threads are no two hundred changes of what can be seen. */
export function onDidChangeVisibleEditors(
  changed: (editors: readonly vscode.TextEditor[]) => void,
): vscode.Disposable {
  let before = visibleEditors();
  return vscode.window.onDidChangeVisibleTextEditors(() => {
    const now = visibleEditors();
    if (now.length === before.length && now.every((editor, at) => editor === before[at])) return;
    before = now;
    changed(now);
  });
}
