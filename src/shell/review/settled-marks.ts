// What was decided already of a patch that still waits, said on the proposed side: the text there does not show what was
// accepted, and not at all what was rejected.
import * as vscode from "vscode";
import type { Desk } from "./desk.ts";
import { schemes } from "./shown-change.ts";

export interface SettledMarks extends vscode.Disposable {
  refresh(): void;
}

type Asked = Pick<Desk, "find" | "placesOf" | "isSettled" | "takes">;

export function createSettledMarks(desk: Asked): SettledMarks {
  const mark = vscode.window.createTextEditorDecorationType({
    after: { margin: "0 0 0 2em", color: new vscode.ThemeColor("descriptionForeground") },
  });
  const show = (editor: vscode.TextEditor) => {
    if (editor.document.uri.scheme === schemes.review)
      editor.setDecorations(mark, marksIn(editor.document, desk));
  };
  const refresh = () => vscode.window.visibleTextEditors.forEach(show);
  const listening = vscode.Disposable.from(
    vscode.window.onDidChangeVisibleTextEditors(refresh),
    // What was rejected leaves the text a moment after the decision.
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === schemes.review) refresh();
    }),
  );
  return {
    refresh,
    dispose: () => vscode.Disposable.from(listening, mark).dispose(),
  };
}

function marksIn(document: vscode.TextDocument, desk: Asked): vscode.DecorationOptions[] {
  const { query: call, path } = document.uri;
  const shown = desk.find(call, path.slice(1));
  const places = shown === undefined ? [] : desk.placesOf(shown);
  return places
    .filter(({ hunk }) => desk.isSettled(call, hunk))
    .map(({ hunk, after }) => {
      const { end } = document.lineAt(Math.min(after.first, document.lineCount - 1)).range;
      const contentText = desk.takes(call, hunk)
        ? `✓ ${vscode.l10n.t("accepted")}`
        : `✕ ${vscode.l10n.t("rejected")}`;
      return { range: new vscode.Range(end, end), renderOptions: { after: { contentText } } };
    });
}
