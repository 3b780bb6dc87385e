// Which places belong to an anchor's line. If the line opens a block, those in the block; in flat text, those
// before the next line of its kind, the one directly beneath it first. It judges by indentation, not by language.
import type { Steps } from "../util/yield-to-event-loop.ts";
import { firstThat } from "./binary-search.ts";
import type { Effort } from "./find-places.ts";
import { endOf, isBlank, type Lines, lineAt, startOf } from "./text.ts";

/** A place by where it begins and by its first changed line. */
export interface Spot {
  readonly at: number;
  readonly row: number;
}

/** What was found out about lines, for all the hunks that name the same one. */
export interface Scopes {
  readonly lines: Lines;
  readonly effort: Effort;
  readonly ends: Map<number, Ends>;
}

/** Where what belongs to a line ends, by each way to see it; `block` is undefined when it opens none. */
interface Ends {
  readonly block: number | undefined;
  readonly level: number;
  readonly sibling: number;
}

/**
 * Several answers mean that the anchor does not decide. `loosely` also takes the only spot there is when it lies
 * below the anchor but outside of the block: the anchor was then no more than a signpost.
 */
export function* spotsInScope<S extends Spot>(
  scopes: Scopes,
  anchor: number,
  spots: readonly S[],
  loosely: boolean,
): Steps<readonly S[]> {
  const from = firstThat(spots, ({ row }) => row > anchor);
  const found = from === spots.length ? [] : yield* spotsUnder(scopes, anchor, spots, from);
  if (found.length > 0) return found;
  if (loosely && spots.length === 1 && from === 0) return spots;
  // The hunk changes the very line that its anchor names.
  return spots.slice(
    firstThat(spots, ({ row }) => row >= anchor),
    from,
  );
}

function* spotsUnder<S extends Spot>(
  scopes: Scopes,
  anchor: number,
  spots: readonly S[],
  from: number,
): Steps<readonly S[]> {
  const { block, level, sibling } = yield* endsOf(scopes, anchor);
  const before = (end: number) => firstThat(spots, ({ row }) => row >= end);
  if (block !== undefined) {
    const inside = spots.slice(from, before(block));
    if (inside.length > 0) return inside;
    const beginning = firstThat(spots, ({ at }) => at >= block);
    return spots.slice(from, beginning);
  }
  const inLevel = before(level) > from ? before(level) : spots.length;
  const to = before(sibling) > from ? Math.min(inLevel, before(sibling)) : inLevel;
  const first = spots[from];
  if (first !== undefined && nextFilled(scopes.lines, anchor + 1) >= first.at) return [first];
  return spots.slice(from, to);
}

function* endsOf(scopes: Scopes, anchor: number): Steps<Ends> {
  const known = scopes.ends.get(anchor);
  if (known !== undefined) return known;
  const block = yield* endOfBlock(scopes, anchor);
  const ends: Ends = {
    block,
    level: block === undefined ? yield* endOfLevel(scopes, anchor) : 0,
    sibling: block === undefined ? yield* nextSibling(scopes, anchor) : 0,
  };
  scopes.ends.set(anchor, ends);
  return ends;
}

/** Where the block ends that this line opens; undefined when what follows is not indented deeper. */
function* endOfBlock(scopes: Scopes, anchor: number): Steps<number | undefined> {
  const { lines } = scopes;
  const depth = depthAt(lines, anchor);
  let first = nextFilled(lines, anchor + 1);
  // A brace on its own line belongs to the line above it.
  if (lineAt(lines, first).trim() === "{") first = nextFilled(lines, first + 1);
  if (first >= lines.count || depthAt(lines, first) <= depth) return undefined;
  if (lineAt(lines, anchor).startsWith("#")) return undefined;
  return yield* findRow(scopes, first, (row) => {
    return depthAt(lines, row) <= depth && !/^\s*([)\]}]|#|\/\/)/.test(lineAt(lines, row));
  });
}

function* endOfLevel(scopes: Scopes, anchor: number): Steps<number> {
  const { lines } = scopes;
  const depth = depthAt(lines, anchor);
  return depth === 0 ? lines.count : yield* findRow(scopes, anchor + 1, (row) => depthAt(lines, row) < depth);
}

function* nextSibling(scopes: Scopes, anchor: number): Steps<number> {
  const { lines } = scopes;
  const depth = depthAt(lines, anchor);
  const kind = kindOf(lineAt(lines, anchor));
  return yield* findRow(scopes, anchor + 1, (row) => {
    if (depthAt(lines, row) > depth) return false;
    const other = kindOf(lineAt(lines, row));
    // A heading ends at one of its own or a higher level.
    return kind.startsWith("#") ? other.startsWith("#") && other.length <= kind.length : other === kind;
  });
}

/** What lines of one sort begin with: `## `, `[`, `def`, `<div`. */
function kindOf(line: string): string {
  return /^(#+|\[|<?[\p{L}\p{N}_$@-]+|.)/u.exec(line.trim())?.[0] ?? "";
}

/** The first row from `from` whose line is not empty and passes; the number of lines if none does. */
function* findRow({ lines, effort }: Scopes, from: number, passes: (row: number) => boolean): Steps<number> {
  let row = from;
  while (row < lines.count && (isBlank(lines, row) || !passes(row))) {
    row += 1;
    if (row % 4096 === 0) yield;
  }
  effort.left -= row - from;
  return row;
}

function nextFilled(lines: Lines, from: number): number {
  let row = from;
  while (row < lines.count && isBlank(lines, row)) row += 1;
  return row;
}

/** In columns; a tab leads to the next multiple of eight. */
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
