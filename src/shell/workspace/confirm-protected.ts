// Files that run, steer or unlock something are asked about in a dialog of the editor itself, with the path where
// they really lie: a page can be imitated by what is written in it, a native dialog cannot (threats B7, C1).
import * as vscode from "vscode";
import type { Purpose } from "../../core/changes/workspace.ts";
import { exactly } from "../../core/files/privacy.ts";
import type { FileChange } from "../../core/patch/model.ts";
import { isLiftable } from "../../core/patch/reasons-to-ask.ts";
import { addToSetting } from "../add-to-setting.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { showWarning } from "../notify.ts";
import type { ReadOnlyDocuments } from "../read-only-documents.ts";
import { type ConsentText, consentText, sensitiveAmong } from "./consent-text.ts";
import { toUri } from "./file-uris.ts";

export type ConfirmProtected = (changes: readonly FileChange[], purpose: Purpose) => Promise<boolean>;

/** One dialog for all of them. Anything but a clear yes is a no. */
export function createConfirmProtected(documents: Pick<ReadOnlyDocuments, "show">): ConfirmProtected {
  return async (changes, purpose) => {
    const sensitive = sensitiveAmong(changes);
    if (sensitive.length === 0) return true;
    const text = consentText(sensitive, purpose, {
      t: vscode.l10n.t,
      reason: inReaderLanguage,
      place: (folder, real) => vscode.Uri.joinPath(toUri({ folder, path: "" }), real).fsPath,
    });
    return ask(text, sensitive, purpose, documents);
  };
}

async function ask(
  text: ConsentText,
  sensitive: readonly FileChange[],
  purpose: Purpose,
  documents: Pick<ReadOnlyDocuments, "show">,
): Promise<boolean> {
  const t = vscode.l10n.t;
  const yes = purpose === "undo" ? t("Undo") : t("Apply");
  const showAll = t("Show All");
  const always = t("Apply and Don't Ask Again");
  const mayLift = purpose === "apply" && !text.isCut && sensitive.every(isLiftable);
  const buttons = [yes, ...(text.isCut ? [showAll] : []), ...(mayLift ? [always] : [])];
  const options = { modal: true, detail: text.detail };
  const answer = await vscode.window.showWarningMessage(text.question, options, ...buttons);
  if (answer === always) await lift(sensitive);
  if (answer !== showAll) return answer === yes || answer === always;
  await documents.show(t("Sensitive files of this edit"), "txt", text.all);
  // Beside the list, which a dialog would lie on.
  return (await showWarning(text.question, yes, t("Cancel"))) === yes;
}

/** Remembered in the user's own settings: a workspace can lift nothing. */
async function lift(sensitive: readonly FileChange[]): Promise<void> {
  const names = sensitive.flatMap((change) => [
    ...[change.file.path, change.permission.real],
    ...(change.kind === "move" ? [change.to.path, change.toReal] : []),
  ]);
  await addToSetting("patch.protected", names.map(exactly));
}
