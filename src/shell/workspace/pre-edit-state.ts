// Where a change starts from: the document or the bytes as they are just before it, and everything it takes to know
// afterwards what has happened. Reads, and refuses what could not be carried out or would not survive it.

import * as vscode from "vscode";
import { message } from "../../core/messages/message.ts";
import { MessageError } from "../../core/messages/message-error.ts";
import type { FileChange } from "../../core/patch/model.ts";
import { toUri } from "./file-uris.ts";

export interface PreEditState {
  readonly change: FileChange;
  readonly uri: vscode.Uri;
  /** Where a move leads. */
  readonly to: vscode.Uri | undefined;
  /** The bytes of a new file. */
  readonly contents: Uint8Array | undefined;
  /** What is on disk; none where something new is to stand. */
  readonly bytes: Uint8Array | undefined;
  /** Of a change of text: the document, opened without showing it. */
  readonly document: vscode.TextDocument | undefined;
  readonly wasClean: boolean;
  /** Saving the document would change nothing but what was edited: encoding and line ends are what they were. */
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
    const known = remembered(uri, change.text);
    const contents = known ?? (await vscode.workspace.encode(change.text, { uri }));
    return { ...usual, bytes: undefined, contents };
  }
  refuseWhatOthersHold(uri);
  const bytes = await vscode.workspace.fs.readFile(uri);
  if (change.kind === "delete") return { ...usual, bytes, wasClean: isClean(uri) };
  const document = await open(uri);
  const faithful = await isFaithful(bytes, document);
  return { ...usual, bytes, document, wasClean: !document.isDirty, isFaithful: faithful };
}

/** An editor that keeps the file in a form of its own would write over the edit, or lose what it has not saved. */
function refuseWhatOthersHold(uri: vscode.Uri): void {
  const name = uri.toString();
  if (vscode.workspace.notebookDocuments.some((notebook) => notebook.uri.toString() === name))
    throw new MessageError(message("editsNotebook", { name: nameOf(uri) }));
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const isUnsaved = tabs.some(
    ({ input, isDirty }) =>
      isDirty && input instanceof vscode.TabInputCustom && input.uri.toString() === name && isClean(uri),
  );
  if (isUnsaved) throw new MessageError(message("editsOwnEditor", { name: nameOf(uri) }));
}

/** Bytes of a text that was deleted here before, so that it comes back exactly as it was. */
export type Remembered = (uri: vscode.Uri, text: string) => Uint8Array | undefined;

async function open(uri: vscode.Uri): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    throw new MessageError(message("editsNotOpened", { name: nameOf(uri) }));
  }
}

/** The document as it is open now, or the closed one where it is not. */
export function liveDocument({ document }: Pick<PreEditState, "document">): vscode.TextDocument | undefined {
  if (document?.isClosed !== true) return document;
  const name = document.uri.toString();
  return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === name) ?? document;
}

async function isFaithful(bytes: Uint8Array, document: vscode.TextDocument): Promise<boolean> {
  const { encoding } = document;
  const text = await vscode.workspace.decode(bytes, { encoding });
  // Characters that the encoding does not know are lost with the first save, whoever makes it.
  if (text.includes("\uFFFD") && !isSame(bytes, await vscode.workspace.encode(text, { encoding }))) {
    throw new MessageError(message("editsEncoding", { name: nameOf(document.uri), encoding }));
  }
  if (document.isDirty) return false;
  return isSame(bytes, await vscode.workspace.encode(document.getText(), { encoding }));
}

function isClean(uri: vscode.Uri): boolean {
  const name = uri.toString();
  return vscode.workspace.textDocuments.every(
    (document) => document.uri.toString() !== name || !document.isDirty,
  );
}

/** None where there is no file. */
export function bytesAt(uri: vscode.Uri): Thenable<Uint8Array | undefined> {
  return vscode.workspace.fs.readFile(uri).then(
    (bytes) => bytes,
    () => undefined,
  );
}

export const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

export const nameOf = (uri: vscode.Uri): string => vscode.workspace.asRelativePath(uri);
