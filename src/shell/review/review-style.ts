// How a review is opened: as the person has set it, and where they have set nothing and use a screen reader, as lists.
import * as vscode from "vscode";

export const reviewStyles = ["multiDiff", "refactorPreview"] as const;
export type ReviewStyle = (typeof reviewStyles)[number];

export function reviewStyle(): ReviewStyle {
  const configuration = vscode.workspace.getConfiguration("patchbay");
  const { globalValue, workspaceValue } = configuration.inspect("patch.style") ?? {};
  const chosen = reviewStyles.find((style) => style === (workspaceValue ?? globalValue));
  if (chosen !== undefined) return chosen;
  const support = vscode.workspace.getConfiguration("editor").get("accessibilitySupport");
  return support === "on" ? "refactorPreview" : "multiDiff";
}
