// Pickers for what lies in the workspace: files, a folder, a symbol of the open file, pictures.
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { pictureEndings } from "../../core/files/pictures.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import type { FileSuggestion, FileSuggestions } from "../../core/suggestions/file-suggestions.ts";
import { editorInUse } from "../editors.ts";
import { attachUri, pathInWorkspace, tellUnreadable } from "./attach-uri.ts";

interface FileItem extends vscode.QuickPickItem {
  readonly attachment: Attachment;
}

/** Whatever is typed asks the list of all files, which is the one after `@`; what is selected stays. */
export async function pickFiles(suggest: FileSuggestions["suggest"]): Promise<readonly Attachment[]> {
  const picker = vscode.window.createQuickPick<FileItem>();
  picker.title = vscode.l10n.t("Add Files");
  picker.canSelectMany = true;
  let typing = new AbortController();
  const list = async (query: string) => {
    typing.abort();
    typing = new AbortController();
    const { signal } = typing;
    picker.busy = true;
    try {
      for await (const { items } of suggest(query, signal)) {
        signal.throwIfAborted();
        const selected = picker.selectedItems;
        const known = new Set(selected.map(({ label }) => label));
        picker.items = [...selected, ...items.filter(({ label }) => !known.has(label)).map(itemOf)];
        picker.selectedItems = selected;
      }
      picker.busy = false;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  try {
    return await new Promise((resolve, reject) => {
      picker.onDidChangeValue((query) => void list(query).catch(reject));
      picker.onDidAccept(() => resolve(picker.selectedItems.map(({ attachment }) => attachment)));
      picker.onDidHide(() => resolve([]));
      picker.show();
      list("").catch(reject);
    });
  } finally {
    typing.abort();
    picker.dispose();
  }
}

/** It fits already, by other rules than those of the picker. */
const itemOf = ({ label, attachment }: FileSuggestion): FileItem => ({ label, attachment, alwaysShow: true });

export async function pickFolder(): Promise<readonly Attachment[]> {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await vscode.window.showOpenDialog({
    ...(root && { defaultUri: root }),
    title: vscode.l10n.t("Add Folder"),
    canSelectFiles: false,
    canSelectFolders: true,
  });
  return attachAll(chosen ?? []);
}

export async function pickImages(): Promise<readonly Attachment[]> {
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t("Add Images"),
    canSelectMany: true,
    filters: { [vscode.l10n.t("Images")]: [...pictureEndings] },
  });
  return attachAll(chosen ?? []);
}

/** Nothing is loaded from it here: the service does that. */
export async function enterImageUrl(): Promise<readonly Attachment[]> {
  const { t } = vscode.l10n;
  const isFit = (text: string) => {
    const address = URL.canParse(text) ? new URL(text) : undefined;
    return address?.protocol === "https:" && address.username + address.password === "";
  };
  const entered = await vscode.window.showInputBox({
    title: t("Add Image from URL"),
    prompt: t("The service loads the image from this URL when you send."),
    placeHolder: "https://",
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === "" || isFit(text.trim()) ? undefined : t("An https:// URL without a user name."),
  });
  const url = entered?.trim() ?? "";
  if (!isFit(url)) return [];
  const { host, pathname } = new URL(url);
  return [{ kind: "image", name: pathname.split("/").at(-1)?.slice(0, 200) || host, url }];
}

export async function pickSymbol(): Promise<readonly Attachment[]> {
  const editor = editorInUse();
  const path = editor && pathInWorkspace(editor.document.uri);
  if (editor === undefined || path === undefined)
    throw new HumanError(vscode.l10n.t("Open a file of this workspace first."));
  const found = await vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[]>(
    "vscode.executeDocumentSymbolProvider",
    editor.document.uri,
  );
  const items = (found ?? []).flatMap((symbol) => symbolItems(symbol, ""));
  if (items.length === 0) throw new HumanError(vscode.l10n.t("{0} has no symbols.", path));
  const title = vscode.l10n.t("Add Symbol");
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
  return (await Promise.all(uris.map((uri) => attachUri(uri, tellUnreadable)))).flatMap((each) => each ?? []);
}
