// What .gitignore files leave out: layer by layer while a folder is walked, and of one file as Git would say it.
import type { FileName } from "../patch/model.ts";
import { foldName } from "../patch/paths.ts";
import { memoizeLru } from "../util/collections.ts";
import { type IgnoreRules, readIgnoreRules } from "../util/ignore-patterns.ts";
import { below, type GuardedFolder } from "./guarded-files.ts";
import type { Workspace } from "./workspace.ts";

export const gitIgnoreFile = ".gitignore";
const neverOpened: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** The rules of one folder's ignore file. */
export interface Layer {
  readonly folder: string;
  readonly rules: IgnoreRules;
}

/** Rules of .gitignore files. Invalid lines are skipped, as Git does. */
const gitIgnoreRules: (text: string) => IgnoreRules = memoizeLru((text) =>
  readIgnoreRules(text.split("\n"), { tolerant: true }),
);

/** The nearest ignore file with a matching rule decides. */
export function isLeftOut(layers: readonly Layer[], path: string, isFolder: boolean): boolean {
  if (isFolder && neverOpened.has(path.slice(path.lastIndexOf("/") + 1))) return true;
  for (const { folder, rules } of layers) {
    const verdict = rules.verdict(folder === "" ? path : path.slice(folder.length + 1), isFolder);
    if (verdict !== undefined) return verdict === "ignore";
  }
  return false;
}

/** The ignore files of the start's ancestors; none if they ignore the start itself. */
export async function layersAbove(folder: GuardedFolder): Promise<readonly Layer[]> {
  const names = folder.start.path.split("/").filter((name) => name !== "");
  let layers: readonly Layer[] = [];
  for (let depth = 0; depth < names.length; depth++) {
    const path = names.slice(0, depth).join("/");
    layers = [...(await layerOf(folder, { ...folder.start, path })), ...layers];
    if (isLeftOut(layers, names.slice(0, depth + 1).join("/"), true)) return [];
  }
  return layers;
}

export async function layerOf(folder: GuardedFolder, file: FileName): Promise<readonly Layer[]> {
  const text = await folder.readRules(below(file, gitIgnoreFile));
  return text === undefined ? [] : [{ folder: file.path, rules: gitIgnoreRules(text) }];
}

/**
 * Determines whether Git ignores a file: changes to such a file would not show up in Git. Reads the workspace's own
 * ignore files, not those of the machine. A tracked file that matches a rule counts as ignored.
 */
type GitIgnored = (folder: string, path: string) => Promise<boolean>;

/** Longer ignore files are too slow to evaluate and count as ignoring everything. */
const maxBytes = 64 * 1024;
const maxFolders = 64;
const everything = readIgnoreRules(["*"]);

/** Reads each ignore file once. */
export function createGitIgnored(workspace: Pick<Workspace, "look" | "read">): GitIgnored {
  const known = new Map<string, Promise<IgnoreRules | undefined>>();

  function rulesIn(folder: string, path: string): Promise<IgnoreRules | undefined> {
    const key = `${folder}\0${path}`;
    const rules = known.get(key) ?? readRules(folder, path);
    known.set(key, rules);
    return rules;
  }

  async function readRules(folder: string, path: string): Promise<IgnoreRules | undefined> {
    const file = { folder, path };
    try {
      const { kind, bytes } = await workspace.look(file);
      if (kind !== "file") return undefined;
      const reading = bytes > maxBytes ? undefined : await workspace.read(file);
      if (reading?.kind !== "text") return everything;
      return readIgnoreRules(reading.text.split("\n"), { fold: foldName, tolerant: true });
    } catch {
      return everything;
    }
  }

  /** The nearest rules win, but everything in an ignored folder is ignored. */
  return async (folder, path) => {
    const names = path.split("/");
    if (names.length > maxFolders) return true;
    const layers: (readonly [depth: number, rules: IgnoreRules | undefined])[] = [
      [0, await rulesIn(folder, ".git/info/exclude")],
    ];
    for (let length = 1; length <= names.length; length++) {
      const above = names.slice(0, length - 1);
      layers.push([above.length, await rulesIn(folder, [...above, ".gitignore"].join("/"))]);
      const verdicts = layers.map(([depth, rules]) =>
        rules?.verdict(names.slice(depth, length).join("/"), length < names.length),
      );
      if (verdicts.findLast((verdict) => verdict !== undefined) === "ignore") return true;
    }
    return false;
  };
}
