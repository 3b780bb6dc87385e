// Where a hunk's old lines stand in a text. One pass indexes only the lines that some hunk asks for, by hash;
// each hunk is then tried at the places of its rarest line. Every place is found, not the first: a hunk must
// fit exactly one.
import type { Steps } from "../util/yield-to-event-loop.ts";
import { hashOf, type Tier, tierOf } from "./line-equality.ts";
import type { Pattern } from "./pattern.ts";
import { endOf, type Lines, lineAt, startOf } from "./text.ts";

export interface Index {
  readonly lines: Lines;
  /** By hash, the rows that have it: a chain through `next`, which holds 0 where it ends. */
  readonly chains: ReadonlyMap<number, Chain>;
  readonly next: Int32Array;
  /** What was found before, for all the hunks that ask for the same lines. */
  readonly found: Map<string, Found>;
  readonly effort: Effort;
}

/**
 * Steps left before the search gives up. Hunks of code never come near this; a text of equal lines and a patch made
 * for it would keep an editor busy for minutes.
 */
export interface Effort {
  left: number;
}

export function fullEffort(): Effort {
  return { left: 40_000_000 };
}

interface Chain {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** Old lines found at `at`; `row` is the first that changes, `tier` that of the line that fits most loosely. */
export interface Place {
  readonly at: number;
  readonly row: number;
  readonly tier: Tier;
}

/** In order of lines: all places, and those of each tier. */
export interface Found {
  readonly all: readonly Place[];
  readonly tiers: readonly (readonly Place[])[];
}

/** Only the lines that these hunks and their anchors ask for. */
export function indexLines(lines: Lines, patterns: Iterable<Pattern>, effort = fullEffort()): Index {
  const chains = new Map<number, { first: number; last: number; count: number }>();
  const maybe = new Uint8Array(0x10000);
  const want = (hash: number) => {
    if (maybe[hash & 0xffff] === 1 && chains.has(hash)) return;
    chains.set(hash, { first: 0, last: 0, count: 0 });
    maybe[hash & 0xffff] = 1;
  };
  for (const { hashes, hunk } of patterns) {
    for (const hash of hashes) want(hash);
    for (const anchor of hunk.anchors) want(hashOf(anchor));
  }
  const next = new Int32Array(lines.count);
  for (let row = 0; row < lines.count; row++) {
    const hash = lines.hashes[row] ?? 0;
    const chain = maybe[hash & 0xffff] === 1 ? chains.get(hash) : undefined;
    if (chain === undefined) continue;
    if (chain.count === 0) chain.first = row;
    else next[chain.last] = row;
    chain.last = row;
    chain.count += 1;
  }
  return { lines, chains, next, found: new Map(), effort };
}

export function countOf(index: Index, hash: number): number {
  return index.chains.get(hash)?.count ?? 0;
}

export function rowsOf(index: Index, hash: number): number[] {
  const { first = 0, count = 0 } = index.chains.get(hash) ?? {};
  const rows = new Array<number>(count);
  for (let at = 0, row = first; at < count; at++, row = index.next[row] ?? 0) rows[at] = row;
  return rows;
}

/** Lines more frequent than this are worth remembering. */
const frequent = 16;

export function* findPlaces(index: Index, pattern: Pattern): Steps<Found> {
  const pivot = rarest(index, pattern);
  if (countOf(index, pattern.hashes[pivot] ?? 0) <= frequent)
    return byTier(yield* placesBy(index, pattern, pivot));
  const { lines, caps, change, mayEndBeyond } = pattern;
  const key = `${change.first} ${caps.join("")} ${mayEndBeyond}\n${lines.join("\n")}`;
  const known = index.found.get(key);
  if (known !== undefined) return known;
  const found = byTier(yield* placesBy(index, pattern, pivot));
  index.found.set(key, found);
  return found;
}

export function byTier(all: readonly Place[]): Found {
  const tiers: readonly Place[][] = [[], [], [], []];
  for (const place of all) tiers[place.tier]?.push(place);
  return { all, tiers };
}

/** So much effort is spent without a pause. */
const effortAtOnce = 200_000;

function* placesBy(index: Index, pattern: Pattern, pivot: number): Steps<readonly Place[]> {
  let paused = index.effort.left;
  const places: Place[] = [];
  const { first = 0, count = 0 } = index.chains.get(pattern.hashes[pivot] ?? 0) ?? {};
  for (let left = count, row = first; left > 0 && index.effort.left > 0; left--) {
    const at = row - pivot;
    if (paused - index.effort.left > effortAtOnce) {
      paused = index.effort.left;
      yield;
    }
    row = index.next[row] ?? 0;
    if (!hashesFit(index, pattern, at)) continue;
    let tier: Tier = 0;
    for (let from = 0; from < pattern.lines.length && tier < 4; from += comparedAtOnce) {
      if (from > 0) yield;
      tier = tierAt(index.lines, pattern, at, from, tier);
    }
    if (tier < 4) places.push({ at, row: at + pattern.change.first, tier });
  }
  return places;
}

function rarest(index: Index, { hashes, mayEndBeyond }: Pattern): number {
  // A last line that may stand for the end of the file cannot be searched for.
  const length = mayEndBeyond ? hashes.length - 1 : hashes.length;
  let best = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (let at = 0; at < length; at++) {
    const count = countOf(index, hashes[at] ?? 0);
    if (count < fewest) [best, fewest] = [at, count];
  }
  return best;
}

function hashesFit({ lines, effort }: Index, pattern: Pattern, at: number): boolean {
  const { hashes } = pattern;
  const room = lines.count - at;
  if (at < 0 || room < hashes.length - (pattern.mayEndBeyond ? 1 : 0)) return false;
  const length = Math.min(hashes.length, room);
  let step = 0;
  while (step < length && lines.hashes[at + step] === hashes[step]) step += 1;
  // A place that fits is compared by its characters and kept, which costs the more.
  effort.left -= step < length ? step + 1 : 2 * step + 10;
  return step === length;
}

/** So many lines are compared without a pause: each may have to be brought into another form. */
const comparedAtOnce = 2_000;

/** The loosest of some lines, and of those before. */
function tierAt(lines: Lines, pattern: Pattern, at: number, from: number, before: Tier): Tier {
  let worst = before;
  const length = Math.min(pattern.lines.length, lines.count - at, from + comparedAtOnce);
  for (let step = from; step < length; step++) {
    const wanted = pattern.lines[step] ?? "";
    if (isExactly(lines, at + step, wanted)) continue;
    const tier = tierOf(lineAt(lines, at + step), wanted);
    if (tier > (pattern.caps[step] ?? 0)) return 4;
    if (tier > worst) worst = tier;
  }
  return worst;
}

function isExactly(lines: Lines, row: number, wanted: string): boolean {
  const start = startOf(lines, row);
  return endOf(lines, row) === start + wanted.length && lines.text.startsWith(wanted, start);
}
