// Walks a folder, nearest files first, without what git ignores. Stops when its time is over, because a workspace can
// contain a million files, and reports this.
import type { FileName } from "../patch/model.ts";
import { foldName } from "../patch/paths.ts";
import { createYieldPoint } from "../util/concurrency.ts";
import { type IgnoreRules, readIgnoreRules } from "../util/ignore-patterns.ts";
import { below, type GuardedFiles, type GuardedFolder } from "./guarded-files.ts";
import { gitIgnoreRules } from "./privacy.ts";
import { Refusal, unlessTooLarge } from "./refusal.ts";
import type { Workspace } from "./workspace.ts";

export interface FoundFile {
  readonly file: FileName;
  /** The path as it is displayed. */
  readonly path: string;
}

export interface WalkReport {
  /** Number of entries that are never shown to the model. */
  hidden: number;
  /** Folders not opened yet; `undefined` at the end unless the time ran out. */
  waiting: { readonly first: string; readonly count: number } | undefined;
  /** Folders that were skipped because their ignore file is too large to read. */
  readonly closed: string[];
  /** Called with a folder's display path when it is found, before it is opened. */
  readonly onFolder?: (path: string) => void;
}

export const newReport = (): WalkReport => ({ hidden: 0, waiting: undefined, closed: [] });

export interface WalkTime {
  /** Aborted when nobody wants the response any more. */
  readonly signal: AbortSignal;
  /** Aborted when the result is due, with what was found so far. */
  readonly due: AbortSignal;
}

export const gitIgnoreFile = ".gitignore";
const neverOpened: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** The rules of one folder's ignore file. */
export interface Layer {
  readonly folder: string;
  readonly rules: IgnoreRules;
}

interface Waiting {
  readonly file: FileName;
  readonly layers: readonly Layer[];
}

/** Without a path: enters every folder of the workspace. Throws Refusal. */
export async function enterFolders(
  files: GuardedFiles,
  path: string | undefined,
  signal: AbortSignal,
): Promise<readonly GuardedFolder[]> {
  const everywhere = path === undefined || path.trim() === "" || path === ".";
  const starts = everywhere && files.folders.length > 1 ? files.folders : [path ?? "."];
  const folders: GuardedFolder[] = [];
  for (const start of starts) folders.push(await files.enter(start, signal));
  return folders;
}

/**
 * `only`: restricts the walk to files found by other means. Other folders are not opened, and what they hide is not
 * counted.
 */
export async function* walk(
  folder: GuardedFolder,
  report: WalkReport,
  { signal, due }: WalkTime,
  only?: FoundPaths,
): AsyncGenerator<FoundFile, void> {
  const waiting: Waiting[] = [{ file: folder.start, layers: await layersAbove(folder) }];
  const pause = createYieldPoint(signal);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    signal.throwIfAborted();
    const { file } = next;
    report.waiting = { first: folder.nameOf(file), count: waiting.length + 1 };
    if (due.aborted) return;
    const { entries, hidden } = await listOrSkip(folder, file);
    if (only === undefined) report.hidden += hidden;
    const hasRules = entries.some(({ name }) => name === gitIgnoreFile);
    const own = hasRules ? await layerOf(folder, file).catch(unlessTooLarge) : [];
    if (own === undefined) {
      report.closed.push(folder.nameOf(file));
      continue;
    }
    const layers = [...own, ...next.layers];
    // Folders such as .github are opened last, since there may not be time for all folders.
    const last: Waiting[] = [];
    const wanted = only === undefined ? entries : entries.filter(({ name }) => only.has(below(file, name)));
    for (const { name, kind } of wanted.toSorted(byName)) {
      await pause();
      const child = below(file, name);
      if (isLeftOut(layers, child.path, kind === "folder")) continue;
      if (kind === "folder") {
        (name.startsWith(".") ? last : waiting).push({ file: child, layers });
        report.onFolder?.(folder.nameOf(child));
      }
      if (kind === "file") yield { file: child, path: folder.nameOf(child) };
    }
    for (const each of last) waiting.push(each);
  }
  report.waiting = undefined;
}

/** Files found below a folder by other means, and the folders that lead to them. */
export class FoundPaths {
  readonly #start: string;
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  constructor({ path }: FileName) {
    this.#start = path === "" ? "" : `${path}/`;
  }

  get count(): number {
    return this.#files.size;
  }

  /** Takes a path relative to the folder. */
  add(path: string): void {
    this.#files.add(this.#start + path);
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = this.#start + path.slice(0, at);
      if (this.#folders.has(folder)) return;
      this.#folders.add(folder);
    }
  }

  has({ path }: FileName): boolean {
    return this.#files.has(path) || this.#folders.has(path);
  }
}

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
async function layersAbove(folder: GuardedFolder): Promise<readonly Layer[]> {
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

/** Only the start must be readable; an unreadable folder does not end a walk. */
async function listOrSkip(folder: GuardedFolder, file: FileName) {
  if (file === folder.start) return folder.list(file);
  return (await folder.list(file).catch(unlessRefused)) ?? { entries: [], hidden: 0 };
}

/** Handler for a promise's `catch`: returns `undefined` for a refusal and rethrows other errors. */
export function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
}

const byName = (one: { name: string }, other: { name: string }): number => (one.name < other.name ? -1 : 1);

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
