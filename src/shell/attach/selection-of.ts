// What is selected in an editor, as something to attach: whole lines, or all of it where nothing is selected.
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { pathInWorkspace, textOf } from "./attach-uri.ts";

export function selectionOf({
  document,
  selection,
}: Pick<vscode.TextEditor, "document" | "selection">): Attachment {
  const path = pathInWorkspace(document.uri);
  // A selection that ends at the beginning of a line does not mean that line.
  const ends = selection.end.character === 0 && selection.end.line > selection.start.line;
  const last = selection.end.line - (ends ? 1 : 0);
  if (path === undefined) {
    const lines = new vscode.Range(selection.start.line, 0, last + 1, 0);
    return textOf(document, selection.isEmpty ? undefined : lines);
  }
  if (selection.isEmpty) return { kind: "file", path };
  return { kind: "selection", path, start: selection.start.line + 1, end: last + 1 };
}
