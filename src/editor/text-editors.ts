// The editors the user sees, without the input boxes of comment threads. VS Code has such an editor for each visible
// thread, whether or not it is in use, and reports it as the active editor while the user types in it.
import * as vscode from "vscode";

/** The scheme of the input boxes' documents. */
const boxScheme = "comment";

export const unlessInputBox = (editor: vscode.TextEditor | undefined): vscode.TextEditor | undefined =>
  editor?.document.uri.scheme === boxScheme ? undefined : editor;

/** What is typed in the input box that has the focus. */
export function textInInput(): string | undefined {
  const active = vscode.window.activeTextEditor;
  return active?.document.uri.scheme === boxScheme ? active.document.getText().trim() : undefined;
}

export const visibleEditors = (): readonly vscode.TextEditor[] =>
  vscode.window.visibleTextEditors.filter((editor) => unlessInputBox(editor) !== undefined);

/** The editor used last; while an input box has the focus, a visible one. */
export const editorInUse = (): vscode.TextEditor | undefined =>
  unlessInputBox(vscode.window.activeTextEditor) ?? visibleEditors()[0];

/** Like VS Code's event, but does not fire when only input boxes change: there may be hundreds of threads. */
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
