// Where a person has the ids of their files: in the clipboard, in a text file, in their head. Answers the text; what
// in it is an id is the core's to say.
import * as vscode from "vscode";

const maxBytes = 4 * 1024 * 1024;

export async function textWithIds(): Promise<string | undefined> {
  const t = vscode.l10n.t;
  const sources = [
    { label: `$(edit) ${t("Type or paste IDs…")}`, read: typed },
    { label: `$(clippy) ${t("All IDs in the clipboard")}`, read: clipboard },
    { label: `$(file) ${t("All IDs in a text file…")}`, read: fromFile },
  ];
  const title = t("Add File IDs");
  const placeHolder = t("The service doesn't list files, so add the IDs you know.");
  return (await vscode.window.showQuickPick(sources, { title, placeHolder }))?.read();
}

async function typed(): Promise<string | undefined> {
  const t = vscode.l10n.t;
  const text = await vscode.window.showInputBox({
    title: t("Add File IDs"),
    prompt: t("One or more IDs, separated by spaces or commas."),
    ignoreFocusOut: true,
    validateInput: (entered) => (entered.trim() === "" ? t("Enter at least one ID.") : undefined),
  });
  // The clipboard is nobody's business unless what was entered looks like several ids run together.
  if (text === undefined || !/file[-_]\S*file[-_]/i.test(text)) return text;
  return withItsLines(text, await vscode.env.clipboard.readText());
}

/** The box has one line and swallows the line breaks of what is pasted into it: two ids would become one. */
export function withItsLines(entered: string, clipboard: string): string {
  const pasted = clipboard.trim();
  return /\r|\n/.test(pasted) && pasted.replace(/[\r\n]+/g, "") === entered.trim() ? pasted : entered;
}

async function clipboard(): Promise<string> {
  return vscode.env.clipboard.readText();
}

async function fromFile(): Promise<string | undefined> {
  const title = vscode.l10n.t("Add File IDs");
  const [chosen] = (await vscode.window.showOpenDialog({ title })) ?? [];
  if (chosen === undefined) return undefined;
  const bytes = await vscode.workspace.fs.readFile(chosen);
  return new TextDecoder().decode(bytes.subarray(0, maxBytes));
}
