// The state before a change: the document or the bytes just before it, and everything needed to find out afterwards
// what has happened. Only reads; refuses changes that could not be made, or that the file would not survive.

import { isUtf8 } from "node:buffer";
import * as vscode from "vscode";
import { MessageError } from "../../../conversation/english.ts";
import { type Message, message } from "../../../conversation/messages.ts";
import { rebase } from "../../../patch/diff-and-merge.ts";
import { applyEdits } from "../../../patch/edits.ts";
import type { FileChange, MoveChange, Reading, UpdateChange } from "../../../patch/model.ts";
import { fileOfNotebook, isNotebook } from "../../../patch/notebook.ts";
import { readBytes, toUri } from "../file-uris.ts";
import {
  addNotebookEdits,
  isOurs,
  isSavedUnchanged,
  openedNotebook,
  openNotebook,
  readAsCells,
  readOpened,
} from "./notebooks.ts";
import type { ReturningCells } from "./removed-cells.ts";

/**
 * Reads the current text of a file: the open document with its unsaved changes, otherwise the file, decoded the way VS
 * Code would. Documents are not opened for this, because a search would then wake every language server.
 */
export async function liveText(uri: vscode.Uri): Promise<Reading> {
  if (!isNotebook(uri.path)) return readText(uri);
  const notebook = openedNotebook(uri);
  if (notebook === undefined) return readAsCells(await readNotebookFile(uri));
  const read = readOpened(notebook);
  if (read.kind !== "text" || !read.text.includes(noCharacter)) return read;
  const bytes = await readBytes(uri).catch(() => undefined);
  return bytes === undefined || isUtf8(bytes) ? read : { ...read, undecoded: "UTF-8" };
}

/** Notebooks are UTF-8 for VS Code, too, whatever encoding the settings name for texts. */
async function readNotebookFile(uri: vscode.Uri): Promise<Reading> {
  if (!isClean(uri)) return readText(uri);
  const bytes = await readBytes(uri);
  const text = new TextDecoder().decode(bytes);
  if (text.includes("\0")) return { kind: "binary" };
  const read = { kind: "text", text: withOneLineEnd(text), version: 0 } as const;
  return isUtf8(bytes) ? read : { ...read, undecoded: "UTF-8" };
}

async function readText(uri: vscode.Uri): Promise<Reading> {
  const name = uri.toString();
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === name);
  if (open !== undefined) {
    const text = open.getText();
    const read = { kind: "text", text, version: open.version } as const;
    if (!text.includes(noCharacter)) return read;
    const { encoding } = open;
    const bytes = await readBytes(uri).catch(() => undefined);
    const isLossy = bytes !== undefined && (await losesBytes(bytes, { encoding }));
    return isLossy ? { ...read, undecoded: spokenName(encoding) } : read;
  }
  const bytes = await readBytes(uri);
  const text = await decoded(bytes, uri);
  // Encodings that use NUL bytes decode to text without NUL characters; text that still has one is binary.
  if (text === undefined || text.includes("\0")) return { kind: "binary" };
  const read = { kind: "text", text: withOneLineEnd(text), version: 0 } as const;
  if (!text.includes(noCharacter) || startsWithMark(bytes) || !(await losesBytes(bytes, { uri })))
    return read;
  const encoding = vscode.workspace.getConfiguration("files", uri).get<string>("encoding") ?? "utf8";
  return { ...read, undecoded: spokenName(encoding) };
}

/** Replaces bytes that are invalid in an encoding. */
const noCharacter = "\uFFFD";

/** The file may really contain this character: then encoding returns the same bytes. */
async function losesBytes(
  bytes: Uint8Array,
  by: { readonly encoding: string } | { readonly uri: vscode.Uri },
): Promise<boolean> {
  const { decode, encode } = vscode.workspace;
  const text = "uri" in by ? await decode(bytes, by) : await decode(bytes, by);
  if (!text.includes(noCharacter)) return false;
  const back = "uri" in by ? await encode(text, by) : await encode(text, by);
  return Buffer.compare(withoutMark(bytes), withoutMark(back)) !== 0;
}

/** The byte order mark of UTF-16, which determines the encoding. */
const startsWithMark = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

/** Removes the byte order mark of UTF-8. */
const withoutMark = (bytes: Uint8Array): Uint8Array =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;

