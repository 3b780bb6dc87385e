// Converts file names between the rooms and VS Code, and reads the bytes of files.

import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join, posix } from "node:path";
import * as vscode from "vscode";
import type { FileChange, FileName } from "../../patch/model.ts";
import { namedFolders } from "../folders.ts";
import type { DiskPath } from "./internal/symlink-race-guard.ts";

/** Identifies the workspace of a conversation; "" if no folder is open. */
export const placeOfWorkspace = (): string =>
  (vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri)?.toString() ?? "";

/** Folder name of the walkthrough's sample, which is not a file. */
export const sampleFolder = "patchbay-sample";
const sampleScheme = "patchbay-sample";

/** @throws if the folder has been removed from the workspace. */
export function toUri(file: FileName): vscode.Uri {
  const uri = findUri(file);
  if (uri === undefined) throw new Error(`The folder ${file.folder} is not open any more.`);
  return uri;
}

/** Like `toUri`, but `undefined` in that case. */
export function findUri(file: FileName): vscode.Uri | undefined {
  const folder = namedFolders().find(([name]) => name === file.folder)?.[1];
  if (folder === undefined && file.folder === sampleFolder)
    return vscode.Uri.from({ scheme: sampleScheme, path: `/${file.path}` });
  if (folder === undefined) return undefined;
  return file.path === "" ? folder.uri : vscode.Uri.joinPath(folder.uri, ...file.path.split("/"));
}

export function toFileName(uri: vscode.Uri): FileName | undefined {
  const owner = vscode.workspace.getWorkspaceFolder(uri);
  const name = namedFolders().find(([, folder]) => folder.index === owner?.index)?.[0];
  if (owner === undefined || name === undefined) return undefined;
  return { folder: name, path: posix.relative(owner.uri.path, uri.path) };
}

/** All paths that the changes touch on this machine's disk; other file systems have no path steps to check. */
export function diskPathsOf(changes: readonly FileChange[]): DiskPath[] {
  const names = changes.flatMap((change) =>
    change.kind === "move" ? [change.file, change.to] : [change.file],
  );
  return names.flatMap(({ folder, path }) => {
    const { scheme, fsPath } = toUri({ folder, path: "" });
    return scheme === "file" ? [{ folder: fsPath, path }] : [];
  });
}

/** How often the changes create, move or remove each file, by its path on this machine's disk. */
export function countEntryChanges(changes: readonly FileChange[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const change of changes)
    for (const { folder, path } of change.kind === "update" ? [] : diskPathsOf([change])) {
      const place = join(folder, path);
      times.set(place, (times.get(place) ?? 0) + 1);
    }
  return times;
}

/**
 * Reads the bytes of a file. On this machine's disk it is opened without blocking: a pipe in place of the file, even
 * one put there after the check, would otherwise block a thread of the editor forever.
 */
export const readBytes = async (uri: vscode.Uri): Promise<Uint8Array> =>
  uri.scheme === "file" ? readRegularFile(uri.fsPath) : vscode.workspace.fs.readFile(uri);

/** Rejects anything but a regular file. */
export async function readRegularFile(path: string): Promise<Uint8Array> {
  const { O_RDONLY, O_NONBLOCK = 0 } = constants;
  const file = await open(path, O_RDONLY | O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new Error("This is no file.");
    return await file.readFile();
  } finally {
    await file.close();
  }
}
