// What is selected in the terminal, or all of it. VS Code has no way to read a terminal but by its clipboard, which
// is put back as it was.
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import { inOrder } from "../../core/util/in-order.ts";

export interface TerminalText {
  readonly attachment: Attachment;
  readonly isSelected: boolean;
}

export type ReadTerminal = () => Promise<TerminalText>;

/** The clipboard is one for all: whoever reads a terminal while another does waits until it is put back. */
export function createReadTerminal(): ReadTerminal {
  const oneByOne = inOrder();
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

/** The copy command leaves the clipboard alone where nothing is selected, so that it has to be empty first. */
async function copied(): Promise<string | undefined> {
  await vscode.env.clipboard.writeText("");
  await vscode.commands.executeCommand("workbench.action.terminal.copySelection");
  const text = await vscode.env.clipboard.readText();
  return text.trim() === "" ? undefined : text;
}
