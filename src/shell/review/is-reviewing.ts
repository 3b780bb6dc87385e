// Whether what a person looks at is a review: one of its documents, a diff with one of them, or the diff of all files.
import * as vscode from "vscode";
import { schemes } from "./shown-change.ts";

export function isReviewing(): boolean {
  const { activeTextEditor, tabGroups } = vscode.window;
  const shown = [activeTextEditor?.document.uri, ...sidesShown(tabGroups.activeTabGroup.activeTab?.input)];
  return shown.some((uri) => uri !== undefined && isOfReview(uri));
}

/** Of a deleted file one is missing. The tab of a diff of several files has no type in the API, but it has its diffs. */
export function sidesShown(input: unknown): readonly vscode.Uri[] {
  if (input instanceof vscode.TabInputTextDiff)
    return [input.original, input.modified].flatMap((uri: vscode.Uri | undefined) => uri ?? []);
  if (typeof input !== "object" || input === null || !("textDiffs" in input)) return [];
  return Array.isArray(input.textDiffs) ? input.textDiffs.flatMap(sidesShown) : [];
}

export const isOfReview = ({ scheme }: vscode.Uri): boolean =>
  scheme === schemes.review || scheme === schemes.base;
