// A file or folder that a person named by its place. Inside the workspace it is attached by its path; a file from
// elsewhere only after a question of the editor's own, since a page, too, can say that something was dropped.
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { pathOf } from "../../core/tools/locate.ts";
import { isNamedPicture, pictureType, pictureUrl } from "../../core/tools/pictures.ts";
import { showWarning } from "../notify.ts";
import { namedFolders, toFileName } from "../workspace/places.ts";

const mostDropped = 20;
const mostBytes = 20 * 1024 * 1024;

/** As the model would write it; `undefined` outside the workspace. */
export function pathInWorkspace(uri: vscode.Uri): string | undefined {
  const name = toFileName(uri);
  return (
    name &&
    pathOf(
      name,
      namedFolders().map(([folder]) => folder),
    )
  );
}

export async function attachDropped(texts: readonly string[]): Promise<readonly Attachment[]> {
  return attachNamed(texts.slice(0, mostDropped).flatMap((text) => parsed(text) ?? []));
}

/** All of them, or those of the workspace where a person does not want the others to go. */
export async function attachNamed(uris: readonly vscode.Uri[]): Promise<readonly Attachment[]> {
  const outside = uris.filter((uri) => pathInWorkspace(uri) === undefined);
  const all = outside.length === 0 || (await mayAttach(outside)) ? uris : uris.filter(isInside);
  return (await Promise.all(all.map(attachUri))).flatMap((each) => each ?? []);
}

/** `undefined` where there is nothing that can be attached. */
export async function attachUri(uri: vscode.Uri): Promise<Attachment | undefined> {
  const path = pathInWorkspace(uri);
  const found = await statOf(uri);
  if (found === undefined) return undefined;
  if (found.type & vscode.FileType.Directory)
    return path === undefined ? undefined : { kind: "folder", path };
  if (found.size > mostBytes) return tooLarge(uri);
  if (path !== undefined) return { kind: "file", path };
  if (!isNamedPicture(uri.path)) return textOf(await vscode.workspace.openTextDocument(uri));
  const bytes = await vscode.workspace.fs.readFile(uri);
  const type = pictureType(bytes);
  return { kind: "image", ...from(uri), url: type === undefined ? "" : pictureUrl({ bytes, type }) };
}

/** The words of a document that is no file of the workspace: all of them, or some lines. */
export const textOf = (document: vscode.TextDocument, lines?: vscode.Range): Attachment => ({
  kind: "text",
  ...from(document.uri),
  text: document.getText(lines),
});

/** Only the name goes out: where it lies is nobody's business but that of whoever decides what may be sent. */
const from = (uri: vscode.Uri) => ({ name: uri.path.split("/").at(-1) ?? "", place: uri.toString() });

const isInside = (uri: vscode.Uri): boolean => pathInWorkspace(uri) !== undefined;

function parsed(text: string): vscode.Uri | undefined {
  try {
    const uri = vscode.Uri.parse(text, true);
    // Reading an address of the web would be a request that nobody asked for.
    return /^https?$/.test(uri.scheme) ? undefined : uri;
  } catch {
    return undefined;
  }
}

async function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch {
    return undefined;
  }
}

async function mayAttach(uris: readonly vscode.Uri[]): Promise<boolean> {
  const yes = vscode.l10n.t("Attach");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("Attach files from outside of this workspace?"),
    { modal: true, detail: uris.map((uri) => uri.fsPath).join("\n") },
    yes,
  );
  return chosen === yes;
}

function tooLarge(uri: vscode.Uri): undefined {
  void showWarning(vscode.l10n.t("{0} is too large to attach.", vscode.workspace.asRelativePath(uri)));
}
