// Applies `@@ class B` to the places of a hunk: an anchor names a line, and the hunk belongs to what that line opens.
// Anchors stack, may be abbreviated, and may repeat those of an earlier hunk.

import { firstIndexWhere } from "../../util/collections.ts";
import { endOf, isBlank, type Lines, lineAt, rowOf, startOf } from "../edits.ts";
import { hashOf, type Tier, tierOf } from "./line-equality.ts";
import { type Effort, type Index, rowsOf } from "./matching-lines.ts";

// The scope of an anchor's line: the places within the block that the line opens or, in flat text, those before the
// next line of the same kind. Judged by indentation, not by language.

/** A place, given by its first line and its first changed line. */
interface Spot {
  readonly at: number;
  readonly row: number;
}

/** Cached results about lines, shared by all hunks that name the same line. */
interface Scopes {
  readonly lines: Lines;
  readonly effort: Effort;
  readonly ends: Map<number, Ends>;
}

/** Where the scope of a line ends, by each criterion. `block` is undefined when the line opens no block. */
interface Ends {
  readonly block: number | undefined;
  readonly level: number;
  readonly sibling: number;
}

/**
 * Several results mean that the anchor does not decide. `loosely` also accepts the only spot there is when it is below
 * the anchor but outside its block: the anchor was then merely a landmark.
 */
function spotsInScope<S extends Spot>(
  scopes: Scopes,
  anchor: number,
  spots: readonly S[],
  loosely: boolean,
): readonly S[] {
  const from = firstIndexWhere(spots, ({ row }) => row > anchor);
  const found = from === spots.length ? [] : spotsUnder(scopes, anchor, spots, from);
  if (found.length > 0) return found;
  if (loosely && spots.length === 1 && from === 0) return spots;
  // The hunk changes the anchor's own line.
  return spots.slice(
    firstIndexWhere(spots, ({ row }) => row >= anchor),
    from,
  );
}

function spotsUnder<S extends Spot>(
  scopes: Scopes,
  anchor: number,
  spots: readonly S[],
  from: number,
): readonly S[] {
  const { block, level, sibling } = endsOf(scopes, anchor);
  const before = (end: number) => firstIndexWhere(spots, ({ row }) => row >= end);
  if (block !== undefined) {
    const inside = spots.slice(from, before(block));
    if (inside.length > 0) return inside;
    const beginning = firstIndexWhere(spots, ({ at }) => at >= block);
    return spots.slice(from, beginning);
  }
  const inLevel = before(level) > from ? before(level) : spots.length;
  const to = before(sibling) > from ? Math.min(inLevel, before(sibling)) : inLevel;
  const first = spots[from];
  if (first !== undefined && nextFilled(scopes.lines, anchor + 1) >= first.at) return [first];
  return spots.slice(from, to);
}

function endsOf(scopes: Scopes, anchor: number): Ends {
  const known = scopes.ends.get(anchor);
  if (known !== undefined) return known;
  const block = endOfBlock(scopes, anchor);
  const ends: Ends = {
    block,
    level: block === undefined ? endOfLevel(scopes, anchor) : 0,
    sibling: block === undefined ? nextSibling(scopes, anchor) : 0,
  };
  scopes.ends.set(anchor, ends);
  return ends;
}

/** Returns the end of the block that this line opens, or undefined when what follows is not indented deeper. */
function endOfBlock(scopes: Scopes, anchor: number): number | undefined {
  const { lines } = scopes;
  const depth = depthAt(lines, anchor);
  let first = nextFilled(lines, anchor + 1);
  // A brace on a line of its own belongs to the line above it.
  if (lineAt(lines, first).trim() === "{") first = nextFilled(lines, first + 1);
  if (first >= lines.count || depthAt(lines, first) <= depth) return undefined;
  if (lineAt(lines, anchor).startsWith("#")) return undefined;
  return findRow(scopes, first, (row) => {
    return depthAt(lines, row) <= depth && !/^\s*([)\]}]|#|\/\/)/.test(lineAt(lines, row));
  });
}

function endOfLevel(scopes: Scopes, anchor: number): number {
  const { lines } = scopes;
  const depth = depthAt(lines, anchor);
  return depth === 0 ? lines.count : findRow(scopes, anchor + 1, (row) => depthAt(lines, row) < depth);
}

function nextSibling(scopes: Scopes, anchor: number): number {
  const { lines } = scopes;
  const depth = depthAt(lines, anchor);
  const kind = kindOf(lineAt(lines, anchor));
  return findRow(scopes, anchor + 1, (row) => {
    if (depthAt(lines, row) > depth) return false;
    const other = kindOf(lineAt(lines, row));
    // A heading's scope ends at the next heading of the same or a higher level.
    return kind.startsWith("#") ? other.startsWith("#") && other.length <= kind.length : other === kind;
  });
}

