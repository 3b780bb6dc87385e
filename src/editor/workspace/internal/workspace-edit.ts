// Converts a plan to one WorkspaceEdit with minimal ranges. Texts come first: they are the only step that can fail
// because the user types, and while they are first, nothing has happened yet when they do. Makes no decisions.
import * as vscode from "vscode";
import { applyEdits, smallest } from "../../../patch/edits.ts";
import type { LineEdit } from "../../../patch/model.ts";
import { addNotebookEdits } from "./notebooks.ts";
import type { PreEditState } from "./pre-edit-state.ts";
import type { ReturningCells } from "./removed-cells.ts";

/** `returning`: for a change that is undone or applied again. @throws MessageError */
export function toWorkspaceEdit(
  states: readonly PreEditState[],
  label: string,
  returning?: ReturningCells,
): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  const metadata = { label, needsConfirmation: false };
  for (const { change, document, notebook } of states) {
    if (notebook !== undefined && "edits" in change)
      addNotebookEdits(edit, notebook, applyEdits(change.base.text, change.edits), returning, metadata);
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
