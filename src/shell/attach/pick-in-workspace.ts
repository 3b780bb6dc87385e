// Pickers for what lies in the workspace: files, a folder, a symbol of the open file, pictures.
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import { pictureEndings } from "../../core/tools/pictures.ts";
import { attachUri, pathInWorkspace } from "./attach-uri.ts";

const mostFiles = 5000;

export async function pickFiles(): Promise<readonly Attachment[]> {
  const items = vscode.workspace
    .findFiles("**/*", undefined, mostFiles)
    .then((uris) =>
      uris
        .map((uri) => ({ label: pathInWorkspace(uri) ?? uri.path, uri }))
        .sort((one, other) => (one.label < other.label ? -1 : 1)),
    );
  const title = vscode.l10n.t("Attach Files");
  const picked = await vscode.window.showQuickPick(items, { title, canPickMany: true });
  return attachAll((picked ?? []).map(({ uri }) => uri));
}

export async function pickFolder(): Promise<readonly Attachment[]> {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await vscode.window.showOpenDialog({
    ...(root && { defaultUri: root }),
    title: vscode.l10n.t("Attach a Folder"),
    canSelectFiles: false,
    canSelectFolders: true,
  });
  return attachAll(chosen ?? []);
}

export async function pickImages(): Promise<readonly Attachment[]> {
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t("Attach Pictures"),
    canSelectMany: true,
    filters: { [vscode.l10n.t("Pictures")]: [...pictureEndings] },
  });
  return attachAll(chosen ?? []);
}

export async function pickSymbol(): Promise<readonly Attachment[]> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  const path = editor && pathInWorkspace(editor.document.uri);
  if (editor === undefined || path === undefined)
    throw new HumanError(vscode.l10n.t("Open a file of this workspace to attach one of its symbols."));
  const found = await vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[]>(
    "vscode.executeDocumentSymbolProvider",
    editor.document.uri,
  );
  const items = (found ?? []).flatMap((symbol) => symbolItems(symbol, ""));
  if (items.length === 0) throw new HumanError(vscode.l10n.t("No symbols are known in {0}.", path));
  const title = vscode.l10n.t("Attach a Symbol");
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  if (picked === undefined) return [];
  const { start, end } = picked.range;
  return [{ kind: "selection", path, start: start.line + 1, end: end.line + 1 }];
}

interface SymbolItem extends vscode.QuickPickItem {
  readonly range: vscode.Range;
}

function symbolItems(
  symbol: vscode.DocumentSymbol | vscode.SymbolInformation,
  container: string,
): SymbolItem[] {
  const range = "range" in symbol ? symbol.range : symbol.location.range;
  const children = "children" in symbol ? symbol.children : [];
  const lines = vscode.l10n.t("lines {0}–{1}", range.start.line + 1, range.end.line + 1);
  const path = container === "" ? symbol.name : `${container}.${symbol.name}`;
  return [
    { label: symbol.name, description: container === "" ? lines : `${container} · ${lines}`, range },
    ...children.flatMap((child) => symbolItems(child, path)),
  ];
}

async function attachAll(uris: readonly vscode.Uri[]): Promise<readonly Attachment[]> {
  return (await Promise.all(uris.map((uri) => attachUri(uri)))).flatMap((each) => each ?? []);
}
