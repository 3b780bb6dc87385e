// A plan's changes as one WorkspaceEdit with the smallest ranges. Texts come first: they are the only step that a
// typing person can make fail, and while they are first nothing has happened yet when they do. Decides nothing.
import * as vscode from "vscode";
import type { LineEdit } from "../../core/patch/model.ts";
import type { PreEditState } from "./pre-edit-state.ts";

export function toWorkspaceEdit(states: readonly PreEditState[], label: string): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  const metadata = { label, needsConfirmation: false };
  for (const { change, document } of states) {
    if (document === undefined || !("edits" in change)) continue;
    for (const { range, newText } of textEdits(document, change.edits))
      edit.replace(document.uri, range, newText, metadata);
  }
  for (const { change, uri, to, contents } of states) {
    if (change.kind === "delete") edit.deleteFile(uri, {}, metadata);
    if (to !== undefined) edit.renameFile(uri, to, { overwrite: false }, metadata);
    if (contents !== undefined) edit.createFile(uri, { overwrite: false, contents }, metadata);
  }
  return edit;
}

export function textEdits(document: vscode.TextDocument, edits: readonly LineEdit[]): vscode.TextEdit[] {
  return edits.map((edit) => {
    const { start, end, text } = smallest(edit);
    return vscode.TextEdit.replace(
      new vscode.Range(document.positionAt(start), document.positionAt(end)),
      text,
    );
  });
}

/** Without what stays as it is at both ends: a cursor in a line keeps its place when the line's end is changed. */
export function smallest({
  start,
  end,
  removed,
  text,
}: Pick<LineEdit, "start" | "end" | "removed" | "text">) {
  const most = Math.min(removed.length, text.length);
  let head = 0;
  while (head < most && removed[head] === text[head]) head += 1;
  if (isInside(removed, head) || isInside(text, head)) head -= 1;
  let tail = 0;
  while (tail < most - head && removed.at(-1 - tail) === text.at(-1 - tail)) tail += 1;
  if (isInside(removed, removed.length - tail) || isInside(text, text.length - tail)) tail -= 1;
  return { start: start + head, end: end - tail, text: text.slice(head, text.length - tail) };
}

/** Between the two halves of a character or of a line end. */
function isInside(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  const isPair = before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
  return isPair || (before === 13 && after === 10);
}
