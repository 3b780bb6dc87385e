// Uses a code block of a response: typed at the cursor, as a new file, or as a line in the terminal that the user still
// has to submit. Nothing runs because a model wrote it.
import * as vscode from "vscode";
import type { CodeUse } from "../../../bridge/protocol.ts";
import { HumanError } from "../../../conversation/messages.ts";
import { trimEnd } from "../../../util/text.ts";
import { editorInUse } from "../../text-editors.ts";
import { newDocument } from "../../ui/documents.ts";
import { languageOfNewFile } from "./new-file-language.ts";

export async function useCode(
  use: Exclude<CodeUse, "propose">,
  code: string,
  language: string,
): Promise<void> {
  switch (use) {
    case "insert":
      return insert(code);
    case "new-file":
      return openNew(code, language);
    case "terminal":
      return paste(code);
    default:
      return use satisfies never;
  }
}

async function insert(code: string): Promise<void> {
  const editor = editorInUse();
  if (editor === undefined) throw new HumanError(vscode.l10n.t("Open a file to insert code into it."));
  if (!(await typed(editor, code))) throw new HumanError(vscode.l10n.t("This editor is read-only."));
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

/** VS Code rejects an edit that collides with typing or another edit; it is then retried at the current cursor. */
async function typed(editor: vscode.TextEditor, code: string): Promise<boolean> {
  const { document } = editor;
  const { version } = document;
  const done = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, code);
  });
  return done || (document.version !== version && typed(editor, code));
}

async function openNew(content: string, name: string): Promise<void> {
  const document = await newDocument(content, await languageOfNewFile(name));
  await vscode.window.showTextDocument(document);
}

/**
 * Control characters would have an effect and a line break would run the line, so both are removed (the break only at
 * the end).
 */
function paste(code: string): void {
  const text = trimEnd(code.replace(/(?![\n\t])\p{Cc}/gu, ""), "\n");
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length > 1)
    throw new HumanError(
      vscode.l10n.t("Only one line can be pasted to the terminal. Copy the code to run more."),
    );
  const terminal = vscode.window.activeTerminal ?? vscode.window.createTerminal();
  terminal.show();
  terminal.sendText(lines[0] ?? "", false);
}
