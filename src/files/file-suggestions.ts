// Suggests files and folders to attach while a person types after `@`: best matches first, open and recent files before
// others that match equally well. Ranking yields often so that the next keystroke is handled, which then cancels it.

import type { Attachment } from "../conversation/state.ts";
import { compareNaturally } from "../util/collections.ts";
import { createYieldPoint } from "../util/concurrency.ts";
import type { Disposable } from "../util/disposables.ts";
import { raceAbort } from "../util/timeouts.ts";
import { type Entry, FileIndex, type FileIndexDeps } from "./internal/file-index.ts";
import { fuzzyMatch, type Match } from "./internal/fuzzy-match.ts";
import { fitOf, PathTable, type Query, queryOf, rankCount } from "./internal/path-table.ts";

/** Milliseconds of work between pauses. */
const slice = 8;
/** How many of the best by rank are compared by score. */
const maxScored = 100;
/** How many more are considered of the last class, whose entries rank equally; typing more reveals the rest. */
const maxMore = 50;
/** Longer paths of one rank share a class. */
const maxLength = 256;
const classCount = rankCount * maxLength;
/** Marks a row whose name alone was examined and does not match. */
const unranked = 0xffff;

interface Ranking {
  readonly query: Query;
  readonly files: PathTable<Entry>;
  /** The number of rows in the table at that time. */
  readonly size: number;
  /** The rows that match; if enough names match, also rows whose path may match. */
  readonly rows: Uint32Array;
  readonly classes: Uint16Array;
  /** The number of rows in each class. */
  readonly counts: Uint32Array;
}

/**
 * Groups the files that match a query into classes of equal rank and length, so that enough of the best can be scored.
 * It scans all files of a workspace while somebody is typing. `before` must be a ranking of the same files, for a
 * prefix of this query.
 */
async function rankFiles(
  files: PathTable<Entry>,
  query: Query,
  before: Ranking | undefined,
  signal: AbortSignal,
): Promise<Ranking> {
  const pause = createYieldPoint(signal, slice);
  const { size } = files;
  const known = before?.rows.length ?? 0;
  const ranks = newRanks(known + size - (before?.size ?? 0));
  for (let at = 0; at < ranks.rows.length; at++) {
    if (at % 1024 === 0) await pause();
    const row = before === undefined ? at : (before.rows[at] ?? before.size + at - known);
    if (files.mayFit(row, query)) put(ranks, files, row, files.rankInName(row, query));
  }
  // Matches in the folders above rank after all matches in names: with this many of those they would never be visible.
  if (ranks.named < maxScored + maxMore) await addPaths(ranks, files, query, pause);
  // If most rows match, copying would save little memory.
  const isFull = ranks.length * 2 > ranks.rows.length;
  const rows = isFull ? ranks.rows.subarray(0, ranks.length) : ranks.rows.slice(0, ranks.length);
  const classes = isFull ? ranks.classes.subarray(0, ranks.length) : ranks.classes.slice(0, ranks.length);
  return { query, files, size, rows, classes, counts: ranks.counts };
}

interface Ranks {
  readonly rows: Uint32Array;
  readonly classes: Uint16Array;
  readonly counts: Uint32Array;
  length: number;
  named: number;
}

const newRanks = (most: number): Ranks => ({
  rows: new Uint32Array(most),
  classes: new Uint16Array(most),
  counts: new Uint32Array(classCount),
  length: 0,
  named: 0,
});

function put(ranks: Ranks, files: PathTable<Entry>, row: number, rank: number | undefined): void {
  const at = ranks.length++;
  ranks.rows[at] = row;
  if (rank === undefined) {
    ranks.classes[at] = unranked;
    return;
  }
  const class_ = rank * maxLength + Math.min(files.lengthOf(row), maxLength - 1);
  ranks.classes[at] = class_;
  ranks.counts[class_] = (ranks.counts[class_] ?? 0) + 1;
  ranks.named++;
}

/** Ranks by path the rows whose name did not match, and drops those that do not match at all. */
async function addPaths(ranks: Ranks, files: PathTable<Entry>, query: Query, pause: () => Promise<void>) {
  const { length } = ranks;
  ranks.length = 0;
  for (let at = 0; at < length; at++) {
    if (at % 1024 === 0) await pause();
    const row = ranks.rows[at] ?? 0;
    const class_ = ranks.classes[at] ?? unranked;
    if (class_ !== unranked) {
      ranks.rows[ranks.length] = row;
      ranks.classes[ranks.length++] = class_;
      continue;
    }
    const rank = files.rankInPath(row, query);
    if (rank !== undefined) put(ranks, files, row, rank);
  }
}

interface Ranked {
  readonly entry: Entry;
  readonly rank: number;
}

/**
 * Returns the best entries, unordered, with `left` more to make up for those that will not be used; and whether there
 * are no others.
 */
function bestRanked({ files, rows, classes, counts }: Ranking, left: number) {
  const last = lastClass(counts, maxScored + left);
  const best: Ranked[] = [];
  const onEdge: Ranked[] = [];
  let isAll = true;
  for (let at = 0; at < rows.length; at++) {
    const class_ = classes[at] ?? unranked;
    const isFull = class_ === last && best.length + onEdge.length >= maxScored + maxMore + left;
    if (class_ > last || isFull) {
      isAll = false;
      continue;
    }
    const entry = files.at(rows[at] ?? 0);
    const rank = Math.floor(class_ / maxLength);
    if (entry !== undefined) (class_ < last ? best : onEdge).push({ entry, rank });
  }
  return { top: [...best, ...onEdge], isAll };
}

