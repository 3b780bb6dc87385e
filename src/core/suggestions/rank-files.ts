// The files that fit what was typed, in classes of equal rank and length: enough of the best to tell them apart by their
// scores. In short turns, because all files of a workspace are gone through and somebody is typing.

import { inSteps } from "../util/yield-to-event-loop.ts";
import type { Entry } from "./file-index.ts";
import { type PathTable, type Query, rankCount } from "./path-table.ts";

/** For so many milliseconds at a time. */
const slice = 8;
/** So many of the best by rank are told apart by their score. */
const maxScored = 100;
/** Of those that cannot be told apart by rank so many more: the rest is reached by typing on. */
const maxMore = 50;
/** Longer paths of one rank are not told apart. */
const maxLength = 256;
const classCount = rankCount * maxLength;
/** Only the name was looked at, and it does not fit. */
const unranked = 0xffff;

export interface Ranking {
  readonly query: Query;
  readonly files: PathTable<Entry>;
  /** How many rows there were. */
  readonly size: number;
  /** The rows that fit, and where enough names fit others that may. */
  readonly rows: Uint32Array;
  readonly classes: Uint16Array;
  /** How many there are of each class. */
  readonly counts: Uint32Array;
}

/** `before` is of the same files, and of a beginning of this query. */
export async function rankFiles(
  files: PathTable<Entry>,
  query: Query,
  before: Ranking | undefined,
  signal: AbortSignal,
): Promise<Ranking> {
  const pause = inSteps(signal, slice);
  const { size } = files;
  const known = before?.rows.length ?? 0;
  const ranks = newRanks(known + size - (before?.size ?? 0));
  for (let at = 0; at < ranks.rows.length; at++) {
    if (at % 1024 === 0) await pause();
    const row = before === undefined ? at : (before.rows[at] ?? before.size + at - known);
    if (files.mayFit(row, query)) put(ranks, files, row, files.rankInName(row, query));
  }
  // A fit in the folders above comes after all names that fit: with so many of these nobody sees it.
  if (ranks.named < maxScored + maxMore) await addPaths(ranks, files, query, pause);
  const [rows, classes] = [ranks.rows.slice(0, ranks.length), ranks.classes.slice(0, ranks.length)];
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

/** Those that fit somewhere in their path; what does not goes. */
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

/** The best, in no order, where `left` of the best are not wanted; and whether there are no others. */
export function topOf({ files, rows, classes, counts }: Ranking, left: number) {
  const last = lastClass(counts, maxScored + left);
  const best: Entry[] = [];
  const onEdge: Entry[] = [];
  let isAll = true;
  for (let at = 0; at < rows.length; at++) {
    const class_ = classes[at] ?? unranked;
    const isFull = class_ === last && best.length + onEdge.length >= maxScored + maxMore + left;
    if (class_ > last || isFull) {
      isAll = false;
      continue;
    }
    const entry = files.at(rows[at] ?? 0);
    if (entry !== undefined) (class_ < last ? best : onEdge).push(entry);
  }
  return { top: [...best, ...onEdge], isAll };
}

/** Up to which class there are enough. */
function lastClass(counts: Uint32Array, enough: number): number {
  let sum = 0;
  for (let at = 0; at < counts.length; at++) {
    sum += counts[at] ?? 0;
    if (sum >= enough) return at;
  }
  return counts.length;
}
