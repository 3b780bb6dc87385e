// Names of files as the core says them, and as VS Code does.
import { join, posix } from "node:path";
import * as vscode from "vscode";
import type { FileChange, FileName } from "../../core/patch/model.ts";
import type { Place } from "./stable-path.ts";

/** Folders may share a name; the model has to tell them apart. */
export function namedFolders(): (readonly [name: string, folder: vscode.WorkspaceFolder])[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const names = distinctNames(folders.map(({ name }) => name));
  return folders.map((folder, at) => [names[at] ?? folder.name, folder]);
}

/** The first of a name has it; the others get a number with it, and none that is somebody's own name. */
export function distinctNames(names: readonly string[]): readonly string[] {
  const own = new Set(names);
  const used = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let count = 2; used.has(free) || (free !== name && own.has(free)); count++)
      free = `${name} (${count})`;
    used.add(free);
    return free;
  });
}

/** What conversations of this window are found again by; empty where no folder is open. */
export const placeOfWorkspace = (): string =>
  (vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri)?.toString() ?? "";

/** Of the walkthrough's sample, which is no file and lies in no folder that is open. */
export const sampleFolder = "patchbay-sample";
export const sampleScheme = "patchbay-sample";

/** Throws when the folder has been taken out of the workspace meanwhile. */
export function toUri(file: FileName): vscode.Uri {
  const uri = findUri(file);
  if (uri === undefined) throw new Error(`The folder ${file.folder} is not open any more.`);
  return uri;
}

/** Nothing then. */
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

/** Every name that the changes touch on this machine's own disk; other file systems have no steps to be looked at. */
export function placesOnDisk(changes: readonly FileChange[]): Place[] {
  const names = changes.flatMap((change) =>
    change.kind === "move" ? [change.file, change.to] : [change.file],
  );
  return names.flatMap(({ folder, path }) => {
    const { scheme, fsPath } = toUri({ folder, path: "" });
    return scheme === "file" ? [{ folder: fsPath, path }] : [];
  });
}

/** How often the changes make, move or remove each file, by its path on this machine's own disk. */
export function comingsAndGoings(changes: readonly FileChange[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const change of changes)
    for (const { folder, path } of change.kind === "update" ? [] : placesOnDisk([change])) {
      const place = join(folder, path);
      times.set(place, (times.get(place) ?? 0) + 1);
    }
  return times;
}
