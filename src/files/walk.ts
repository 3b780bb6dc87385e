// Walks a folder, nearest files first, without what git ignores. Stops when its time is over, because a workspace can
// contain a million files, and reports this.
import type { FileName } from "../patch/model.ts";
import { createYieldPoint } from "../util/concurrency.ts";
import { gitIgnoreFile, isLeftOut, type Layer, layerOf, layersAbove } from "./git-ignore.ts";
import { below, type GuardedFiles, type GuardedFolder } from "./guarded-files.ts";
import { Refusal, unlessTooLarge } from "./refusal.ts";

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
  // Taking the first of many folders out of the list would move all others.
  for (const [at, next] of waiting.entries()) {
    signal.throwIfAborted();
    const { file } = next;
    report.waiting = { first: folder.nameOf(file), count: waiting.length - at };
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
