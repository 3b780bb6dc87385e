// Exact edits applied to a text: the only way a plan becomes text.
import type { FileChange, FileName, LineEdit } from "./model.ts";

export function applyEdits(text: string, edits: readonly LineEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/** Where a change leads: what its file is called then. */
export const nameAfter = (change: FileChange): FileName => (change.kind === "move" ? change.to : change.file);
