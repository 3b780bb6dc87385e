// How a review is opened: as the person has set it, and where they have set nothing and use a screen reader, as lists.
import * as vscode from "vscode";
import { inspectSection, type Section, valuesIn } from "../inspect-settings.ts";
import { effective } from "../workspace-settings.ts";

export const reviewStyles = ["multiDiff", "refactorPreview"] as const;
export type ReviewStyle = (typeof reviewStyles)[number];

const key = "patch.style";

export function reviewStyle(): ReviewStyle {
  const section = inspectSection("patchbay", null);
  const set: Section = (layer, name) => (layer === "defaultValue" ? undefined : section(layer, name));
  const wanted = effective(key, valuesIn(set, key), () => false);
  const chosen = reviewStyles.find((style) => style === wanted);
  if (chosen !== undefined) return chosen;
  const support = vscode.workspace.getConfiguration("editor").get("accessibilitySupport");
  return support === "on" ? "refactorPreview" : "multiDiff";
}
