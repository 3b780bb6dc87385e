// Finds what a command has changed in a copy, before the copy is restored. What a command leaves may be anything: links
// are not followed, and nothing but a plain file is opened.
import type { Stats } from "node:fs";
import { constants } from "node:fs";
import { lstat, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { limits } from "../../../patch/model.ts";
import { fileOfNotebook, isNotebook, textOfNotebook } from "../../../patch/notebook.ts";
import { createYieldPoint } from "../../../util/concurrency.ts";
import type { CopyChanges, LeftFile, OtherFile } from "../../check.ts";
import { notebookFile, type Texts } from "./files-without-links.ts";

interface Copy {
  readonly place: string;
  /** Folders with installed dependencies; what changes in them belongs to nobody's sources. */
  readonly installed: readonly string[];
}

interface CopyAfterRun extends Copy {
  /** The original folder. */
  readonly root: string;
  /** All files that were there before, with their inodes. */
  readonly before: ReadonlyMap<string, number>;
  /** When the command began, by the clock of the disk. */
  readonly since: number;
  /** When the folder's files began to be copied, by the same clock. */
  readonly copied: number;
  /** The folder's files that are in the copy. */
  readonly listed: ReadonlySet<string>;
  /** What was in the copy in place of them. */
  readonly texts: Texts;
  /** Excluded by the privacy rules. */
  isLeftOut(path: string): boolean;
  /** Whether the contents of a file are wanted. */
  wants(path: string): Promise<boolean>;
}

/** With more files than this, nothing is proposed, and the report says so. */
const maxEntries = 2000;

const neverSources: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules", ".venv", "venv"]);

interface Found {
  readonly path: string;
  readonly stats: Stats;
}

/** All files of a copy but installed ones, in real folders. Adds folders that cannot be read to `unreadable`. */
async function* filesIn(
  { place, installed }: Copy,
  signal: AbortSignal,
  unreadable: string[] = [],
): AsyncGenerator<string> {
  const pause = createYieldPoint();
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    // A command may have made its folders unreadable, or its paths too long.
    const entries = await readdir(join(place, folder), { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined) unreadable.push(folder);
    for (const entry of entries ?? []) {
      await pause();
      signal.throwIfAborted();
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (neverSources.has(entry.name) || installed.includes(path)) continue;
      if (entry.isDirectory()) folders.push(path);
      else yield path;
    }
  }
}

/** To be asked before a command runs: what programs have left in the copy is no change of it. */
export async function filesBefore(copy: Copy, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for await (const path of filesIn(copy, signal)) {
    const stats = await lstat(join(copy.place, path)).catch(() => undefined);
    if (stats !== undefined) found.set(path, stats.ino);
  }
  return found;
}

export async function changesInCopy(copy: CopyAfterRun, signal: AbortSignal): Promise<CopyChanges> {
  const { place, listed, since } = copy;
  const texts = new Map(copy.texts);
  if (!(await isFolder(place))) return { ...nothing, isGone: true };
  const expected = new Set([...listed, ...texts.keys()]);
  for (const [path, text] of texts) if (text === null) expected.delete(path);
  const there = new Set<string>();
  const found: Found[] = [];
  const ignored: OtherFile[] = [];
  const moved: string[] = [];
  const unreadable: string[] = [];
  for await (const path of filesIn(copy, signal, unreadable)) {
    there.add(path);
    const stats = await lstat(join(place, path)).catch(() => undefined);
    const isOld = stats !== undefined && stats.ctimeMs < since;
    if (stats === undefined || (isOld && copy.before.get(path) === stats.ino)) continue;
    // One that came with its folder is as old as it was.
    if (isOld && !expected.has(path)) moved.push(path);
    if (found.length > maxEntries) continue;
    // What a build leaves is not proposed, however much it is.
    if (stats.isFile() && !copy.isLeftOut(path) && !(await copy.wants(path)))
      ignored.push({ path, bytes: stats.size, why: "ignored" });
    else found.push({ path, stats });
  }
  const isUnknown = (path: string) =>
    unreadable.some((folder) => folder === "" || path.startsWith(`${folder}/`));
  const isGone = (path: string) =>
    !there.has(path) && !isBelowDependency(path, copy.installed) && !isUnknown(path);
  const gone = [...expected].filter(isGone);
  const lost = unreadable.filter((folder) =>
    [...expected].some((path) => folder === "" || path.startsWith(`${folder}/`)),
  );
  const isTooMany = found.length > maxEntries;
  const result = isTooMany ? tooMany : await readFound(found, copy, texts);
  const changes = result.isTooMany === true ? result : await addDeleted(result, gone, copy, texts);
  const others = [
    ...changes.others,
    ...ignored,
    ...lost.map((path) => ({ path: path || ".", why: "unreadable" as const })),
  ];
  // What restores the copy would take them for outputs of an earlier run.
  for (const path of moved) await rm(join(place, path), { force: true }).catch(() => {});
  return { ...changes, others };
}

const nothing: CopyChanges = { files: [], others: [] };
const tooMany: CopyChanges = { ...nothing, isTooMany: true };

const isBelowDependency = (path: string, installed: readonly string[]): boolean =>
  path.split("/").some((part) => neverSources.has(part)) ||
  installed.some((folder) => path.startsWith(`${folder}/`));

async function readFound(
  found: readonly Found[],
  copy: CopyAfterRun,
  texts: ReadonlyMap<string, string | null>,
): Promise<CopyChanges> {
  const files: LeftFile[] = [];
  const others: OtherFile[] = [];
  for (const { path, stats } of found) {
    const other = (why: OtherFile["why"]) => void others.push({ path, bytes: stats.size, why });
    if (copy.isLeftOut(path)) other("private");
    else if (stats.isSymbolicLink()) {
      // One that the folder has, too, was only looked at.
      if (!copy.listed.has(path)) other("link");
    } else if (!stats.isFile()) other("special");
    else if (stats.size > limits.fileBytes) other("large");
    else {
      const text = await readText(join(copy.place, path));
      const before = await textBefore(path, copy, texts);
      if (text === undefined || before === "no-text") {
        if (!(await isUnchanged(path, copy, texts))) other("binary");
      } else {
        if (before.text !== text) files.push({ path, text, before: before.text, isStale: before.isStale });
        if (isNotebook(path) && !(await hasOnlyText(path, text, copy, texts))) other("outputs");
      }
    }
    if (files.length > limits.files) return tooMany;
  }
  return { files, others };
}

async function addDeleted(
  { files, others }: CopyChanges,
  gone: readonly string[],
  copy: CopyAfterRun,
  texts: ReadonlyMap<string, string | null>,
): Promise<CopyChanges> {
  const deleted: LeftFile[] = [];
  const kept: OtherFile[] = [...others];
  for (const path of gone) {
    const stats = await lstat(join(copy.root, path)).catch(() => undefined);
    // Links that lead out of the folder were never copied.
    if (!texts.has(path) && stats?.isFile() !== true) continue;
    const before = await textBefore(path, copy, texts);
    if (before === "no-text") kept.push({ path, bytes: stats?.size ?? 0, why: "deleted" });
    else deleted.push({ path, text: undefined, before: before.text, isStale: before.isStale });
    if (files.length + deleted.length > limits.files) return tooMany;
  }
  return withoutRenamed({ files: [...files, ...deleted], others: kept });
}

/** As a deletion and a new file, a renamed notebook would lose its outputs: it is only told. */
function withoutRenamed({ files, others }: CopyChanges): CopyChanges {
  const books = files.filter(({ path }) => isNotebook(path));
  const deleted = books.filter(({ text }) => text === undefined);
  const renamed = books.filter(
    ({ text, before }) =>
      text !== undefined && before === undefined && deleted.some((each) => each.before === text),
  );
  const left = new Set(renamed);
  for (const each of deleted) if (renamed.some(({ text }) => text === each.before)) left.add(each);
  const names = new Set(renamed.map(({ path }) => path));
  return {
    files: files.filter((file) => !left.has(file)),
    others: [
      ...others.filter(({ path, why }) => why !== "outputs" || !names.has(path)),
      ...[...names].map((path) => ({ path, why: "renamed" as const })),
    ],
  };
}

/** Whether a notebook differs in nothing but its cells' texts from what the command has found, or from a new one. */
async function hasOnlyText(
  path: string,
  text: string,
  { root, place }: CopyAfterRun,
  texts: ReadonlyMap<string, string | null>,
): Promise<boolean> {
  const [now, own] = await Promise.all([readBytes(join(place, path)), readBytes(join(root, path))]);
  const proposed = texts.get(path);
  const before = typeof proposed === "string" ? notebookFile(root, path, proposed, texts) : own?.toString();
  const meant = fileOfNotebook(text, before);
  try {
    return meant !== undefined && isDeepStrictEqual(JSON.parse(now?.toString() ?? ""), JSON.parse(meant));
  } catch {
    return false;
  }
}

interface Before {
  /** `undefined`: there was none. */
  readonly text: string | undefined;
  /** The folder's own file may have changed since it was copied, so that nobody knows what the command has seen. */
  readonly isStale: boolean;
}

async function textBefore(
  path: string,
  { root, listed, copied }: CopyAfterRun,
  texts: ReadonlyMap<string, string | null>,
): Promise<Before | "no-text"> {
  const text = texts.get(path);
  if (text !== undefined) return { text: text ?? undefined, isStale: false };
  const stats = await lstat(join(root, path)).catch(() => undefined);
  if (!listed.has(path)) return { text: undefined, isStale: stats !== undefined };
  if (stats?.isFile() !== true || stats.ctimeMs >= copied) return { text: undefined, isStale: true };
  if (stats.size > limits.fileBytes) return "no-text";
  const read = await readText(join(root, path));
  return read === undefined ? "no-text" : { text: read, isStale: false };
}

/** Whether a file that is no text was merely touched. */
async function isUnchanged(
  path: string,
  { root, place }: CopyAfterRun,
  texts: ReadonlyMap<string, string | null>,
): Promise<boolean> {
  if (texts.has(path)) return false;
  const [now, before] = await Promise.all([readBytes(join(place, path)), readBytes(join(root, path))]);
  return now !== undefined && before?.equals(now) === true;
}

const isFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/** `undefined` if it is no text in UTF-8. */
async function readText(path: string): Promise<string | undefined> {
  const bytes = await readBytes(path);
  if (bytes === undefined || bytes.includes(0)) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return isNotebook(path) ? textOfNotebook(text) : text;
  } catch {
    return undefined;
  }
}

/** Never waits for a pipe, nor follows a link that has taken the place of the file. */
async function readBytes(path: string): Promise<Buffer | undefined> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat();
    return stats.isFile() && stats.size <= limits.fileBytes ? await handle.readFile() : undefined;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
