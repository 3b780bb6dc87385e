// What `@@ class B` means for the places below it: an anchor names a line, and a hunk belongs to what that line
// opens (anchor-scope.ts). Anchors stack, may be abbreviated, and may repeat those of an earlier hunk.
import type { Steps } from "../util/yield-to-event-loop.ts";
import { type Scopes, type Spot, spotsInScope } from "./anchor-scope.ts";
import { type Index, rowsOf } from "./find-places.ts";
import { hashOf, type Tier, tierOf } from "./line-equality.ts";
import { isBlank, lineAt, rowOf } from "./text.ts";

/** What was found out about anchors, for all the hunks that repeat the same one. */
export interface Anchors extends Scopes {
  readonly index: Index;
  /** The lines without the empty ones at the end. */
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

/** The spots below the whole stack of anchors, taken by the strictest reading of them that leaves any. */
export function* spotsBelow<S extends Spot>(
  anchors: Anchors,
  stack: readonly string[],
  spots: readonly S[],
  loosely: boolean,
  above?: readonly Spot[],
): Steps<readonly S[]> {
  const [anchor, ...rest] = stack;
  if (anchor === undefined) return spots;
  for (let level = 0; ; level++) {
    const lines = yield* linesFor(anchors, anchor, level);
    if (lines === undefined) return [];
    const held = above === undefined ? lines : yield* inScopes(anchors, above, lines, loosely);
    const found =
      rest.length > 0
        ? yield* spotsBelow(anchors, rest, spots, loosely, held)
        : yield* inScopes(anchors, held, spots, loosely);
    if (found.length > 0) return found;
  }
}

function* inScopes<S extends Spot>(
  anchors: Anchors,
  above: readonly Spot[],
  spots: readonly S[],
  loosely: boolean,
): Steps<readonly S[]> {
  const found = new Set<S>();
  for (const { row } of above) {
    yield;
    const own = yield* spotsInScope(anchors, row, spots, loosely);
    if (above.length === 1) return own;
    for (const spot of own) found.add(spot);
    anchors.effort.left -= own.length + 100;
    if (anchors.effort.left < 0) break;
  }
  return [...found].sort((one, other) => one.row - other.row);
}

/** The lines that the last of the stacked anchors can mean, below the others. */
export function* rowsOfAnchors(anchors: Anchors, stack: readonly string[]): Steps<readonly number[]> {
  const last = stack.at(-1);
  if (last === undefined) return [];
  for (let level = 0; ; level++) {
    const lines = yield* linesFor(anchors, last, level);
    if (lines === undefined) return [];
    const found = yield* spotsBelow(anchors, stack.slice(0, -1), lines, lines.length === 1);
    if (found.length > 0) return found.map((spot) => spot.row);
  }
}

export function* hasAnchor(anchors: Anchors, anchor: string): Steps<boolean> {
  return (yield* linesFor(anchors, anchor, 0)) !== undefined;
}

/** Lines that an anchor can mean, level by level: equal, equal but for spelling, beginning with it, containing it. */
function* linesFor(anchors: Anchors, anchor: string, level: number): Steps<readonly Spot[] | undefined> {
  const alike = yield* alikeTo(anchors, anchor);
  if (level < alike.length) return alike[level];
  const short = abbreviation(anchor);
  if (short.length < 3) return undefined;
  const spots = yield* containing(anchors, short);
  const leading = spots.filter(({ row }) => lineAt(anchors.lines, row).trimStart().startsWith(short));
  return [leading, spots].filter((own) => own.length > 0)[level - alike.length];
}

function* alikeTo(anchors: Anchors, anchor: string): Steps<readonly (readonly Spot[])[]> {
  const known = anchors.alike.get(anchor);
  if (known !== undefined) return known;
  const spots: (Spot & { readonly tier: Tier })[] = [];
  for (const row of rowsOf(anchors.index, hashOf(anchor))) {
    if (spots.length % 4096 === 4095) yield;
    spots.push({ at: row, row, tier: tierOf(lineAt(anchors.lines, row), anchor) });
  }
  const levels: readonly Tier[] = [0, 2, 3];
  const found = levels.map((level) => spots.filter(({ tier }) => tier <= level));
  const filled = found.filter((own) => own.length > 0);
  anchors.alike.set(anchor, filled);
  return filled;
}

/** `def run(...)`, `def run(): …` and `def run()` all stand for a line with `def run(`. */
function abbreviation(anchor: string): string {
  const cut = anchor.search(/\.\.\.|…/);
  const short = (cut === -1 ? anchor : anchor.slice(0, cut)).trim();
  return short.replace(/\(\)\s*[:{;]?$/, "(");
}

function* containing(anchors: Anchors, words: string): Steps<readonly Spot[]> {
  const known = anchors.containing.get(words);
  if (known !== undefined) return known;
  const { lines } = anchors;
  const spots: Spot[] = [];
  let tried = 0;
  for (let at = lines.text.indexOf(words); at !== -1; at = lines.text.indexOf(words, at + 1)) {
    if (++tried % 4096 === 0) yield;
    if (!standsAlone(lines.text, at, words.length)) continue;
    const row = rowOf(lines, at);
    if (spots.at(-1)?.row !== row) spots.push({ at: row, row });
  }
  // A search through the text goes many characters at a step.
  anchors.effort.left -= lines.text.length / 64 + spots.length;
  anchors.containing.set(words, spots);
  return spots;
}

/** `foo` is in `a.foo(b)`, not in `foobar`. */
function standsAlone(text: string, at: number, length: number): boolean {
  const isWord = (offset: number) => /[\p{L}\p{N}_$]/u.test(text.charAt(offset));
  const joinedBefore = isWord(at) && isWord(at - 1);
  const joinedAfter = isWord(at + length - 1) && isWord(at + length);
  return !joinedBefore && !joinedAfter;
}
