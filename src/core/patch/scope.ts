// Which places belong to an anchor's line. If the line opens a block, those in the block; in flat text, those
// before the next line of its kind, the one directly beneath it first. It judges by indentation, not by language.
import { type Lines, lineAt } from "./text.ts";

/** A place by its first changed line; `start` is where it begins. */
export interface Spot {
  readonly start: number;
  readonly row: number;
}

/**
 * Several answers mean that the anchor does not decide. `loosely` also takes the only spot there is when it lies
 * below the anchor but outside of the block: the anchor was then no more than a signpost.
 */
export function spotsInScope<S extends Spot>(
  lines: Lines,
  anchor: number,
  spots: readonly S[],
  loosely: boolean,
): readonly S[] {
  const from = firstAfter(spots, anchor);
  const below = spots.slice(from);
  const found = below.length === 0 ? below : spotsBelowLine(lines, anchor, below);
  if (found.length > 0) return found;
  if (loosely && spots.length === 1 && below.length === 1) return below;
  // The hunk changes the very line that its anchor names.
  return spots.slice(firstAfter(spots, anchor - 1), from);
}

function spotsBelowLine<S extends Spot>(lines: Lines, anchor: number, below: readonly S[]): readonly S[] {
  const blockEnd = endOfBlock(lines, anchor);
  if (blockEnd === undefined) return inFlatText(lines, anchor, below);
  const inside = below.filter((spot) => spot.row < blockEnd);
  return inside.length > 0 ? inside : below.filter((spot) => spot.start < blockEnd);
}

function inFlatText<S extends Spot>(lines: Lines, anchor: number, below: readonly S[]): readonly S[] {
  const leave = endOfIndentation(lines, anchor);
  const level = within(below, leave);
  const section = within(level, nextSibling(lines, anchor));
  const first = section[0];
  if (first === undefined || section.length === 1) return section;
  return isDirectlyBelow(lines, anchor, first.start) ? [first] : section;
}

/** Those before `end`, or all if there are none. */
function within<S extends Spot>(spots: readonly S[], end: number): readonly S[] {
  const inside = spots.filter((spot) => spot.row < end);
  return inside.length > 0 ? inside : spots;
}

function firstAfter(spots: readonly Spot[], anchor: number): number {
  let low = 0;
  let high = spots.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spots[middle]?.row ?? 0) > anchor) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Where the block ends that this line opens; undefined when what follows is not indented deeper. */
function endOfBlock(lines: Lines, anchor: number): number | undefined {
  const depth = depthOf(lineAt(lines, anchor));
  let first = nextFilled(lines, anchor + 1);
  // A brace on its own line belongs to the line above it.
  if (lineAt(lines, first).trim() === "{") first = nextFilled(lines, first + 1);
  if (first >= lines.count || depthOf(lineAt(lines, first)) <= depth) return undefined;
  if (lineAt(lines, anchor).startsWith("#")) return undefined;
  return findRow(lines, first, (line) => depthOf(line) <= depth && !/^\s*([)\]}]|#|\/\/)/.test(line));
}

function endOfIndentation(lines: Lines, anchor: number): number {
  const depth = depthOf(lineAt(lines, anchor));
  return depth === 0 ? lines.count : findRow(lines, anchor + 1, (line) => depthOf(line) < depth);
}

function nextSibling(lines: Lines, anchor: number): number {
  const own = lineAt(lines, anchor);
  const kind = kindOf(own);
  return findRow(lines, anchor + 1, (line) => {
    if (depthOf(line) > depthOf(own)) return false;
    const other = kindOf(line);
    // A heading ends at one of its own or a higher level.
    return kind.startsWith("#") ? other.startsWith("#") && other.length <= kind.length : other === kind;
  });
}

/** What lines of one sort begin with: `## `, `[`, `def`, `<div`. */
function kindOf(line: string): string {
  return /^(#+|\[|<?[\p{L}\p{N}_$@-]+|.)/u.exec(line.trim())?.[0] ?? "";
}

function isDirectlyBelow(lines: Lines, anchor: number, start: number): boolean {
  return nextFilled(lines, anchor + 1) >= start;
}

function nextFilled(lines: Lines, from: number): number {
  return findRow(lines, from, () => true);
}

/** The first row from `from` whose line is not empty and passes; the number of lines if none does. */
function findRow(lines: Lines, from: number, passes: (line: string) => boolean): number {
  for (let row = from; row < lines.count; row++) {
    const line = lineAt(lines, row);
    if (line.trim() !== "" && passes(line)) return row;
  }
  return lines.count;
}

function depthOf(line: string): number {
  let depth = 0;
  for (const char of line) {
    if (char === "\t") depth += 8 - (depth % 8);
    else if (char === " ") depth += 1;
    else break;
  }
  return depth;
}
