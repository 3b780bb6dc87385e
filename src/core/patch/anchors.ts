// What `@@ class B` means for the places below it: an anchor names a line, and a hunk belongs to what that line
// opens (scope.ts). Anchors stack, may be abbreviated, and may repeat those of an earlier hunk.
import { hashOf, type Tier, tierOf } from "./fold.ts";
import { type Spot, spotsInScope } from "./scope.ts";
import { type Index, rowsOf } from "./seek.ts";
import { lineAt, rowOf } from "./text.ts";

/** The spots below the whole stack of anchors, taken by the strictest reading of them that leaves any. */
export function spotsBelow<S extends Spot>(
  index: Index,
  anchors: readonly string[],
  spots: readonly S[],
  loosely: boolean,
): readonly S[] {
  return below(index, anchors, spots, loosely, undefined);
}

function below<S extends Spot>(
  index: Index,
  anchors: readonly string[],
  spots: readonly S[],
  loosely: boolean,
  above: readonly Spot[] | undefined,
): readonly S[] {
  const [anchor, ...rest] = anchors;
  if (anchor === undefined) return spots;
  for (const rows of anchorRows(index, anchor)) {
    const lines = rows.map((row) => ({ start: row, row }));
    const held = above === undefined ? lines : inScopes(index, above, lines, loosely);
    const found =
      rest.length > 0 ? below(index, rest, spots, loosely, held) : inScopes(index, held, spots, loosely);
    if (found.length > 0) return found;
  }
  return [];
}

function inScopes<S extends Spot>(
  index: Index,
  above: readonly Spot[],
  spots: readonly S[],
  loosely: boolean,
): readonly S[] {
  const found = new Set<S>();
  for (const { row } of above)
    for (const spot of spotsInScope(index.lines, row, spots, loosely)) found.add(spot);
  return [...found].sort((one, other) => one.row - other.row);
}

/** The lines that the last of the stacked anchors can mean, below the others. */
export function rowsOfAnchors(index: Index, anchors: readonly string[]): readonly number[] {
  const last = anchors.at(-1);
  if (last === undefined) return [];
  for (const rows of anchorRows(index, last)) {
    const spots = rows.map((row) => ({ start: row, row }));
    const found = spotsBelow(index, anchors.slice(0, -1), spots, spots.length === 1);
    if (found.length > 0) return found.map((spot) => spot.row);
  }
  return [];
}

export function hasAnchor(index: Index, anchor: string): boolean {
  return anchorRows(index, anchor).next().done !== true;
}

/** Lines that an anchor can mean: equal, equal but for spelling, beginning with it, containing it. */
function* anchorRows(index: Index, anchor: string): Generator<readonly number[], undefined> {
  const { lines } = index;
  const alike = rowsOf(index, hashOf(anchor));
  const tiers = alike.map((row) => tierOf(lineAt(lines, row), anchor));
  const levels: readonly Tier[] = [0, 2, 3];
  for (const level of levels) {
    const rows = alike.filter((_, at) => (tiers[at] ?? 4) <= level);
    if (rows.length > 0) yield rows;
  }
  const short = abbreviation(anchor);
  if (short.length < 3) return;
  const rows = rowsWith(index, short);
  const leading = rows.filter((row) => lineAt(lines, row).trimStart().startsWith(short));
  if (leading.length > 0) yield leading;
  if (rows.length > 0) yield rows;
}

/** `def run(...)`, `def run(): …` and `def run()` all stand for a line with `def run(`. */
function abbreviation(anchor: string): string {
  const cut = anchor.search(/\.\.\.|…/);
  const short = (cut === -1 ? anchor : anchor.slice(0, cut)).trim();
  return short.replace(/\(\)\s*[:{;]?$/, "(");
}

function rowsWith(index: Index, words: string): readonly number[] {
  const known = index.containing.get(words);
  if (known !== undefined) return known;
  const { lines } = index;
  const rows: number[] = [];
  for (let at = lines.text.indexOf(words); at !== -1; at = lines.text.indexOf(words, at + 1)) {
    if (!standsAlone(lines.text, at, words.length)) continue;
    const row = rowOf(lines, at);
    if (rows.at(-1) !== row) rows.push(row);
  }
  index.containing.set(words, rows);
  return rows;
}

/** `foo` is in `a.foo(b)`, not in `foobar`. */
function standsAlone(text: string, at: number, length: number): boolean {
  const isWord = (offset: number) => /[\p{L}\p{N}_$]/u.test(text.charAt(offset));
  const joinedBefore = isWord(at) && isWord(at - 1);
  const joinedAfter = isWord(at + length - 1) && isWord(at + length);
  return !joinedBefore && !joinedAfter;
}
