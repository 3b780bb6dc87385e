// The places one hunk may take: those its lines fit, narrowed by its anchors, its End-of-File marker and its line
// range. The strictest tier that leaves any place wins, and is taken whole: two places in it stay two.
import { rowsOfAnchors, spotsBelow } from "./anchors.ts";
import type { Pattern } from "./pattern.ts";
import { findPlaces, type Index, type Place } from "./seek.ts";
import { type Lines, lineAt } from "./text.ts";

export interface Candidates {
  readonly pattern: Pattern;
  /** In order of lines; empty when the hunk fits nowhere. */
  readonly places: readonly Place[];
  /** Every place its lines fit, at any tier and wherever its anchors point. */
  readonly everywhere: readonly Place[];
  /** Something besides its lines and the order of the hunks speaks for these places. */
  readonly pinned: boolean;
}

export function findCandidates(index: Index, pattern: Pattern): Candidates {
  if (pattern.lines.length === 0) {
    const places = insertionPlaces(index, pattern);
    return { pattern, places, everywhere: places, pinned: true };
  }
  const everywhere = findPlaces(index, pattern);
  const pool = pattern.hunk.atEndOfFile ? preferEnd(index.lines, pattern, everywhere) : everywhere;
  const fitting = strictest(index, pattern, pool);
  const places = byRange(pattern, fitting);
  const narrowed = pool.length < everywhere.length || places.length < fitting.length;
  return { pattern, places, everywhere, pinned: narrowed || pattern.hunk.anchors.length > 0 };
}

function strictest(index: Index, pattern: Pattern, places: readonly Place[]): readonly Place[] {
  for (let tier = 0; tier <= 3; tier++) {
    const inTier = places.filter((place) => place.tier === tier);
    const airy = inTier.filter((place) => hasAir(index.lines, pattern, place));
    for (const group of airy.length < inTier.length ? [airy, inTier] : [inTier]) {
      const found = belowAnchors(index, pattern, group, false);
      if (found.length > 0) return found;
    }
  }
  return places.length === 1 ? belowAnchors(index, pattern, places, true) : [];
}

function belowAnchors(
  index: Index,
  pattern: Pattern,
  places: readonly Place[],
  loosely: boolean,
): readonly Place[] {
  const { anchors } = pattern.hunk;
  if (anchors.length === 0 || places.length === 0) return places;
  const spots = places.map((place) => ({ place, start: place.at, row: place.at + pattern.change.first }));
  return spotsBelow(index, anchors, spots, loosely).map((spot) => spot.place);
}

/** "*** End of File" decides when the lines are at the end, or only empty lines follow; else it says nothing. */
function preferEnd(lines: Lines, pattern: Pattern, places: readonly Place[]): readonly Place[] {
  const after = (place: Place) => place.at + pattern.lines.length;
  const atEnd = places.filter((place) => after(place) >= lines.count);
  if (atEnd.length > 0) return atEnd;
  const nearEnd = places.filter((place) => areBlank(lines, after(place), lines.count));
  return nearEnd.length > 0 ? nearEnd : places;
}

function hasAir(lines: Lines, pattern: Pattern, place: Place): boolean {
  const after = place.at + pattern.lines.length;
  const above = place.at >= pattern.above && areBlank(lines, place.at - pattern.above, place.at);
  return above && areBlank(lines, after, Math.min(after + pattern.below, lines.count));
}

function areBlank(lines: Lines, first: number, last: number): boolean {
  for (let row = first; row < last; row++) if (lineAt(lines, row).trim() !== "") return false;
  return true;
}

/** Among equal places the one that begins exactly on the line the header names. */
function byRange(pattern: Pattern, places: readonly Place[]): readonly Place[] {
  const { range } = pattern.hunk;
  if (range === undefined || places.length < 2) return places;
  const named = places.filter((place) => place.at - pattern.above === range.start - 1);
  return named.length === 1 ? named : places;
}

/** A hunk without old lines goes right below its anchor, to the end of the file, or where its range says. */
function insertionPlaces(index: Index, pattern: Pattern): readonly Place[] {
  const { lines } = index;
  const { anchors, range, atEndOfFile } = pattern.hunk;
  if (atEndOfFile || lines.count === 0) return [{ at: lines.count, tier: 0 }];
  if (anchors.length > 0) {
    const skip = (row: number) => (areBlank(lines, row, row + pattern.above) ? row + pattern.above : row);
    return rowsOfAnchors(index, anchors).map((row) => ({
      at: Math.min(skip(row + 1), lines.count),
      tier: 0,
    }));
  }
  if (range?.length === 0 && range.start <= lines.count) return [{ at: range.start, tier: 0 }];
  return [];
}
