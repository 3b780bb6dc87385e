// Finds the files of a folder that are worth reading for a search, nearest first. On the local disk, ripgrep finds them
// and a worker thread sifts them. If either is unavailable, the file walk and the editor do the same more slowly. Reads
// nothing for the model.
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { keyOf } from "../changes/proposal.ts";
import { below, type GuardedFolder } from "../files/guarded-files.ts";
import { type FoundFile, FoundPaths, type WalkReport, type WalkTime, walk } from "../files/walk.ts";
import type { DiskQuery, LocalDisk } from "../files/workspace.ts";
import type { FileName } from "../patch/model.ts";
import { type LineMatcher, TooSlow } from "./line-matcher.ts";
import type { Sifted } from "./search-lines.ts";

export interface Candidate extends FoundFile {
  /** Too large to load as one text. */
  readonly isLarge: boolean;
}

export interface CandidateReport extends WalkReport {
  /** Files that ripgrep found and that were not sifted yet. 0 at the end, unless the time ran out. */
  left: number;
  /** The program was stopped before it had listed all files. */
  isCut: boolean;
  /** Files on which the expression took too long. */
  readonly slow: string[];
  /** A program skipped files on the ignore list, which it does not count. */
  isUncounted: boolean;
}

export interface CandidateOptions {
  readonly matcher: LineMatcher;
  /** A glob for paths. */
  readonly pattern: string | undefined;
  readonly fits: (path: string) => boolean;
  /** `enough`: stops the external program; the files that it has found by then are still read if there is time. */
  readonly time: WalkTime & { readonly enough: AbortSignal };
}

/** Files that are sifted at once. */
const atOnce = 64;
/** After this many slow files, a third one is unlikely to be faster. */
const maxSlow = 2;

export async function* candidates(
  folder: GuardedFolder,
  wanted: CandidateOptions,
  report: CandidateReport,
): AsyncGenerator<readonly Candidate[], void> {
  const { matcher, time } = wanted;
  const query = folder.disk && matcher.rough(folder.disk.isUtf8(folder.start));
  // Start the thread while the program is searching.
  if (query !== undefined) matcher.sift([], true).catch(() => {});
  const program = query && (await pathsFromProgram(folder, query, { ...wanted, ...time }));
  const found = program?.paths;
  if (program !== undefined)
    Object.assign(report, { left: program.paths.count, isCut: program.isCut, isUncounted: true });
  const files = walk(folder, report, wanted.time, found);
  for await (const batch of inBatches(files, wanted.fits)) {
    yield await sift(folder, batch, wanted, report);
    if (found !== undefined) report.left = Math.max(0, report.left - batch.length);
    if (wanted.time.due.aborted || report.slow.length >= maxSlow) return;
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
 * Lists what the editor's ripgrep finds below a folder, and the files open there. Returns `undefined` if ripgrep is
 * unavailable.
 */
export async function pathsFromProgram(
  { disk, start, nameOf }: GuardedFolder,
  query: Omit<DiskQuery, "name" | "signal">,
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
    const asked = { ...query, name, signal: AbortSignal.any([signal, enough]) };
    if (!(await disk.mayHold(place, asked, take))) return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (!enough.aborted) throw error;
    isCut = true;
  }
  take(await openedBelow(disk, start));
  return { paths, isCut };
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

/**
 * Removes files without a match. Files that are open or not on the local disk are kept, since only the editor can read
 * them.
 */
async function sift(
  folder: GuardedFolder,
  batch: readonly FoundFile[],
  { matcher }: CandidateOptions,
  report: CandidateReport,
): Promise<readonly Candidate[]> {
  const { disk } = folder;
  if (disk === undefined) return batch.map((found) => ({ ...found, isLarge: false }));
  const opened = new Set(disk.opened().map(keyOf));
  let asked = batch.filter(({ file }) => !opened.has(keyOf(file)));
  const answers = new Map<FoundFile, Sifted>();
  while (asked.length > 0) {
    const places = asked.map(({ file }) => disk.place(file) ?? "");
    try {
      const sifted = await matcher.sift(places, disk.isUtf8(folder.start));
      for (const [index, found] of asked.entries()) answers.set(found, sifted[index] ?? "ask");
      break;
    } catch (error) {
      const slow = error instanceof TooSlow ? asked[error.index] : undefined;
      if (slow === undefined) throw error;
      report.slow.push(slow.path);
      answers.set(slow, "no");
      if (report.slow.length >= maxSlow) break;
      asked = asked.filter((found) => found !== slow);
    }
  }
  return batch.flatMap((found) => {
    const answer = opened.has(keyOf(found.file)) ? "ask" : (answers.get(found) ?? "no");
    return answer === "no" ? [] : [{ ...found, isLarge: answer === "large" }];
  });
}
