// Checks the files of a plan before and after it is written: whether they still match it, may be written, and are where
// they were meant to be. Only reads.
import * as vscode from "vscode";
import { type Message, message } from "../../../conversation/messages.ts";
import type { RefusedFile, Workspace } from "../../../files/workspace.ts";
import type { FileChange, FileName, Reading } from "../../../patch/model.ts";
import { inBatches } from "../../../util/concurrency.ts";
import { toUri } from "../file-uris.ts";
import {
  bytesAt,
  isClean,
  isSame,
  nameOf,
  type PreEditState,
  refuseWhatOthersHold,
} from "./pre-edit-state.ts";
import { isRedirected, lookAgain } from "./rollback.ts";

/**
 * Why a file cannot be written: whether VS Code would let the user write here, by the file system and by the user's
 * settings.
 */
function refuseReadOnly(uri: vscode.Uri, isWritable: boolean): Message | undefined {
  const name = vscode.workspace.asRelativePath(uri);
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false)
    return message("editsFixedDisk", { name });
  if (!isWritable) return message("editsReadOnly", { name });
  return isReadOnlyBySettings(uri) ? message("editsReadOnlySetting", { name }) : undefined;
}

function isReadOnlyBySettings(uri: vscode.Uri): boolean {
  const configuration = vscode.workspace.getConfiguration("files", uri);
  const matches = (key: string) =>
    Object.entries(configuration.get<Record<string, unknown>>(key) ?? {}).some(
      ([glob, on]) => on === true && isMatch(glob, uri),
    );
  return matches("readonlyInclude") && !matches("readonlyExclude");
}

/** Matching requires a document, but uses only its URI. */
function isMatch(glob: string, uri: vscode.Uri): boolean {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const patterns = folder === undefined ? [glob] : [glob, new vscode.RelativePattern(folder, glob)];
  const document = { uri, languageId: "plaintext", notebook: undefined } as unknown as vscode.TextDocument;
  return patterns.some((pattern) => vscode.languages.match({ pattern }, document) > 0);
}

type WorkspaceReader = Pick<Workspace, "look" | "read" | "sha256">;

/**
 * Checks whether files still match a plan: each is still at the same real path, and nothing is in the place of a new
 * one. Called before anything is done, and once more just before the edit.
 */
export async function verifyPlan(changes: readonly FileChange[], world: WorkspaceReader): Promise<boolean> {
  const freed = new Map<string, number>();
  for (const [at, { kind, file }] of changes.entries())
    if ((kind === "delete" || kind === "move") && !freed.has(keyOf(file))) freed.set(keyOf(file), at);
  const asPlanned = await inBatches(changes, (change, at) => {
    const isFreed = (file: FileName) => (freed.get(keyOf(file)) ?? at) < at;
    return isAsPlanned(change, isFreed, world);
  });
  return asPlanned.every(Boolean);
}

const keyOf = ({ folder, path }: FileName): string => `${folder}\0${path}`;

async function isAsPlanned(
  change: FileChange,
  isFreed: (file: FileName) => boolean,
  { look, read, sha256 }: WorkspaceReader,
): Promise<boolean> {
  const isFree = async (file: FileName, real: string) => {
    if (isFreed(file)) return true;
    const standing = await look(file);
    return standing.kind === "nothing" && standing.real === real;
  };
  if (change.kind === "add") return isFree(change.file, change.permission.real);
  const standing = await look(change.file);
  if (standing.kind !== "file" || standing.real !== change.permission.real) return false;
  if (change.kind === "move" && !(await isFree(change.to, change.toReal))) return false;
  // An edited text is compared with its document, at the last moment.
  if (change.kind !== "delete") return true;
  const reading = await read(change.file);
  return reading.kind === "text" && sha256(reading.text) === change.base.sha256;
}

/** The files that cannot be written, with the reasons. */
export async function findRefusals(
  changes: readonly FileChange[],
  { look, read }: WorkspaceReader,
): Promise<readonly RefusedFile[]> {
  const reasons = await inBatches(changes, async (change) => {
    const uri = toUri(change.file);
    const { writable } = await look(change.file);
    return (
      refuseReadOnly(uri, writable) ??
      (change.kind === "add" ? undefined : refuseWhatOthersHold(uri, change)) ??
      (change.kind === "delete" && !isClean(uri)
        ? message("editsUnsaved", { name: vscode.workspace.asRelativePath(uri) })
        : undefined) ??
      ("edits" in change ? refuseLossy(uri, await read(change.file).catch(() => undefined)) : undefined)
    );
  });
  return changes.flatMap(({ file }, at) => {
    const why = reasons[at];
    return why === undefined ? [] : [{ file, why }];
  });
}

/** Invalid bytes would be lost at the first save, whoever makes it. */
const refuseLossy = (uri: vscode.Uri, reading: Reading | undefined): Message | undefined =>
  reading?.kind === "text" && reading.undecoded !== undefined
    ? message("editsEncoding", {
        name: vscode.workspace.asRelativePath(uri),
        encoding: reading.undecoded,
      })
    : undefined;

// After the edit: whether everything is where it was meant to be, and what may have been redirected by a folder that
// was swapped while VS Code wrote (threats C6).

type PathReader = Pick<Workspace, "look">;

/** A folder on the path may have been swapped for a link at the last moment. */
export async function haveLandedWhereMeant(
  states: readonly PreEditState[],
  world: PathReader,
): Promise<boolean> {
  const landed = await inBatches(states, async ({ change, to, bytes }) => {
    if (!(await isWhereMeant(change, world))) return false;
    if (change.kind !== "move" || change.edits.length > 0 || to === undefined) return true;
    const moved = await bytesAt(to);
    return moved !== undefined && bytes !== undefined && isSame(moved, bytes);
  });
  return landed.every(Boolean);
}

/** Whether the file (or its absence, if deleted) is at the place that was checked. */
export async function isWhereMeant(change: FileChange, world: PathReader): Promise<boolean> {
  if (change.kind === "delete") return !(await isRedirected(change.file, world));
  const [file, real] =
    change.kind === "move" ? [change.to, change.toReal] : [change.file, change.permission.real];
  const standing = await lookAgain(file, world);
  return standing?.kind === "file" && standing.real === real;
}

/**
 * Files that VS Code reports as written but that are missing: the folder was swapped, and perhaps swapped back, around
 * the write.
 */
export async function findRedirected(states: readonly PreEditState[], world: PathReader): Promise<string[]> {
  const redirected: string[] = [];
  for (const { change, uri, to, contents } of states) {
    const place = to ?? (contents === undefined ? undefined : uri);
    if (place === undefined) continue;
    if ((await bytesAt(place)) === undefined || !(await isWhereMeant(change, world)))
      redirected.push(nameOf(place));
  }
  return redirected;
}
