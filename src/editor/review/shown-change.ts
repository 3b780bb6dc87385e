// What a review shows and how: the names of a change's documents, whether the user is looking at a review, and the
// style it is opened in.

import * as vscode from "vscode";
import type { FileChange } from "../../patch/model.ts";
import { effective, inspectSection, type Section, valuesIn } from "../settings/read-settings.ts";

/** `review` can be edited and is what would be accepted; `base` is read-only. */
export const schemes = { base: "patchbay-base", review: "patchbay-review" } as const;

/** A change with its names in a review: a pending one, or what an earlier call did. */
export interface ShownChange {
  /** Identifies its documents: a pending file, or a call and a position in it. */
  readonly address: string;
  /** Its current path and its proposed path. */
  readonly path: string;
  readonly to: string;
  readonly change: FileChange;
}

/** Whether the user is looking at a review: one of its documents, a diff of them, or the diff of all files. */
export function isReviewing(): boolean {
  const { activeTextEditor, tabGroups } = vscode.window;
  const shown = [activeTextEditor?.document.uri, ...sidesShown(tabGroups.activeTabGroup.activeTab?.input)];
  return shown.some((uri) => uri !== undefined && isOfReview(uri));
}

/** Whether the active tab is the diff of several files. */
export const isInAllFiles = (): boolean =>
  isOfSeveral(vscode.window.tabGroups.activeTabGroup.activeTab?.input);

/**
 * For a deleted file one side is missing. The tab of a multi-file diff has no type in the API, but it lists its diffs.
 */
export function sidesShown(input: unknown): readonly vscode.Uri[] {
  if (input instanceof vscode.TabInputTextDiff)
    return [input.original, input.modified].flatMap((uri: vscode.Uri | undefined) => uri ?? []);
  return isOfSeveral(input) ? input.textDiffs.flatMap(sidesShown) : [];
}

const isOfSeveral = (input: unknown): input is { readonly textDiffs: readonly unknown[] } =>
  typeof input === "object" && input !== null && "textDiffs" in input && Array.isArray(input.textDiffs);

export const isOfReview = ({ scheme }: vscode.Uri): boolean =>
  scheme === schemes.review || scheme === schemes.base;

const reviewStyles = ["multiDiff", "refactorPreview"] as const;
type ReviewStyle = (typeof reviewStyles)[number];

/** How a review is opened: by the setting; by default as lists if a screen reader is used. */
export function reviewStyle(): ReviewStyle {
  const section = inspectSection("patchbay", null);
  const set: Section = (layer, name) => (layer === "defaultValue" ? undefined : section(layer, name));
  const wanted = effective("look", valuesIn(set, "patch.style"), () => false);
  const chosen = reviewStyles.find((style) => style === wanted);
  if (chosen !== undefined) return chosen;
  const support = vscode.workspace.getConfiguration("editor").get("accessibilitySupport");
  return support === "on" ? "refactorPreview" : "multiDiff";
}
