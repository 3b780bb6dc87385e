// Changes that were carried out by themselves while nobody sees the conversation: one quiet sentence, with the way to look
// at them and the way back beside it.
import * as vscode from "vscode";
import type { ReviewAction } from "../../bridge/protocol.ts";
import { showInformation } from "../notify.ts";
import type { PatchOfTurn } from "./patches.ts";

export async function tellApplied(
  { call, files }: PatchOfTurn,
  act: (call: string, action: ReviewAction) => Promise<void>,
): Promise<void> {
  const t = vscode.l10n.t;
  const edited = files.filter(({ hunks }) => hunks.some(({ status }) => status === "applied"));
  const [first] = edited;
  if (first === undefined) return;
  const sentence =
    edited.length === 1
      ? t("{0} was edited.", first.to ?? first.path)
      : t("{0} files were edited.", edited.length);
  const review = t("Review");
  const undo = t("Undo");
  const chosen = await showInformation(sentence, review, undo);
  if (chosen !== undefined) await act(call, chosen === undo ? "undo" : "review");
}
