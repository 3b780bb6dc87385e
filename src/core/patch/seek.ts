// Where a hunk's old lines stand in a text. One pass indexes only the lines that some hunk asks for, by hash;
// each hunk is then tried at the places of its rarest line. Every place is found, not the first: a hunk must
// fit exactly one.
import { type Tier, tierOf } from "./fold.ts";
import type { Pattern } from "./pattern.ts";
import { endOf, type Lines, lineAt, startOf } from "./text.ts";

export interface Index {
  readonly lines: Lines;
  readonly rows: ReadonlyMap<number, readonly number[]>;
  /** Rows by words they contain, filled as anchors ask. */
  readonly containing: Map<string, readonly number[]>;
}

/** Old lines found at `at`; `tier` is that of the line that fits most loosely. */
export interface Place {
  readonly at: number;
  readonly tier: Tier;
}

export function indexLines(lines: Lines, wanted: Iterable<number>): Index {
  const rows = new Map<number, number[]>();
  const maybe = new Uint8Array(0x10000);
  for (const hash of wanted) {
    if (rows.has(hash)) continue;
    rows.set(hash, []);
    maybe[hash & 0xffff] = 1;
  }
  for (let row = 0; row < lines.count; row++) {
    const hash = lines.hashes[row] ?? 0;
    if (maybe[hash & 0xffff] === 1) rows.get(hash)?.push(row);
  }
  return { lines, rows, containing: new Map() };
}

export function findPlaces(index: Index, pattern: Pattern): readonly Place[] {
  // A last line that may stand for the end of the file cannot be searched for.
  const pivot = rarest(index, pattern.mayEndBeyond ? pattern.hashes.slice(0, -1) : pattern.hashes);
  const places: Place[] = [];
  if (pivot === undefined) return places;
  for (const row of pivot.rows) {
    const at = row - pivot.at;
    if (!hashesFit(index.lines, pattern, at)) continue;
    const tier = tierAt(index.lines, pattern, at);
    if (tier < 4) places.push({ at, tier });
  }
  return places;
}

function rarest(
  index: Index,
  hashes: readonly number[],
): { at: number; rows: readonly number[] } | undefined {
  let best: { at: number; rows: readonly number[] } | undefined;
  for (const [at, hash] of hashes.entries()) {
    const rows = index.rows.get(hash) ?? [];
    if (best === undefined || rows.length < best.rows.length) best = { at, rows };
  }
  return best;
}

function hashesFit(lines: Lines, pattern: Pattern, at: number): boolean {
  const { hashes } = pattern;
  const room = lines.count - at;
  if (at < 0 || room < hashes.length - (pattern.mayEndBeyond ? 1 : 0)) return false;
  const length = Math.min(hashes.length, room);
  for (let step = 0; step < length; step++) if (lines.hashes[at + step] !== hashes[step]) return false;
  return true;
}

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
