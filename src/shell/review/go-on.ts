// Once the change at the cursor is decided, the cursor goes to the next one of the same editor that is not: a review is
// read downwards. No editor is opened for it.
import * as vscode from "vscode";
import type { Desk } from "./desk.ts";
import { schemes } from "./shown-change.ts";
import { placesIn } from "./sides.ts";

interface Undecided {
  readonly hunk: string;
  readonly line: number;
}

/** To be called before the decision, which moves lines; answers what to do after it. */
export function goOnFrom(
  editor: vscode.TextEditor,
  decided: readonly string[],
  desk: Pick<Desk, "find" | "pending" | "isSettled" | "hunksIn">,
): () => void {
  const { line } = editor.selection.active;
  const left = undecidedIn(editor.document, desk).filter(({ hunk }) => !decided.includes(hunk));
  const next = left.find((each) => each.line >= line) ?? left[0];
  return () => {
    if (next === undefined) return;
    const at = new vscode.Position(Math.min(next.line, editor.document.lineCount - 1), 0);
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  };
}

function undecidedIn(
  document: vscode.TextDocument,
  desk: Pick<Desk, "find" | "pending" | "isSettled" | "hunksIn">,
): readonly Undecided[] {
  const { scheme, query: call, path } = document.uri;
  if (scheme !== schemes.base && scheme !== schemes.review)
    return desk.hunksIn(document).map(({ place }) => ({ hunk: place.hunk, line: place.before.first }));
  const shown = desk.find(call, path.slice(1));
  if (shown === undefined || !desk.pending.some((patch) => patch.call === call)) return [];
  const side = scheme === schemes.base ? "before" : "after";
  return placesIn(shown.change, shown.path, shown.takes)
    .filter(({ hunk }) => !desk.isSettled(call, hunk))
    .map((place) => ({ hunk: place.hunk, line: place[side].first }));
}
