// Opens patches to look at: all files of some in one multi-file diff, or one file with a hunk in sight. Only ever
// because a person asked for it.
import * as vscode from "vscode";
import { toUri } from "../workspace/places.ts";
import type { Desk } from "./desk.ts";
import type { ReviewDocuments } from "./documents.ts";
import type { PatchInReview } from "./patches.ts";
import { type ShownChange, schemes } from "./shown-change.ts";

/** False when this window does not know the patches in full any more. */
export async function showPatches(
  patches: readonly PatchInReview[],
  desk: Desk,
  documents: ReviewDocuments,
): Promise<boolean> {
  const shown = patches.flatMap(({ call }) => desk.shown(call));
  const [first] = shown;
  if (first === undefined) return false;
  const number = patches[0]?.turnNumber ?? 0;
  const title = vscode.l10n.t("Turn {0}: proposed edits", number);
  const rows = shown.map((each) => [toUri(each.change.file), ...documents.sidesOf(each)]);
  try {
    await vscode.commands.executeCommand("vscode.changes", title, rows);
  } catch {
    // Editors built on an older VS Code have no multi-file diff.
    await showChange(first, number, desk);
  }
  return true;
}

export async function showChange(shown: ShownChange, turn: number, desk: Desk, hunk?: string): Promise<void> {
  const { command, arguments: [...given] = [] } = showingOf(shown, turn, desk, hunk);
  await vscode.commands.executeCommand(command, ...given);
}

/** As VS Code's own command: it knows of a click or a key in a list whether the focus stays there. */
export function showingOf(shown: ShownChange, turn: number, desk: Desk, hunk?: string): vscode.Command {
  const uri = (scheme: string, name: string) =>
    vscode.Uri.from({ scheme, path: `/${name}`, query: shown.call });
  const place = desk.placesOf(shown).find((each) => each.hunk === hunk);
  const at = new vscode.Position(place?.after.first ?? 0, 0);
  const title = vscode.l10n.t("{0} (turn {1})", shown.to, turn);
  return {
    command: "vscode.diff",
    title,
    arguments: [
      uri(schemes.base, shown.path),
      // Nothing is what a deleted file would be.
      shown.change.kind === "delete"
        ? vscode.Uri.from({ scheme: schemes.base, path: `/${shown.path}` })
        : uri(schemes.review, shown.to),
      title,
      { ...(place !== undefined && { selection: new vscode.Range(at, at) }) },
    ],
  };
}
