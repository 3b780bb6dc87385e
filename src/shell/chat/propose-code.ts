// A code block of an answer as an edit: shown in VS Code's own Refactor Preview, where a person takes it or leaves it.
// The file is the one that the block names, or the one in the editor.
import * as vscode from "vscode";
import { readPath } from "../../core/patch/paths.ts";
import { HumanError } from "../../core/util/human-error.ts";
import type { Workspace } from "../../core/workspace.ts";
import { toUri } from "../workspace/places.ts";
import { type Lines, namedFile, placeCode } from "./place-code.ts";

export async function proposeCode(code: string, workspace: Workspace): Promise<void> {
  if (!workspace.trusted)
    throw new HumanError(vscode.l10n.t("Trust this folder to have code of an answer proposed as an edit."));
  const { document, lines } = await targetOf(code.split("\n"), workspace);
  const text = Array.from({ length: document.lineCount }, (_, line) => document.lineAt(line).text);
  const placed = placeCode(text, lines, selectedIn(document));
  if (placed === undefined)
    throw new HumanError(
      vscode.l10n.t("Select the lines that this code shall replace, then propose it again."),
    );
  if (placed.first === placed.end && placed.lines.length === 0)
    throw new HumanError(vscode.l10n.t("The file says the same already."));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, rangeOf(document, placed), textOf(document, placed), {
    needsConfirmation: true,
    label: vscode.l10n.t("Code of an answer"),
  });
  await vscode.workspace.applyEdit(edit, { isRefactoring: true });
}

async function targetOf(
  code: readonly string[],
  workspace: Workspace,
): Promise<{ document: vscode.TextDocument; lines: readonly string[] }> {
  const named = namedFile(code);
  const file = named === undefined ? undefined : readPath(named.path, workspace.folders);
  if (named !== undefined && file?.kind === "named" && (await workspace.look(file.file)).kind === "file")
    return { document: await vscode.workspace.openTextDocument(toUri(file.file)), lines: named.rest };
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor === undefined)
    throw new HumanError(vscode.l10n.t("Open the file that this code belongs to, then propose it again."));
  return { document: editor.document, lines: code };
}

function selectedIn(document: vscode.TextDocument): Lines | undefined {
  const editor = vscode.window.visibleTextEditors.find((each) => each.document === document);
  if (editor === undefined || editor.selection.isEmpty) return undefined;
  const { start, end } = editor.selection;
  // A selection that ends at a line's beginning does not mean that line.
  return { first: start.line, end: end.character === 0 && end.line > start.line ? end.line : end.line + 1 };
}

/** Whole lines, with the line end that separates them from what follows, or from what precedes at the end of the file. */
function rangeOf(document: vscode.TextDocument, { first, end }: Lines): vscode.Range {
  if (end < document.lineCount) return new vscode.Range(first, 0, end, 0);
  const last = document.lineAt(document.lineCount - 1).range.end;
  return first === 0
    ? new vscode.Range(new vscode.Position(0, 0), last)
    : new vscode.Range(document.lineAt(first - 1).range.end, last);
}

function textOf(
  document: vscode.TextDocument,
  { first, end, lines }: Lines & { lines: readonly string[] },
): string {
  if (end < document.lineCount) return lines.map((line) => `${line}\n`).join("");
  return first === 0 ? lines.join("\n") : lines.map((line) => `\n${line}`).join("");
}
