// What is selected in the terminal, explained. Where nothing is selected it is all of it, which nobody has chosen yet:
// then it is listed before it goes, whatever the settings say.
import * as vscode from "vscode";
import type { ReadTerminal } from "../attach/terminal-text.ts";
import { type Ask, refuseWithoutTrust } from "./ask.ts";

export function createExplainTerminal(ask: Ask, readTerminal: ReadTerminal) {
  const t = vscode.l10n.t;
  return async (): Promise<void> => {
    refuseWithoutTrust();
    const { attachment, isSelected } = await readTerminal();
    const title = t("Explain Terminal Selection");
    const companions = [{ role: t("text of the terminal"), attachment }];
    await ask({ title, command: "terminal", prompt: "", companions, ...(!isSelected && { list: "always" }) });
  };
}
