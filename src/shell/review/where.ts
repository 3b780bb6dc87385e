// Whether what a person looks at is a review: one of its documents, a diff with one of them, or the diff of all files.
import * as vscode from "vscode";
import { schemes } from "./shown-change.ts";

export function isReviewing(): boolean {
  const { activeTextEditor, tabGroups } = vscode.window;
  const shown = [activeTextEditor?.document.uri, ...modifiedIn(tabGroups.activeTabGroup.activeTab?.input)];
  return shown.some((uri) => uri?.scheme === schemes.review || uri?.scheme === schemes.base);
}

/** The tab of a diff of several files has no type in the API, but it has its diffs. */
function modifiedIn(input: unknown): readonly vscode.Uri[] {
  if (input instanceof vscode.TabInputTextDiff) return [input.modified];
  if (typeof input !== "object" || input === null || !("textDiffs" in input)) return [];
  return Array.isArray(input.textDiffs) ? input.textDiffs.flatMap(modifiedIn) : [];
}