/** What lines of one kind begin with: `## `, `[`, `def`, `<div`. */
function kindOf(line: string): string {
  return /^(#+|\[|<?[\p{L}\p{N}_$@-]+|.)/u.exec(line.trim())?.[0] ?? "";
}

/** Returns the first non-empty row at or after `from` that passes, or the number of lines if none does. */
function findRow({ lines, effort }: Scopes, from: number, passes: (row: number) => boolean): number {
  let row = from;
  while (row < lines.count && (isBlank(lines, row) || !passes(row))) row += 1;
  effort.left -= row - from;
  return row;
}

function nextFilled(lines: Lines, from: number): number {
  let row = from;
  while (row < lines.count && isBlank(lines, row)) row += 1;
  return row;
}

/** In columns; a tab advances to the next multiple of eight. */
function depthAt(lines: Lines, row: number): number {
  let depth = 0;
  const end = endOf(lines, row);
  for (let at = startOf(lines, row); at < end; at++) {
    const char = lines.text.charAt(at);
    if (char === "\t") depth += 8 - (depth % 8);
    else if (char === " ") depth += 1;
    else break;
  }
  return depth;
}

/** Cached results about anchors, shared by all hunks that repeat the same one. */
export interface Anchors extends Scopes {
  readonly index: Index;
  /** The number of lines, not counting empty ones at the end. */
  readonly filled: number;
  readonly alike: Map<string, readonly (readonly Spot[])[]>;
  readonly containing: Map<string, readonly Spot[]>;
}

export function anchorsIn(index: Index): Anchors {
  const { lines, effort } = index;
  let filled = lines.count;
  while (filled > 0 && isBlank(lines, filled - 1)) filled -= 1;
  return { index, lines, effort, filled, ends: new Map(), alike: new Map(), containing: new Map() };
}

/** Returns the spots below the whole stack of anchors, by the strictest reading of them that leaves any. */
export function spotsBelow<S extends Spot>(
  anchors: Anchors,
  stack: readonly string[],
  spots: readonly S[],
  loosely: boolean,
  above?: readonly Spot[],
): readonly S[] {
  const [anchor, ...rest] = stack;
  if (anchor === undefined) return spots;
  for (let level = 0; ; level++) {
    const lines = linesFor(anchors, anchor, level);
    if (lines === undefined) return [];
    const held = above === undefined ? lines : inScopes(anchors, above, lines, loosely);
    const found =
      rest.length > 0
        ? spotsBelow(anchors, rest, spots, loosely, held)
        : inScopes(anchors, held, spots, loosely);
    if (found.length > 0) return found;
  }
}

function inScopes<S extends Spot>(
  anchors: Anchors,
  above: readonly Spot[],
  spots: readonly S[],
  loosely: boolean,
): readonly S[] {
  const found = new Set<S>();
  for (const { row } of above) {
    const own = spotsInScope(anchors, row, spots, loosely);
    if (above.length === 1) return own;
    for (const spot of own) found.add(spot);
    anchors.effort.left -= own.length + 100;
    if (anchors.effort.left < 0) break;
  }
  return [...found].sort((one, other) => one.row - other.row);
}

/** Returns the lines that the last of the stacked anchors can mean, below the other anchors. */
export function rowsOfAnchors(anchors: Anchors, stack: readonly string[]): readonly number[] {
  const last = stack.at(-1);
  if (last === undefined) return [];
  for (let level = 0; ; level++) {
    const lines = linesFor(anchors, last, level);
    if (lines === undefined) return [];
    const found = spotsBelow(anchors, stack.slice(0, -1), lines, lines.length === 1);
    if (found.length > 0) return found.map((spot) => spot.row);
  }
}

export function hasAnchor(anchors: Anchors, anchor: string): boolean {
  return linesFor(anchors, anchor, 0) !== undefined;
}

/**
 * Returns the lines that an anchor can mean, by level: equal, equal except for spelling, beginning with it, containing
 * it.
 */
function linesFor(anchors: Anchors, anchor: string, level: number): readonly Spot[] | undefined {
  const alike = alikeTo(anchors, anchor);
  if (level < alike.length) return alike[level];
  const short = abbreviation(anchor);
  if (short.length < 3) return undefined;
  const spots = containing(anchors, short);
  const leading = spots.filter(({ row }) => lineAt(anchors.lines, row).trimStart().startsWith(short));
  return [leading, spots].filter((own) => own.length > 0)[level - alike.length];
}

function alikeTo(anchors: Anchors, anchor: string): readonly (readonly Spot[])[] {
  const known = anchors.alike.get(anchor);
  if (known !== undefined) return known;
  const spots: (Spot & { readonly tier: Tier })[] = [];
  for (const row of rowsOf(anchors.index, hashOf(anchor))) {
    spots.push({ at: row, row, tier: tierOf(lineAt(anchors.lines, row), anchor) });
  }
  const levels: readonly Tier[] = [0, 2, 3];
  const found = levels.map((level) => spots.filter(({ tier }) => tier <= level));
  const filled = found.filter((own) => own.length > 0);
  anchors.alike.set(anchor, filled);
  return filled;
}

/** `def run(...)`, `def run(): …` and `def run()` all match a line with `def run(`. */
function abbreviation(anchor: string): string {
  const cut = anchor.search(/\.\.\.|…/);
  const short = (cut === -1 ? anchor : anchor.slice(0, cut)).trim();
  return short.replace(/\(\)\s*[:{;]?$/, "(");
}

function containing(anchors: Anchors, words: string): readonly Spot[] {
  const known = anchors.containing.get(words);
  if (known !== undefined) return known;
  const { lines } = anchors;
  const spots: Spot[] = [];
  for (let at = lines.text.indexOf(words); at !== -1; at = lines.text.indexOf(words, at + 1)) {
    if (!standsAlone(lines.text, at, words.length)) continue;
    const row = rowOf(lines, at);
    if (spots.at(-1)?.row !== row) spots.push({ at: row, row });
  }
  // Searching the text itself covers many characters per step.
  anchors.effort.left -= lines.text.length / 64 + spots.length;
  anchors.containing.set(words, spots);
  return spots;
}

/** Whether the match is a whole word: `foo` is one in `a.foo(b)`, but not in `foobar`. */
function standsAlone(text: string, at: number, length: number): boolean {
  const isWord = (offset: number) => /[\p{L}\p{N}_$]/u.test(text.charAt(offset));
  const joinedBefore = isWord(at) && isWord(at - 1);
  const joinedAfter = isWord(at + length - 1) && isWord(at + length);
  return !joinedBefore && !joinedAfter;
}
