// Finds the files of a folder that are worth reading for a search, nearest first. On the local disk, ripgrep finds
// them; elsewhere every file is. Reads nothing for the model.
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { below, type GuardedFolder } from "../../../files/guarded-files.ts";
import { type FoundFile, FoundPaths, type WalkReport, type WalkTime, walk } from "../../../files/walk.ts";
import type { LinePattern, LocalDisk } from "../../../files/workspace.ts";
import type { FileName } from "../../../patch/model.ts";

export interface CandidateReport extends WalkReport {
  /** Files that ripgrep found and that were not read yet. 0 at the end, unless the time ran out. */
  left: number;
  /** The program was stopped before it had listed all files. */
  isCut: boolean;
  /** A program skipped files on the ignore list, which it does not count. */
  isUncounted: boolean;
}

export interface CandidateOptions {
  readonly lines: LinePattern;
  /** A glob for paths. */
  readonly pattern: string | undefined;
  readonly fits: (path: string) => boolean;
  /** `enough`: stops the external program; the files that it has found by then are still read if there is time. */
  readonly time: WalkTime & { readonly enough: AbortSignal };
}

/** Files that are passed on at once. */
const atOnce = 32;

export async function* candidates(
  folder: GuardedFolder,
  wanted: CandidateOptions,
  report: CandidateReport,
): AsyncGenerator<readonly FoundFile[], void> {
  const { lines, time } = wanted;
  const program = await pathsFromProgram(folder, lines, { ...wanted, ...time });
  const found = program?.paths;
  if (program !== undefined)
    Object.assign(report, { left: program.paths.count, isCut: program.isCut, isUncounted: true });
  for await (const batch of inBatches(walk(folder, report, time, found), wanted.fits)) {
    // The result may be due while this batch is read.
    yield batch;
    if (found !== undefined) report.left = Math.max(0, report.left - batch.length);
    if (time.due.aborted) return;
  }
  report.left = 0;
}

interface CandidateQuery {
  /** A glob for paths. */
  readonly pattern: string | undefined;
  readonly fits: (path: string) => boolean;
  readonly signal: AbortSignal;
  /** When it fires, the files that the program has found so far are the result. */
  readonly enough: AbortSignal;
}

/**
 * Lists the files below a folder in which the editor's ripgrep finds lines, or all of them, the notebooks there in any
 * case, and the files open there. Returns `undefined` if ripgrep is unavailable. Throws Refusal.
 */
export async function pathsFromProgram(
  { disk, start, nameOf }: GuardedFolder,
  lines: LinePattern | undefined,
  { pattern, fits, signal, enough }: CandidateQuery,
): Promise<{ readonly paths: FoundPaths; readonly isCut: boolean } | undefined> {
  const place = disk?.place(start);
  if (disk === undefined || place === undefined) return undefined;
  const paths = new FoundPaths(start);
  const take = (found: readonly string[]) => {
    for (const path of found) if (fits(nameOf(below(start, path)))) paths.add(path);
  };
  const name = pattern !== undefined && /^[\w*.-]+$/.test(pattern) ? pattern : undefined;
  let isCut = false;
  try {
    const isUtf8 = disk.isUtf8(start);
    const asked = { pattern: lines, isUtf8, name, signal: AbortSignal.any([signal, enough]) };
    if (!(await disk.mayHold(place, asked, take))) return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (!enough.aborted) throw error;
    isCut = true;
  }
  take(await openedBelow(disk, start));
  return { paths, isCut };
}

/**
 * Whether a folder may hold files that are never sent. Only their names are looked at: it must not depend on what is in
 * them, since an answer about that would tell it, search by search.
 */
export async function mayHideFiles(
  folders: readonly GuardedFolder[],
  { signal, enough }: Pick<CandidateQuery, "signal" | "enough">,
): Promise<boolean> {
  for (const folder of folders) {
    const { disk, start, hides } = folder;
    // This counts those that Git ignores as well.
    if ((await folder.list(start)).hidden > 0) return true;
    const place = disk?.place(start);
    if (disk === undefined || place === undefined) continue;
    let isHidden = false;
    const take = (found: readonly string[]) => {
      isHidden ||= found.some((path) => hides(below(start, path), false));
    };
    const asked = { pattern: undefined, isUtf8: disk.isUtf8(start), name: undefined };
    try {
      await disk.mayHold(place, { ...asked, signal: AbortSignal.any([signal, enough]) }, take);
    } catch (error) {
      signal.throwIfAborted();
      if (!enough.aborted) throw error;
      return true;
    }
    if (isHidden) return true;
  }
  return false;
}

/** Open files, by their paths below a folder: unsaved text is not on the disk. */
async function openedBelow(disk: LocalDisk, start: FileName): Promise<string[]> {
  const prefix = start.path === "" ? "" : `${start.path}/`;
  const paths: string[] = [];
  for (const file of disk.opened()) {
    if (file.folder !== start.folder || !file.path.startsWith(prefix)) continue;
    const path = file.path.slice(prefix.length);
    // A proposed file is not on the disk yet. Links are skipped, as in a walk.
    const isProposed = disk.place(file) === undefined;
    if (isProposed || (await realPlace(disk, file)) === join((await realPlace(disk, start)) ?? "", path))
      paths.push(path);
  }
  return paths;
}

const realPlace = (disk: LocalDisk, file: FileName): Promise<string | undefined> =>
  realpath(disk.place(file) ?? "").catch(() => undefined);

async function* inBatches(
  files: AsyncIterable<FoundFile>,
  fits: (path: string) => boolean,
): AsyncGenerator<readonly FoundFile[], void> {
  let batch: FoundFile[] = [];
  for await (const found of files) {
    if (!fits(found.path)) continue;
    batch.push(found);
    if (batch.length < atOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
