// Goes through a folder, nearest files first, and leaves out what git leaves out. Stops at a limit, because a
// workspace can hold a million files, and says that it did.
import type { FileName } from "../patch/model.ts";
import { inBreaths } from "../util/breathe.ts";
import { below, type GuardedFiles, type GuardedFolder } from "./guarded-files.ts";
import { type IgnoreRules, readIgnoreRules } from "./ignore-rules.ts";
import { Refusal } from "./refusal.ts";

export interface Found {
  readonly file: FileName;
  /** How the path is written. */
  readonly path: string;
  readonly read: () => Promise<string>;
}

export interface WalkReport {
  /** Entries that are never shown to the model. */
  hidden: number;
  /** Folders that were not opened, because the limit was reached. */
  readonly unopened: string[];
}

const mostEntries = 20_000;
const ignoreFile = ".gitignore";

/** The rules of one folder's ignore file. */
interface Layer {
  readonly folder: string;
  readonly rules: IgnoreRules;
}

interface Waiting {
  readonly file: FileName;
  readonly layers: readonly Layer[];
}

/** Without a path: every folder of the workspace. Throws Refusal. */
export async function* walk(
  files: GuardedFiles,
  path: string | undefined,
  report: WalkReport,
  signal: AbortSignal,
): AsyncGenerator<Found, void> {
  const everywhere = path === undefined || path.trim() === "" || path === ".";
  const starts = everywhere && files.folders.length > 1 ? files.folders : [path ?? "."];
  for (const start of starts) yield* walkFolder(await files.enter(start, signal), report, signal);
}

async function* walkFolder(
  folder: GuardedFolder,
  report: WalkReport,
  signal: AbortSignal,
): AsyncGenerator<Found, void> {
  const waiting: Waiting[] = [{ file: folder.start, layers: await layersAbove(folder) }];
  let seen = 0;
  const breath = inBreaths(signal);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    signal.throwIfAborted();
    const { file } = next;
    if (seen >= mostEntries) {
      report.unopened.push(folder.nameOf(file));
      continue;
    }
    const { entries, hidden } = await listOrSkip(folder, file);
    report.hidden += hidden;
    seen += entries.length;
    const own = entries.some(({ name }) => name === ignoreFile) ? await layerOf(folder, file) : [];
    const layers = [...own, ...next.layers];
    for (const { name, kind } of entries.toSorted(byName)) {
      await breath();
      const child = below(file, name);
      if (isLeftOut(layers, child.path, kind === "folder")) continue;
      if (kind === "folder") waiting.push({ file: child, layers });
      if (kind === "file") yield { file: child, path: folder.nameOf(child), read: () => folder.read(child) };
    }
  }
}

/** The nearest ignore file that has an opinion decides. */
function isLeftOut(layers: readonly Layer[], path: string, isFolder: boolean): boolean {
  if (isFolder && path.split("/").at(-1) === "node_modules") return true;
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

async function layerOf(folder: GuardedFolder, file: FileName): Promise<readonly Layer[]> {
  const text = await folder.read(below(file, ignoreFile)).catch(unlessRefused);
  if (text === undefined) return [];
  return [{ folder: file.path, rules: readIgnoreRules(text.split("\n"), { tolerant: true }) }];
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
