// Attaches a file or folder given by its URI. Inside the workspace it is attached by its path; a file from elsewhere
// only after a native confirmation, since a page could also claim that something was dropped.
import * as vscode from "vscode";
import { type Attachment, maxDropped, maxPictureBytes } from "../../conversation/state.ts";
import { isNamedPicture, largerThan, pathOf, pictureType, pictureUrl } from "../../files/refusal.ts";
import { refusePathSize } from "../../patch/paths.ts";
import { namedFolders } from "../folders.ts";
import { localize } from "../localize.ts";
import { showWarning } from "../notify.ts";
import { readBytes, toFileName } from "../workspace/file-uris.ts";

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

/** Reports what cannot be attached: the user is looking at the page and would otherwise wait. */
export async function attachDropped(texts: readonly string[]): Promise<readonly Attachment[]> {
  const uris = texts.slice(0, maxDropped).flatMap((text) => parsed(text) ?? []);
  for (const uri of uris.filter(isOfTheWeb)) tellUnreadable(uri);
  return attachNamed(
    uris.filter((uri) => !isOfTheWeb(uri)),
    tellUnreadable,
  );
}

/** All of them, or only those of the workspace if the user does not confirm the others. */
export async function attachNamed(
  uris: readonly vscode.Uri[],
  unreadable?: Unreadable,
): Promise<readonly Attachment[]> {
  const outside = uris.filter((uri) => pathInWorkspace(uri) === undefined);
  const all = outside.length === 0 || (await mayAttach(outside)) ? uris : uris.filter(isInside);
  return (await Promise.all(all.map((uri) => attachUri(uri, unreadable)))).flatMap((each) => each ?? []);
}

type Unreadable = (uri: vscode.Uri) => void;

/** `undefined` if there is nothing that can be attached. */
export async function attachUri(
  uri: vscode.Uri,
  unreadable: Unreadable = () => undefined,
): Promise<Attachment | undefined> {
  const path = pathInWorkspace(uri);
  const found = await statOf(uri);
  const isFolder = found !== undefined && (found.type & vscode.FileType.Directory) !== 0;
  if (isFolder && path !== undefined) return { kind: "folder", path };
  // Reading a pipe would wait forever.
  if (found === undefined || (found.type & vscode.FileType.File) === 0) return void unreadable(uri);
  // Its chip says how much of it is sent.
  if (path !== undefined) return { kind: "file", path };
  const { name } = from(uri);
  if (found.size > maxPictureBytes) return void showWarning(localize(largerThan(name, maxPictureBytes)));
  if (!isNamedPicture(uri.path)) {
    const document = await openText(uri);
    return document === undefined ? void unreadable(uri) : documentAttachment(document);
  }
  const bytes = await readBytes(uri);
  const type = pictureType(bytes);
  return { kind: "image", ...from(uri), url: type === undefined ? "" : pictureUrl({ bytes, type }) };
}

/** The text of a document that is not a file of the workspace: all of it, or some lines. */
export const documentAttachment = (document: vscode.TextDocument, lines?: vscode.Range): Attachment => ({
  kind: "text",
  ...from(document.uri),
  text: document.getText(lines),
});

/** Only the name is sent. `place` is for the code that decides what may be sent. */
const from = (uri: vscode.Uri) => ({ name: uri.path.split("/").at(-1) ?? "", place: uri.toString() });

const isInside = (uri: vscode.Uri): boolean => pathInWorkspace(uri) !== undefined;

/** Reading it would make a request that nobody asked for. */
const isOfTheWeb = ({ scheme }: vscode.Uri): boolean => /^https?$/.test(scheme);

/** Percent-encoding can take nine characters for one character of a path. */
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

/**
 * On a remote machine its own files have the `file` scheme, while the window, and whatever is dragged in it, uses that
 * machine's remote URI.
 */
function asSeenFromHere(uri: vscode.Uri): vscode.Uri {
  const areFilesHere = vscode.workspace.workspaceFolders?.some((folder) => folder.uri.scheme === "file");
  const isThisMachine = uri.scheme === "vscode-remote" && vscode.env.remoteName !== undefined;
  return isThisMachine && areFilesHere === true ? uri.with({ scheme: "file", authority: "" }) : uri;
}

/** `undefined` if it is not text. */
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

/** The selection of an editor as an attachment: whole lines, or the whole document if nothing is selected. */
export function selectionOf({
  document,
  selection,
}: Pick<vscode.TextEditor, "document" | "selection">): Attachment {
  const path = pathInWorkspace(document.uri);
  // A selection that ends at the beginning of a line does not include that line.
  const ends = selection.end.character === 0 && selection.end.line > selection.start.line;
  const last = selection.end.line - (ends ? 1 : 0);
  if (path === undefined) {
    const lines = new vscode.Range(selection.start.line, 0, last + 1, 0);
    return documentAttachment(document, selection.isEmpty ? undefined : lines);
  }
  if (selection.isEmpty) return { kind: "file", path };
  return { kind: "selection", path, start: selection.start.line + 1, end: last + 1 };
}
