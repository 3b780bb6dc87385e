// Finds all places where a hunk's old lines occur in a text. One pass indexes, by hash, only the lines that some hunk
// contains; each hunk is then tried at the places of its rarest line. All places are needed, not just the first,
// because a hunk must fit exactly one.
import { endOf, type Lines, lineAt, startOf } from "../edits.ts";
import type { Hunk, HunkLine, LineRange } from "../model.ts";
import { fold, hashOf, type Tier, tierOf } from "./line-equality.ts";

/** A hunk prepared for the search: its old lines without surrounding empty ones, and how loosely each may match. */
export interface Pattern {
  readonly hunk: Hunk;
  /** The hunk's lines without the bare empty ones at its edges. */
  readonly body: readonly HunkLine[];
  /** The old lines that must be there; empty when the hunk only inserts. */
  readonly lines: readonly string[];
  readonly hashes: readonly number[];
  /** The loosest tier at which each old line may match. */
  readonly caps: readonly Tier[];
  /** How many bare empty lines precede and follow: preferred, but not required. */
  readonly above: number;
  readonly below: number;
  /** The changed part, as indices of old lines: from the first change to after the last. */
  readonly change: { readonly first: number; readonly last: number };
  /** The last old line is an empty context line, which may match the end of the file. */
  readonly mayEndBeyond: boolean;
}

export function preparePattern(hunk: Hunk): Pattern {
  const body = trimBlankEdges(hunk.lines);
  const lines: string[] = [];
  const hashes: number[] = [];
  for (const { kind, text } of body.lines) {
    if (kind === "added") continue;
    lines.push(text);
    hashes.push(hashOf(text));
  }
  return {
    hunk,
    body: body.lines,
    lines,
    hashes,
    caps: capsOf(body.lines, hashes),
    above: body.above,
    below: body.below,
    change: changeOf(body.lines),
    mayEndBeyond: lines.length > 1 && endsWithBlankContext(body.lines),
  };
}

/** The hunk's lines without the bare empty ones at its edges. */
export function trimBlankEdges(lines: readonly HunkLine[]): {
  readonly lines: readonly HunkLine[];
  readonly above: number;
  readonly below: number;
} {
  if (lines[0]?.bare !== true && lines.at(-1)?.bare !== true) return { lines, above: 0, below: 0 };
  const first = lines.findIndex((line) => line.bare !== true);
  const last = lines.findLastIndex((line) => line.bare !== true);
  return { lines: lines.slice(first, last + 1), above: first, below: lines.length - 1 - last };
}

function endsWithBlankContext(lines: readonly HunkLine[]): boolean {
  const last = lines.at(-1);
  return last?.kind === "context" && last.text.trim() === "";
}

function changeOf(lines: readonly HunkLine[]): { first: number; last: number } {
  let old = 0;
  let first: number | undefined;
  let last = 0;
  for (const line of lines) {
    if (line.kind !== "context") first ??= old;
    if (line.kind !== "added") old += 1;
    if (line.kind !== "context") last = old;
  }
  return first === undefined ? { first: 0, last: 0 } : { first, last };
}

/**
 * Computes caps, so that no tier hides what the hunk itself changes: where a removed line and an added one differ in
 * white space only, white space must match; where they differ in look-alikes only, those must.
 */
function capsOf(lines: readonly HunkLine[], hashes: readonly number[]): Tier[] {
  const caps = hashes.map((): Tier => 3);
  let old = 0;
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]?.kind === "context") {
      old += 1;
      continue;
    }
    const from = at;
    while (at + 1 < lines.length && lines[at + 1]?.kind !== "context") at += 1;
    const run = lines.slice(from, at + 1);
    const added = addedByHash(run);
    for (const { kind, text } of run) {
      if (kind === "added") continue;
      caps[old] = capOf(text, added?.get(hashes[old] ?? 0));
      old += 1;
    }
  }
  return caps;
}

/**
 * A pattern in which lines whose indentation the hunk changes match at any indentation; undefined if the hunk changes
 * nothing else.
 */
export function ignoringIndentation(pattern: Pattern): Pattern | undefined {
  if (!pattern.caps.includes(1)) return undefined;
  const hashes = (kind: HunkLine["kind"]) =>
    new Set(pattern.body.flatMap((line) => (line.kind === kind ? [hashOf(line.text)] : [])));
  const [removed, added] = [hashes("removed"), hashes("added")];
  const isMore =
    [...removed].some((hash) => !added.has(hash)) || [...added].some((hash) => !removed.has(hash));
  return isMore ? { ...pattern, caps: pattern.caps.map((cap) => (cap === 1 ? 3 : cap)) } : undefined;
}