const spokenName = (encoding: string): string => (encoding.startsWith("utf8") ? "UTF-8" : encoding);

/** `undefined` if VS Code recognizes a binary file by its first bytes. */
function decoded(bytes: Uint8Array, uri: vscode.Uri): Thenable<string | undefined> {
  return vscode.workspace.decode(bytes, { uri }).then(
    (text) => text,
    (error: unknown) => {
      if (typeof error === "object" && error !== null && "decodeStreamErrorKind" in error) return undefined;
      throw error;
    },
  );
}

/**
 * A document has a single kind of line end, the most frequent one; VS Code converts the others when it opens a file.
 */
export function withOneLineEnd(text: string): string {
  const count = (end: string) => {
    let found = 0;
    for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end, at + end.length)) found++;
    return found;
  };
  const [feeds, returns, both] = [count("\n"), count("\r"), count("\r\n")];
  const kept = returns > (feeds + returns - both) / 2 ? "\r\n" : "\n";
  const others = kept === "\n" ? returns : feeds + returns - 2 * both;
  return others === 0 ? text : text.replace(/\r\n|\r|\n/g, kept);
}

export interface PreEditState {
  readonly change: FileChange;
  readonly uri: vscode.Uri;
  /** The target of a move. */
  readonly to: vscode.Uri | undefined;
  /** The bytes of a new file. */
  readonly contents: Uint8Array | undefined;
  /** The bytes on disk; `undefined` for a new file. */
  readonly bytes: Uint8Array | undefined;
  /** For changes of text: the document, opened without showing it. */
  readonly document: vscode.TextDocument | undefined;
  /** The same for changes of a notebook's cells. */
  readonly notebook?: vscode.NotebookDocument;
  readonly wasClean: boolean;
  /** Whether saving the document changes nothing but the edits: encoding and line ends are preserved. */
  readonly isFaithful: boolean;
}

/** @throws HumanError */
export async function readPreEditState(change: FileChange, remembered: Remembered): Promise<PreEditState> {
  const uri = toUri(change.file);
  const to = change.kind === "move" ? toUri(change.to) : undefined;
  const usual = {
    change,
    uri,
    to,
    contents: undefined,
    document: undefined,
    wasClean: true,
    isFaithful: true,
  };
  if (change.kind === "add") {
    const known = remembered.find(uri, change.text);
    if (known === undefined && remembered.returning?.isOnly === true && isNotebook(uri.path))
      throw new MessageError(message("editsCellsLost", { name: nameOf(uri) }));
    const file = isNotebook(uri.path) ? fileOfNotebook(change.text, undefined) : change.text;
    if (file === undefined) throw new MessageError(message("editsNoNotebook", { name: nameOf(uri) }));
    const encoded = () =>
      isNotebook(uri.path) ? new TextEncoder().encode(file) : vscode.workspace.encode(file, { uri });
    const contents = known ?? (await encoded());
    return { ...usual, bytes: undefined, contents };
  }
  const held = refuseWhatOthersHold(uri, change);
  if (held !== undefined) throw new MessageError(held);
  const bytes = await readBytes(uri);
  if (change.kind === "delete") return { ...usual, bytes, wasClean: isClean(uri) };
  if (change.kind === "update" && isNotebook(uri.path)) {
    if (!isUtf8(bytes))
      throw new MessageError(message("editsEncoding", { name: nameOf(uri), encoding: "UTF-8" }));
    const notebook = await openNotebook(uri);
    const isCurrent =
      notebook.isDirty || isAlike(readOpened(notebook), await readAsCells(await readNotebookFile(uri)));
    if (!isCurrent) throw new MessageError(message("editsBehind", { name: nameOf(uri) }));
    const now = readOpened(notebook);
    const onNow = now.kind === "text" ? rebase(change, now.text) : undefined;
    if (onNow !== undefined) checkNotebookEdits(notebook, onNow, remembered.returning);
    const wasClean = !notebook.isDirty;
    const isUnchanged = wasClean && (await isSavedUnchanged(notebook, bytes));
    return { ...usual, bytes, notebook, wasClean, isFaithful: isUnchanged };
  }
  const document = await open(uri);
  const faithful = await isFaithful(bytes, document);
  if (!faithful && (await isBehind(document, bytes))) {
    if (!(await isLoadedAgain(document)))
      throw new MessageError(message("editsBehind", { name: nameOf(uri) }));
    return readPreEditState(change, remembered);
  }
  return { ...usual, bytes, document, wasClean: !document.isDirty, isFaithful: faithful };
}

