// Goes through a folder, nearest files first, and leaves out what git leaves out. Stops when its time is over, because
// a workspace can hold a million files, and says that it did.
import type { FileName } from "../patch/model.ts";
import { inSteps } from "../util/yield-to-event-loop.ts";
import { below, type GuardedFiles, type GuardedFolder } from "./guarded-files.ts";
import { gitIgnoreRules } from "./ignore-files.ts";
import type { IgnoreRules } from "./ignore-rules.ts";
import { Refusal, unlessTooLarge } from "./refusal.ts";

export interface Found {
  readonly file: FileName;
  /** How the path is written. */
  readonly path: string;
}

export interface WalkReport {
  /** Entries that are never shown to the model. */
  hidden: number;
  /** Folders that are still to be opened: none at the end, unless the time was over before. */
  waiting: { readonly first: string; readonly count: number } | undefined;
  /** Folders that were not opened, because nobody reads an ignore file as large as theirs. */
  readonly closed: string[];
}

export const newReport = (): WalkReport => ({ hidden: 0, waiting: undefined, closed: [] });

export interface WalkTime {
  /** Somebody wants no answer any more. */
  readonly signal: AbortSignal;
  /** The answer is due, with what there is. */
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

/** Without a path: every folder of the workspace. Throws Refusal. */
export async function enterAll(
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

/** `only` leads it to what somebody else has found: other folders are not opened, and what they hide is not counted. */
export async function* walk(
  folder: GuardedFolder,
  report: WalkReport,
  { signal, due }: WalkTime,
  only?: FoundPaths,
): AsyncGenerator<Found, void> {
  const waiting: Waiting[] = [{ file: folder.start, layers: await layersAbove(folder) }];
  const pause = inSteps(signal);
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
    const wanted = only === undefined ? entries : entries.filter(({ name }) => only.has(below(file, name)));
    for (const { name, kind } of wanted.toSorted(byName)) {
      await pause();
      const child = below(file, name);
      if (isLeftOut(layers, child.path, kind === "folder")) continue;
      if (kind === "folder") waiting.push({ file: child, layers });
      if (kind === "file") yield { file: child, path: folder.nameOf(child) };
    }
  }
  report.waiting = undefined;
}

/** Files that somebody else has found below a folder, and the folders that lead to them. */
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

  /** Relative to the folder. */
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

/** The nearest ignore file that has an opinion decides. */
export function isLeftOut(layers: readonly Layer[], path: string, isFolder: boolean): boolean {
  if (isFolder && neverOpened.has(path.slice(path.lastIndexOf("/") + 1))) return true;
  for (const { folder, rules } of layers) {
    const verdict = rules.verdict(folder === "" ? path : path.slice(folder.length + 1), isFolder);
    if (verdict !== undefined) return verdict === "ignore";
  }
  return false;
}

/** The ignore files of the folders that lead to the start; none when the start itself is left out by them. */
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

/** Only the start must be readable; one odd folder does not end a walk. */
async function listOrSkip(folder: GuardedFolder, file: FileName) {
  if (file === folder.start) return folder.list(file);
  return (await folder.list(file).catch(unlessRefused)) ?? { entries: [], hidden: 0 };
}

/** For a promise's `catch`: a refusal is `undefined`, anything else stays an error. */
export function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
}

const byName = (one: { name: string }, other: { name: string }): number => (one.name < other.name ? -1 : 1);
