// The folders of the window by name, and files in settings by URI. Read by the settings at activation, so it imports
// nothing else.
import * as vscode from "vscode";
import type { FileName } from "../patch/model.ts";

/** Folders may have the same name, but the model has to distinguish them. */
export function namedFolders(): (readonly [name: string, folder: vscode.WorkspaceFolder])[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const names = distinctNames(folders.map(({ name }) => name));
  return folders.map((folder, at) => [names[at] ?? folder.name, folder]);
}

/** The first folder with a name keeps it; the others get a number, avoiding the names of other folders. */
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

const lifting = /^!(?=[A-Za-z][A-Za-z0-9+.-]*:\/\/)/;

/**
 * Single files in the user's list of protected files, given by URI: `!file:///home/me/shop/package.json`. All other
 * entries are patterns, which mean the same in every folder.
 */
export const liftedEntry = (file: vscode.Uri): string => `!${file.toString()}`;

export const isPattern = (entry: string): boolean => !lifting.test(entry);

/** Resolves them in each open folder that contains the file. */
export function liftedFiles(entries: readonly string[]): FileName[] {
  const files = entries.filter((entry) => !isPattern(entry)).map((entry) => vscode.Uri.parse(entry.slice(1)));
  return namedFolders().flatMap(([folder, { uri }]) => {
    const isHere = ({ scheme, authority }: vscode.Uri) =>
      scheme === uri.scheme && authority === uri.authority;
    const start = uri.path.endsWith("/") ? uri.path : `${uri.path}/`;
    const below = files.filter((file) => isHere(file) && file.path.startsWith(start));
    return below.map(({ path }) => ({ folder, path: path.slice(start.length) }));
  });
}
