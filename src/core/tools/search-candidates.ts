// Which files of a folder are worth reading for a search, nearest first. On this machine's disk a program of the editor
// finds them and a thread looks into them; where one of both is missing, the walk and the editor do, slowly and with
// the same answer. Reads nothing for the model.
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { keyOf } from "../changes/proposal.ts";
import type { DiskQuery, LocalDisk } from "../changes/workspace.ts";
import { below, type GuardedFolder } from "../files/guarded-files.ts";
import { type Found, FoundPaths, type WalkReport, type WalkTime, walk } from "../files/walk.ts";
import type { FileName } from "../patch/model.ts";
import { type LineMatcher, TooSlow } from "./line-matcher.ts";
import type { Sifted } from "./search-thread.ts";

export interface Candidate extends Found {
  /** Too large for one text. */
  readonly isLarge: boolean;
}

export interface CandidateReport extends WalkReport {
  /** Files that a program found and nobody has looked into yet: none at the end, unless the time was over before. */
  left: number;
  /** The program was ended before it had seen all files. */
  isCut: boolean;
  /** Files on which the expression took too long. */
  readonly slow: string[];
  /** What is on the ignore list was passed over by a program, which does not count it. */
  isUncounted: boolean;
}

export interface Wanted {
  readonly matcher: LineMatcher;
  /** A path's pattern. */
  readonly pattern: string | undefined;
  readonly fits: (path: string) => boolean;
  /** `enough`: what a program has found until then is read, as long as there is time for that. */
  readonly time: WalkTime & { readonly enough: AbortSignal };
}

/** Files that are looked into at one go. */
const atOnce = 64;
/** A third one would not be better. */
const maxSlow = 2;

export async function* candidates(
  folder: GuardedFolder,
  wanted: Wanted,
  report: CandidateReport,
): AsyncGenerator<readonly Candidate[], void> {
  const { matcher, time } = wanted;
  const query = folder.disk && matcher.rough(folder.disk.isUtf8(folder.start));
  // The thread starts while the program is looking.
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

export interface Asked {
  /** A path's pattern. */
  readonly pattern: string | undefined;
  readonly fits: (path: string) => boolean;
  readonly signal: AbortSignal;
  /** What a program has found until then is the answer. */
  readonly enough: AbortSignal;
}

/** What a program of the editor finds below a folder, and what is open there; nothing where there is no such program. */
export async function pathsFromProgram(
  { disk, start, nameOf }: GuardedFolder,
  query: Omit<DiskQuery, "name" | "signal">,
  { pattern, fits, signal, enough }: Asked,
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

/** Open files, by their paths below a folder: what is typed in them is on no disk. */
async function openedBelow(disk: LocalDisk, start: FileName): Promise<string[]> {
  const prefix = start.path === "" ? "" : `${start.path}/`;
  const paths: string[] = [];
  for (const file of disk.opened()) {
    if (file.folder !== start.folder || !file.path.startsWith(prefix)) continue;
    const path = file.path.slice(prefix.length);
    // What is proposed lies nowhere yet. A walk follows no links either.
    const isProposed = disk.place(file) === undefined;
    if (isProposed || (await realPlace(disk, file)) === join((await realPlace(disk, start)) ?? "", path))
      paths.push(path);
  }
  return paths;
}

const realPlace = (disk: LocalDisk, file: FileName): Promise<string | undefined> =>
  realpath(disk.place(file) ?? "").catch(() => undefined);

async function* inBatches(
  files: AsyncIterable<Found>,
  fits: (path: string) => boolean,
): AsyncGenerator<readonly Found[], void> {
  let batch: Found[] = [];
  for await (const found of files) {
    if (!fits(found.path)) continue;
    batch.push(found);
    if (batch.length < atOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Without what holds no match. Of a file that is open, or lies elsewhere, only the editor can tell. */
async function sift(
  folder: GuardedFolder,
  batch: readonly Found[],
  { matcher }: Wanted,
  report: CandidateReport,
): Promise<readonly Candidate[]> {
  const { disk } = folder;
  if (disk === undefined) return batch.map((found) => ({ ...found, isLarge: false }));
  const opened = new Set(disk.opened().map(keyOf));
  let asked = batch.filter(({ file }) => !opened.has(keyOf(file)));
  const answers = new Map<Found, Sifted>();
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
