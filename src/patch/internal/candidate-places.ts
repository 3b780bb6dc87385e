// The places in a file at which one hunk may stand.
import { firstIndexWhere } from "../../util/collections.ts";
import { areBlank, type Lines, lineAt } from "../edits.ts";
import { type Anchors, spotsBelow } from "./anchors.ts";
import { indentOf } from "./indent-scale.ts";
import { insertionPlaces } from "./insertion-places.ts";
import { hashOf } from "./line-equality.ts";
import {
  byTier,
  type FoundPlaces,
  findPlaces,
  ignoringIndentation,
  type Pattern,
  type Place,
} from "./matching-lines.ts";

export interface Candidates {
  readonly pattern: Pattern;
  /** In order of lines; empty when the hunk fits nowhere. */
  readonly places: readonly Place[];
  /** All places that its lines fit, at any tier and regardless of its anchors. */
  readonly everywhere: readonly Place[];
  /** Whether something besides its lines and the order of the hunks confirms these places. */
  readonly pinned: boolean;
}

/**
 * Finds the places that one hunk may take: those its lines fit, narrowed by its anchors, its End-of-File marker and its
 * line range. The strictest tier with any place wins; if it has two places, both are kept.
 */
export function findCandidates(anchors: Anchors, pattern: Pattern): Candidates {
  if (pattern.lines.length === 0) {
    const places = insertionPlaces(anchors, pattern);
    return { pattern, places, everywhere: places, pinned: true };
  }
  const found = findPlaces(anchors.index, pattern);
  return found.all.length === 0 ? findShifted(anchors, pattern) : narrow(anchors, pattern, found);
}

/** Whether the file has these lines at `at`, all shifted by the same white space. */
export function isShifted(lines: Lines, wanted: readonly string[], at: number): boolean {
  const shifts = new Set<string>();
  for (const [step, line] of wanted.entries()) {
    const file = at + step < lines.count ? lineAt(lines, at + step) : "";
    if (line.trim() === "" || file.trim() === "") continue;
    const [own, there] = [indentOf(line), indentOf(file)];
    const isMore = there.startsWith(own);
    if (!isMore && !own.startsWith(there)) return false;
    shifts.add(isMore ? there.slice(own.length) : `-${own.slice(there.length)}`);
  }
  return shifts.size === 1;
}

/** Whether the hunk's new lines are already there, within the place or overlapping its edges. */
function isWrittenAt(lines: Lines, { body, lines: old }: Pattern, at: number): boolean {
  const fresh = body.flatMap(({ kind, text }) => (kind === "removed" ? [] : [text]));
  const hashes = fresh.map(hashOf);
  for (let start = Math.max(0, at - fresh.length); start <= at + old.length; start++) {
    const isThere = hashes.every((hash, step) => lines.hashes[start + step] === hash);
    if (isThere && start + fresh.length <= lines.count && isShifted(lines, fresh, start)) return true;
  }
  return false;
}

/** "*** End of File" decides when the lines are at the end, or only empty lines follow; otherwise it is ignored. */
function preferEnd({ lines, filled }: Anchors, pattern: Pattern, places: readonly Place[]): readonly Place[] {
  for (const end of [lines.count, filled]) {
    const first = firstIndexWhere(places, ({ at }) => at + pattern.lines.length >= end);
    if (first < places.length) return places.slice(first);
  }
  return places;
}

function hasBlankEdges(lines: Lines, pattern: Pattern, place: Place): boolean {
  const after = place.at + pattern.lines.length;
  const above = place.at >= pattern.above && areBlank(lines, place.at - pattern.above, place.at);
  return above && areBlank(lines, after, Math.min(after + pattern.below, lines.count));
}

/** Of equally good places, prefers the one that begins exactly on the line that the header names. */
function byRange(pattern: Pattern, places: readonly Place[]): readonly Place[] {
  const { range } = pattern.hunk;
  if (range === undefined || places.length < 2) return places;
  const wanted = range.start - 1 + pattern.above;
  const named = places[firstIndexWhere(places, ({ at }) => at >= wanted)];
  return named?.at === wanted ? [named] : places;
}

/**
 * A hunk that changes the indentation of lines, for example by wrapping them in a condition, fits only where all its
 * lines are shifted by the same white space and its new lines are not there yet.
 */
function findShifted(anchors: Anchors, pattern: Pattern): Candidates {
  const nowhere: Candidates = { pattern, places: [], everywhere: [], pinned: false };
  const loosened = ignoringIndentation(pattern);
  if (loosened === undefined) return nowhere;
  const { lines } = anchors;
  const shifted = findPlaces(anchors.index, loosened).all.filter(({ at }) =>
    isShifted(lines, loosened.lines, at),
  );
  if (shifted.length === 0 || shifted.some(({ at }) => isWrittenAt(lines, loosened, at))) return nowhere;
  return narrow(anchors, loosened, byTier(shifted));
}

function narrow(anchors: Anchors, pattern: Pattern, found: FoundPlaces): Candidates {
  const everywhere = found.all;
  const pool = pattern.hunk.atEndOfFile ? preferEnd(anchors, pattern, everywhere) : everywhere;
  const fitting = strictest(anchors, pattern, pool === everywhere ? found : byTier(pool));
  const places = byRange(pattern, fitting);
  const narrowed = pool.length < everywhere.length || places.length < fitting.length;
  return { pattern, places, everywhere, pinned: narrowed || pattern.hunk.anchors.length > 0 };
}

function strictest(anchors: Anchors, pattern: Pattern, { all, tiers }: FoundPlaces): readonly Place[] {
  const stack = pattern.hunk.anchors;
  for (const inTier of tiers) {
    const airy = withBlankEdges(anchors, pattern, inTier);
    for (const group of airy.length < inTier.length ? [airy, inTier] : [inTier]) {
      const found = spotsBelow(anchors, stack, group, false);
      if (found.length > 0) return found;
    }
  }
  return all.length === 1 ? spotsBelow(anchors, stack, all, true) : [];
}

function withBlankEdges(anchors: Anchors, pattern: Pattern, places: readonly Place[]): readonly Place[] {
  if (pattern.above + pattern.below === 0) return places;
  anchors.effort.left -= 4 * places.length;
  return places.filter((place) => hasBlankEdges(anchors.lines, pattern, place));
}
