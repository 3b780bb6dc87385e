// What the editor and the disk say about a checked folder: its unsaved documents, its ignore rules, its scripts, and
// where Git is.
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { unsavedNotebooks } from "../../../editor/workspace/workspace.ts";
import { ignoreFileName, maxIgnoreBytes } from "../../../files/privacy.ts";
import type { FileName } from "../../../patch/model.ts";
import { isNotebook, textOfNotebook } from "../../../patch/notebook.ts";
import type { Overlaid } from "../../check.ts";
import type { Texts } from "../../internal/copy/files-without-links.ts";
import type { ScriptFiles } from "../../internal/suggest-checks.ts";

export interface Root {
  readonly folder: string;
  readonly path: string;
}

/** @throws if they cannot be read: callers then have to treat everything as private. */
export async function ignoreRules(root: Root): Promise<string> {
  const place = join(root.path, ignoreFileName);
  const stats = await lstat(place).catch(() => undefined);
  if (stats === undefined) return "";
  if (!stats.isFile() || stats.size > maxIgnoreBytes) throw new Error(`${ignoreFileName} cannot be read.`);
  return readFile(place, "utf8");
}

export function unsavedIn({ folder, path }: Root): Texts {
  const found: [string, string][] = [];
  const nameIn = (uri: vscode.Uri) => {
    const own = uri.scheme === "file" ? vscode.workspace.getWorkspaceFolder(uri) : undefined;
    return own?.uri.fsPath === path ? nameBelow(uri, own.uri, folder).path : undefined;
  };
  for (const document of vscode.workspace.textDocuments) {
    const name = document.isDirty ? nameIn(document.uri) : undefined;
    if (name === undefined) continue;
    const text = document.getText();
    found.push([name, isNotebook(name) ? (textOfNotebook(text) ?? text) : text]);
  }
  for (const [uri, text] of unsavedNotebooks()) {
    const name = nameIn(uri);
    if (name !== undefined) found.push([name, text]);
  }
  return found;
}

export const overlayOf = ({ folder }: Root, texts: Texts): Overlaid =>
  texts.map(([path, text]) => {
    const file = { folder, path };
    return [file, text === null ? undefined : { file, text }] as const;
  });

const nameBelow = (uri: vscode.Uri, root: vscode.Uri, folder: string): FileName => ({
  folder,
  path: uri.path.slice(root.path.replace(/\/$/, "").length + 1),
});

/** The Git that VS Code has found, never one that a folder provides. */
export async function gitProgram(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<{ getAPI(version: 1): { git: { path: string } } }>(
    "vscode.git",
  );
  try {
    return (await extension?.activate())?.getAPI(1).git.path;
  } catch {
    return undefined;
  }
}

const maxFileBytes = 1_000_000;
const maxPackages = 500;

/** The files that define the scripts of a folder, with proposed texts in their place. */
export function scriptFiles({ folder, path: root }: Root, overlaid: Overlaid): ScriptFiles {
  const own = overlaid.filter(([file]) => file.folder === folder);
  const texts = new Map(own.map(([{ path }, state]) => [path, state?.text]));
  return {
    read: async (path) => (texts.has(path) ? texts.get(path) : readText(join(root, path))),
    async packages() {
      const pattern = new vscode.RelativePattern(vscode.Uri.file(root), "**/package.json");
      const found = await vscode.workspace.findFiles(pattern, "**/node_modules/**", maxPackages);
      const base = vscode.Uri.file(root).path.replace(/\/$/, "").length + 1;
      const paths = [...found.map((uri) => uri.path.slice(base)), ...texts.keys()];
      return [...new Set(paths)].filter((path) => /(?:^|\/)package\.json$/.test(path)).sort();
    },
  };
}

async function readText(place: string): Promise<string | undefined> {
  const stats = await lstat(place).catch(() => undefined);
  if (stats === undefined || !stats.isFile() || stats.size > maxFileBytes) return undefined;
  return readFile(place, "utf8").catch(() => undefined);
}