/** Groups added lines by hash: lines that differ in spelling only share one. */
function addedByHash(run: readonly HunkLine[]): ReadonlyMap<number, Alike> | undefined {
  // A run of one kind of lines has nothing to compare.
  if (run.every(({ kind }) => kind === run[0]?.kind)) return undefined;
  const added = new Map<number, string | Set<string>>();
  for (const { kind, text } of run) {
    if (kind !== "added") continue;
    const hash = hashOf(text);
    const alike = added.get(hash);
    if (alike === undefined) added.set(hash, text);
    else if (typeof alike !== "string") alike.add(text);
    else if (alike !== text) added.set(hash, new Set([alike, text]));
  }
  return added;
}

/** Most lines have no look-alike, and creating a set for each line of a long hunk would be slow. */
type Alike = string | ReadonlySet<string>;

function capOf(removed: string, alike: Alike | undefined): Tier {
  if (alike === undefined || alike === removed) return 3;
  const others = typeof alike === "string" ? [alike] : [...alike].filter((line) => line !== removed);
  if (others.some((line) => line.trimEnd() === removed.trimEnd())) return 0;
  if (others.some((line) => line.trim() === removed.trim())) return 1;
  return others.some((line) => fold(line) === fold(removed)) ? 2 : 3;
}

/** The lines of the text that the pattern covers at a place. */
export function rangeOf(pattern: Pattern, at: number, lines: Lines): LineRange {
  return { first: at, last: Math.min(lines.count, at + pattern.lines.length) };
}

export interface Index {
  readonly lines: Lines;
  /** Rows by hash: a chain through `next`, which holds 0 at its end. */
  readonly chains: ReadonlyMap<number, Chain>;
  readonly next: Int32Array;
  /** Earlier results, shared by all hunks with the same old lines. */
  readonly found: Map<string, FoundPlaces>;
  readonly effort: Effort;
}

/**
 * How many lines may still be compared before the search gives up. Patches of real code come nowhere near it; without a
 * limit, a file of identical lines with a patch crafted for it could take minutes.
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

/**
 * Old lines found at `at`. `row` is the first line that changes, `tier` the tier of the line that fits most loosely.
 */
export interface Place {
  readonly at: number;
  readonly row: number;
  readonly tier: Tier;
}

/** All places and those of each tier, in order of lines. */
export interface FoundPlaces {
  readonly all: readonly Place[];
  readonly tiers: readonly (readonly Place[])[];
}

/** Indexes only the lines that these hunks and their anchors contain. */
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

/** Results for lines more frequent than this are cached. */
const frequent = 16;

export function findPlaces(index: Index, pattern: Pattern): FoundPlaces {
  const pivot = rarest(index, pattern);
  if (countOf(index, pattern.hashes[pivot] ?? 0) <= frequent) return byTier(placesBy(index, pattern, pivot));
  const { lines, caps, change, mayEndBeyond } = pattern;
  const key = `${change.first} ${caps.join("")} ${mayEndBeyond}\n${lines.join("\n")}`;
  const known = index.found.get(key);
  if (known !== undefined) return known;
  const found = byTier(placesBy(index, pattern, pivot));
  index.found.set(key, found);
  return found;
}

export function byTier(all: readonly Place[]): FoundPlaces {
  const tiers: readonly Place[][] = [[], [], [], []];
  for (const place of all) tiers[place.tier]?.push(place);
  return { all, tiers };
}

function placesBy(index: Index, pattern: Pattern, pivot: number): readonly Place[] {
  const places: Place[] = [];
  const { first = 0, count = 0 } = index.chains.get(pattern.hashes[pivot] ?? 0) ?? {};
  for (let left = count, row = first; left > 0 && index.effort.left > 0; left--) {
    const at = row - pivot;
    row = index.next[row] ?? 0;
    if (!hashesFit(index, pattern, at)) continue;
    const tier = tierAt(index.lines, pattern, at);
    if (tier < 4) places.push({ at, row: at + pattern.change.first, tier });
  }
  return places;
}

function rarest(index: Index, { hashes, mayEndBeyond }: Pattern): number {
  // A last line that may match the end of the file cannot be searched for.
  const length = mayEndBeyond ? hashes.length - 1 : hashes.length;
  let best = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (let at = 0; at < length; at++) {
    const count = countOf(index, hashes[at] ?? 0);
    if (count < fewest) [best, fewest] = [at, count];
    // Hardly any line can be rarer than this.
    if (count <= 1) break;
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
  // A place that fits costs more: it is compared by its characters and kept.
  effort.left -= step < length ? step + 1 : 2 * step + 10;
  return step === length;
}

/** The loosest tier among these lines and the ones before. */
function tierAt(lines: Lines, pattern: Pattern, at: number): Tier {
  let worst: Tier = 0;
  const length = Math.min(pattern.lines.length, lines.count - at);
  for (let step = 0; step < length; step++) {
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
