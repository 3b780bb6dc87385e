// Reads the selection or the whole text of the terminal. VS Code offers no way to do so except the clipboard, whose
// contents are restored afterwards.
import * as vscode from "vscode";
import { HumanError } from "../../conversation/messages.ts";
import type { Attachment } from "../../conversation/state.ts";
import { createMutex } from "../../util/concurrency.ts";

interface TerminalText {
  readonly attachment: Attachment;
  readonly isSelected: boolean;
}

export type ReadTerminal = () => Promise<TerminalText>;

/** The clipboard is shared, so reads are serialized: each waits until the one before it has restored the clipboard. */
export function createReadTerminal(): ReadTerminal {
  const oneByOne = createMutex();
  return () => oneByOne(readTerminal);
}

async function readTerminal(): Promise<TerminalText> {
  const terminal = vscode.window.activeTerminal;
  if (terminal === undefined) throw new HumanError(vscode.l10n.t("No terminal is open."));
  const before = await vscode.env.clipboard.readText();
  try {
    const selected = await copied();
    const text = selected ?? (await copiedWhole());
    if (text === undefined) throw new HumanError(vscode.l10n.t("The terminal is empty."));
    const attachment = { kind: "terminal", name: terminal.name, text } as const;
    return { attachment, isSelected: selected !== undefined };
  } finally {
    await vscode.env.clipboard.writeText(before);
  }
}

async function copiedWhole(): Promise<string | undefined> {
  await vscode.commands.executeCommand("workbench.action.terminal.selectAll");
  try {
    return await copied();
  } finally {
    await vscode.commands.executeCommand("workbench.action.terminal.clearSelection");
  }
}

/** The copy command leaves the clipboard unchanged if nothing is selected, so it has to be emptied first. */
async function copied(): Promise<string | undefined> {
  await vscode.env.clipboard.writeText("");
  await vscode.commands.executeCommand("workbench.action.terminal.copySelection");
  const text = await vscode.env.clipboard.readText();
  return text.trim() === "" ? undefined : text;
}
