// Once the change at the cursor is decided, the cursor goes to the next one of the same editor that is not: a review is
// read downwards. No editor is opened for it.
import * as vscode from "vscode";
import type { ReviewModel } from "./review-model.ts";
import { schemes } from "./shown-change.ts";

type Asked = Pick<ReviewModel, "find" | "placesOf" | "hunksIn">;

interface Undecided {
  readonly hunk: string;
  readonly line: number;
}

/** To be called before the decision, which moves lines; answers what to do after it. */
export function nextHunkFrom(editor: vscode.TextEditor, decided: readonly string[], desk: Asked): () => void {
  const { line } = editor.selection.active;
  const left = undecidedIn(editor.document, desk).filter(({ hunk }) => !decided.includes(hunk));
  const wanted = left.find((each) => each.line >= line) ?? left[0];
  return () => {
    const next = undecidedIn(editor.document, desk).find(({ hunk }) => hunk === wanted?.hunk) ?? wanted;
    if (next === undefined) return;
    const at = new vscode.Position(Math.min(next.line, editor.document.lineCount - 1), 0);
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  };
}

function undecidedIn(document: vscode.TextDocument, desk: Asked): readonly Undecided[] {
  const { scheme, query } = document.uri;
  if (scheme !== schemes.base && scheme !== schemes.review)
    return desk.hunksIn(document).map(({ place }) => ({ hunk: place.hunk, line: place.before.first }));
  const file = desk.find(query);
  if (file === undefined) return [];
  const side = scheme === schemes.base ? "before" : "after";
  return desk.placesOf(file).map((place) => ({ hunk: place.hunk, line: place[side].first }));
}
