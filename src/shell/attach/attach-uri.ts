// A file or folder that a person named by its place. Inside the workspace it is attached by its path; a file from
// elsewhere only after a question of the editor's own, since a page, too, can say that something was dropped.
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { maxDropped, maxPictureBytes } from "../../core/conversation/attachment-limits.ts";
import { pathOf } from "../../core/files/locate.ts";
import { isNamedPicture, pictureType, pictureUrl } from "../../core/files/pictures.ts";
import { refusePathSize } from "../../core/util/path-limits.ts";
import { showWarning } from "../notify.ts";
import { namedFolders, toFileName } from "../workspace/file-uris.ts";

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

/** What comes to nothing is told: who drops something looks at it, and would wait. */
export async function attachDropped(texts: readonly string[]): Promise<readonly Attachment[]> {
  const uris = texts.slice(0, maxDropped).flatMap((text) => parsed(text) ?? []);
  for (const uri of uris.filter(isOfTheWeb)) tellUnreadable(uri);
  return attachNamed(
    uris.filter((uri) => !isOfTheWeb(uri)),
    tellUnreadable,
  );
}

/** All of them, or those of the workspace where a person does not want the others to go. */
export async function attachNamed(
  uris: readonly vscode.Uri[],
  unreadable?: Unreadable,
): Promise<readonly Attachment[]> {
  const outside = uris.filter((uri) => pathInWorkspace(uri) === undefined);
  const all = outside.length === 0 || (await mayAttach(outside)) ? uris : uris.filter(isInside);
  return (await Promise.all(all.map((uri) => attachUri(uri, unreadable)))).flatMap((each) => each ?? []);
}

type Unreadable = (uri: vscode.Uri) => void;

/** `undefined` where there is nothing that can be attached. */
export async function attachUri(
  uri: vscode.Uri,
  unreadable: Unreadable = () => undefined,
): Promise<Attachment | undefined> {
  const path = pathInWorkspace(uri);
  const found = await statOf(uri);
  const isFolder = found !== undefined && (found.type & vscode.FileType.Directory) !== 0;
  if (isFolder && path !== undefined) return { kind: "folder", path };
  if (found === undefined || isFolder) return void unreadable(uri);
  // How much of it goes is said on its chip.
  if (path !== undefined) return { kind: "file", path };
  if (found.size > maxPictureBytes) return tooLarge(uri);
  if (!isNamedPicture(uri.path)) {
    const document = await openText(uri);
    return document === undefined ? void unreadable(uri) : textOf(document);
  }
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

/** Reading it would be a request that nobody asked for. */
const isOfTheWeb = ({ scheme }: vscode.Uri): boolean => /^https?$/.test(scheme);

/** Each character of a path may be written as nine. */
const longestAddress = 16 * 1024;

function parsed(text: string): vscode.Uri | undefined {
  if (text.length > longestAddress) return undefined;
  try {
    const uri = vscode.Uri.parse(text, true);
    return refusePathSize(uri.path) === undefined ? asSeenFromHere(uri) : undefined;
  } catch {
    return undefined;
  }
}

/** On a remote machine its own files are plain ones; the window, and what is dragged in it, names them by that machine. */
function asSeenFromHere(uri: vscode.Uri): vscode.Uri {
  const areFilesHere = vscode.workspace.workspaceFolders?.some((folder) => folder.uri.scheme === "file");
  const isThisMachine = uri.scheme === "vscode-remote" && vscode.env.remoteName !== undefined;
  return isThisMachine && areFilesHere === true ? uri.with({ scheme: "file", authority: "" }) : uri;
}

/** `undefined`: it is no text. */
async function openText(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
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
    vscode.l10n.t("Add files from outside this workspace?"),
    { modal: true, detail: uris.map((uri) => uri.fsPath).join("\n") },
    yes,
  );
  return chosen === yes;
}

export function tellUnreadable(uri: vscode.Uri): void {
  void showWarning(
    vscode.l10n.t(
      "{0} cannot be attached: it is no file that this window reads, and no folder of its workspace.",
      uri.scheme === "file" ? uri.fsPath : uri.toString(true),
    ),
  );
}

function tooLarge(uri: vscode.Uri): undefined {
  void showWarning(vscode.l10n.t("{0} is too large to attach.", vscode.workspace.asRelativePath(uri)));
}
