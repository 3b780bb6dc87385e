// A file or folder that a person named by its place. Inside the workspace it is attached by its path; a file from
// elsewhere only after a question of the editor's own, since a page, too, can say that something was dropped.
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { pathOf } from "../../core/tools/locate.ts";
import { namedFolders, toFileName } from "../workspace/places.ts";

const imageTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

export const imageEndings = Object.keys(imageTypes);
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
  const uris = texts.slice(0, mostDropped).flatMap((text) => parsed(text) ?? []);
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
  const imageType = imageTypes[uri.path.split(".").at(-1)?.toLowerCase() ?? ""];
  const name = uri.path.split("/").at(-1) ?? "";
  if (imageType !== undefined) {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return { kind: "image", name, url: `data:${imageType};base64,${Buffer.from(bytes).toString("base64")}` };
  }
  if (path !== undefined) return { kind: "file", path };
  const document = await vscode.workspace.openTextDocument(uri);
  return { kind: "text", name, text: document.getText() };
}

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
  void vscode.window.showWarningMessage(
    vscode.l10n.t("{0} is too large to attach.", vscode.workspace.asRelativePath(uri)),
  );
}
