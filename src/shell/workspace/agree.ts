// Files that run, steer or unlock something are asked about in a dialog of the editor itself, with the path where
// they really lie: a page can be imitated by what is written in it, a native dialog cannot (threats B7, C1).
import * as vscode from "vscode";
import type { FileChange } from "../../core/patch/model.ts";
import { patchInReaderLanguage } from "../patch-in-reader-language.ts";

/** More are not read by anybody; the number says that there are. */
const mostShown = 12;

/** One dialog for all of them. Anything but a clear yes is a no. */
export async function agreeNatively(changes: readonly FileChange[]): Promise<boolean> {
  const t = vscode.l10n.t;
  const sensitive = changes.filter(({ permission }) => permission.verdict === "confirm");
  if (sensitive.length === 0) return true;
  const rows = sensitive.flatMap((change) => {
    const { real, reasons } = change.permission;
    const places = change.kind === "move" ? `${real} → ${change.toReal}` : real;
    return `${places}\n    ${reasons.map(patchInReaderLanguage).join("; ")}`;
  });
  const shown = rows.slice(0, mostShown);
  if (rows.length > mostShown) shown.push(t("… and {0} more", rows.length - mostShown));
  const yes = sensitive.length === 1 ? t("Change This File") : t("Change These Files");
  const question =
    sensitive.length === 1
      ? t("The model wants to change a file that deserves a second look.")
      : t("The model wants to change {0} files that deserve a second look.", sensitive.length);
  const options = { modal: true, detail: shown.join("\n") };
  return (await vscode.window.showWarningMessage(question, options, yes)) === yes;
}