const isAlike = (one: Reading, other: Reading): boolean =>
  one.kind === "text" && other.kind === "text" && one.text === other.text;

/** A custom editor with its own copy of the file would overwrite the edit, or lose its unsaved changes. */
export function refuseWhatOthersHold(uri: vscode.Uri, { kind }: FileChange): Message | undefined {
  const name = uri.toString();
  const notebook = vscode.workspace.notebookDocuments.find((each) => each.uri.toString() === name);
  const isCells = notebook !== undefined && isOurs(notebook) && isNotebook(uri.path) && kind === "update";
  if (notebook !== undefined && !isCells) return message("editsNotebook", { name: nameOf(uri) });
  // It is open as text beside its cells, which would not know of what was typed there.
  if (isNotebook(uri.path) && kind === "update" && !isClean(uri))
    return message("editsUnsaved", { name: nameOf(uri) });
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const isUnsaved = tabs.some(
    ({ input, isDirty }) =>
      isDirty && input instanceof vscode.TabInputCustom && input.uri.toString() === name && isClean(uri),
  );
  return isUnsaved ? message("editsOwnEditor", { name: nameOf(uri) }) : undefined;
}

interface Remembered {
  /** Finds the bytes of a text deleted earlier, so that it can be restored exactly. */
  find(uri: vscode.Uri, text: string): Uint8Array | undefined;
  /** For a change that is undone or applied again. */
  readonly returning: ReturningCells | undefined;
}

/** @throws MessageError if the change cannot be made. */
function checkNotebookEdits(
  notebook: vscode.NotebookDocument,
  { base, edits }: UpdateChange | MoveChange,
  returning: ReturningCells | undefined,
): void {
  const edit = new vscode.WorkspaceEdit();
  addNotebookEdits(edit, notebook, applyEdits(base.text, edits), returning);
}

async function open(uri: vscode.Uri): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    throw new MessageError(message("editsNotOpened", { name: nameOf(uri) }));
  }
}

/** The document if it is open now, otherwise the closed one. */
export function liveDocument({ document }: Pick<PreEditState, "document">): vscode.TextDocument | undefined {
  if (document?.isClosed !== true) return document;
  const name = document.uri.toString();
  return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === name) ?? document;
}

async function isFaithful(bytes: Uint8Array, document: vscode.TextDocument): Promise<boolean> {
  const { encoding } = document;
  // Characters missing in the encoding are lost at the first save, whoever makes it.
  if (await losesBytes(bytes, { encoding }))
    throw new MessageError(message("editsEncoding", { name: nameOf(document.uri), encoding }));
  if (document.isDirty) return false;
  return isSame(bytes, await vscode.workspace.encode(document.getText(), { encoding }));
}

/**
 * Whether another program has just written the file: VS Code reloads it a moment later, and saving before would be
 * refused.
 */
async function isBehind(document: vscode.TextDocument, bytes: Uint8Array): Promise<boolean> {
  if (document.isDirty || document.isClosed) return false;
  const { encoding } = document;
  return withOneLineEnd(await vscode.workspace.decode(bytes, { encoding })) !== document.getText();
}

/** Milliseconds. VS Code notices a changed file within a few hundred, if at all. */
const longestLoad = 3000;

function isLoadedAgain(document: vscode.TextDocument): Promise<boolean> {
  return new Promise((resolve) => {
    const ended = (isLoaded: boolean) => {
      clearTimeout(waiting);
      listening.dispose();
      resolve(isLoaded);
    };
    const waiting = setTimeout(() => ended(false), longestLoad);
    const listening = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument((event) => event.document === document && ended(true)),
      vscode.workspace.onDidCloseTextDocument((closed) => closed === document && ended(true)),
    );
  });
}

export function isClean(uri: vscode.Uri): boolean {
  const name = uri.toString();
  return vscode.workspace.textDocuments.every(
    (document) => document.uri.toString() !== name || !document.isDirty,
  );
}

/** `undefined` if the file does not exist. */
export function bytesAt(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  return readBytes(uri).then(
    (bytes) => bytes,
    () => undefined,
  );
}

export const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

export const nameOf = (uri: vscode.Uri): string => vscode.workspace.asRelativePath(uri);