/** The class up to which there are enough entries. */
function lastClass(counts: Uint32Array, enough: number): number {
  let sum = 0;
  for (let at = 0; at < counts.length; at++) {
    sum += counts[at] ?? 0;
    if (sum >= enough) return at;
  }
  return counts.length;
}

export interface FileSuggestion {
  readonly label: string;
  /** Positions of the typed letters in the label. */
  readonly matches?: number[];
  readonly attachment: Attachment;
}

export interface Suggested {
  readonly items: readonly FileSuggestion[];
  /** There may be more: the workspace is still being listed. */
  readonly isIndexing: boolean;
}

export interface FileSuggestions extends Disposable {
  /** Yields again while the workspace is being listed. Throws when aborted. */
  suggest(query: string, signal: AbortSignal): AsyncGenerator<Suggested, void>;
}

const maxItems = 50;

export function createFileSuggestions(deps: FileIndexDeps): FileSuggestions {
  const index = new FileIndex(deps);
  /** Rankings of the prefixes typed so far: matches of the longer query are among those of the shorter one. */
  let rankings: readonly Ranking[] = [];

  async function ranked(typed: string, signal: AbortSignal): Promise<Ranking> {
    const query = queryOf(typed);
    const { files } = index;
    const before = rankings.filter((each) => each.files === files && query.text.startsWith(each.query.text));
    const ranking = await rankFiles(files, query, before.at(-1), signal);
    rankings = [...before.filter((each) => each.query.text !== query.text), ranking];
    return ranking;
  }

  async function suggestionsFor(typed: string, signal: AbortSignal): Promise<readonly FileSuggestion[]> {
    const recent = recentOf(index.recent(), typed);
    const isRecent = new Set(recent.map(({ entry }) => entry.path));
    const ranking = await ranked(typed, signal);
    for (let left = recent.length; ; ) {
      const { top, isAll } = bestRanked(ranking, left);
      const others = top.filter(({ entry }) => !isRecent.has(entry.path));
      const best = [...scored(recent, typed, true), ...scored(others, typed, false)].sort(byFit);
      const { shown, hidden } = await shownOf(best);
      index.drop(hidden);
      if (hidden.length === 0 || isAll || shown.length >= maxItems)
        return shown.slice(0, maxItems).map(suggestion);
      // Hidden entries are replaced by the next best ones.
      left += hidden.length;
    }
  }

  async function shownOf(best: readonly Scored[]) {
    const shown: Scored[] = [];
    const hidden: Entry[] = [];
    for (let at = 0; at < best.length && shown.length < maxItems; ) {
      const some = best.slice(at, at + maxItems - shown.length);
      const isShown = await Promise.all(some.map(({ entry }) => index.isShown(entry)));
      for (const [place, each] of some.entries())
        if (isShown[place]) shown.push(each);
        else hidden.push(each.entry);
      at += some.length;
    }
    return { shown, hidden };
  }

  return {
    async *suggest(query, signal) {
      if (deps.workspace.folders.length === 0) return yield { items: [], isIndexing: false };
      if (!index.isListed) {
        await raceAbort(index.prepare(), signal);
        yield { items: await suggestionsFor(query, signal), isIndexing: true };
      }
      await raceAbort(index.update(), signal);
      yield { items: await suggestionsFor(query, signal), isIndexing: false };
    },
    dispose: () => index.dispose(),
  };
}

interface Scored extends Ranked {
  readonly match: Match;
  readonly isRecent: boolean;
  /** The length of the path without its extension, so that a folder and a file of the same name are equally long. */
  readonly stem: number;
  readonly isFolder: boolean;
}

/** Ranks recent files on their own, because they may be missing from the index. */
function recentOf(entries: readonly Entry[], typed: string): readonly Ranked[] {
  const [files, query] = [new PathTable<Entry>(entries.length), queryOf(typed)];
  return entries.flatMap((entry) => {
    files.add(entry.path, entry);
    const row = files.size - 1;
    const rank = files.mayFit(row, query)
      ? (files.rankInName(row, query) ?? files.rankInPath(row, query))
      : undefined;
    return rank === undefined ? [] : [{ entry, rank }];
  });
}

const scored = (group: readonly Ranked[], typed: string, isRecent: boolean): readonly Scored[] =>
  group.map(({ entry, rank }) => {
    const { path } = entry;
    const isFolder = path.endsWith("/");
    return { entry, rank, isRecent, isFolder, stem: stemOf(path, isFolder), match: fuzzyMatch(path, typed) };
  });

function stemOf(path: string, isFolder: boolean): number {
  if (isFolder) return path.length - 1;
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") + 1 ? dot : path.length;
}

/**
 * Orders by match class, then open files first, then by score; open files with equal scores keep their order, latest
 * first.
 */
function byFit(one: Scored, other: Scored): number {
  const [fit, otherFit] = [fitOf(one.rank), fitOf(other.rank)];
  if (fit !== otherFit) return fit - otherFit;
  if (one.isRecent !== other.isRecent) return one.isRecent ? -1 : 1;
  const difference = other.match.score - one.match.score;
  if (difference !== 0 || one.isRecent) return difference;
  // Short ones first; a file before the folder of its name.
  return (
    one.stem - other.stem ||
    Number(one.isFolder) - Number(other.isFolder) ||
    compareNaturally(one.entry.path, other.entry.path)
  );
}

const suggestion = ({ entry: { path }, match: { positions } }: Scored): FileSuggestion => ({
  label: path,
  ...(positions.length > 0 && { matches: [...positions] }),
  attachment: path.endsWith("/") ? { kind: "folder", path: path.slice(0, -1) } : { kind: "file", path },
});
