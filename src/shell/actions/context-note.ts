// Says once, at the first action of an editor, that its context goes at once and where a list of it can be switched on.
import * as vscode from "vscode";
import { showInformation } from "../notify.ts";

/** It never rejects: the action goes on without it. */
export type NoteContext = () => Promise<void>;

const seen = "patchbay.contextNoted";

export function createContextNote(
  memory: Pick<vscode.Memento, "get" | "update">,
  report: (error: unknown) => void,
  tell: (sentence: string, button: string) => Thenable<string | undefined> = showInformation,
): NoteContext {
  async function note(): Promise<void> {
    if (memory.get(seen) === true) return;
    await memory.update(seen, true);
    const t = vscode.l10n.t;
    const open = t("Open Setting");
    const sentence = t(
      "Editor actions send the code and its context right away. A setting shows you the list first.",
    );
    if ((await tell(sentence, open)) === open)
      await vscode.commands.executeCommand("workbench.action.openSettings", "patchbay.actions.listContext");
  }
  return () => note().catch(report);
}
