// Assigns a place to all hunks of a file at once. The combination must be unique: first in the order of the patch, and
// out of order only where every hunk has a single place in the whole file.

import { firstIndexWhere } from "../../util/collections.ts";
import { maxHunksTold, maxPlacesTold } from "../patch-error.ts";
import type { Candidates } from "./candidate-places.ts";
import type { Place } from "./matching-lines.ts";

/** The first places possible for a hunk, and their number: a file of equal lines has as many as lines. */
export interface Open {
  readonly places: readonly Place[];
  readonly count: number;
}

export type Solution =
  | { readonly kind: "solved"; readonly places: readonly Place[] }
  /** Hunks, by index, with several possible places, and the number of further ones. */
  | {
      readonly kind: "ambiguous";
      readonly open: ReadonlyMap<number, Open>;
      readonly others: number;
    }
  /** Two hunks that would change the same lines. */
  | { readonly kind: "entangled"; readonly hunks: readonly [number, number] };

export function solve(hunks: readonly Candidates[]): Solution {
  const earliest = inOrder(hunks);
  if (earliest === undefined) return outOfOrder(hunks);
  const latest = inReverse(hunks) ?? earliest;
  const open = new Map<number, Open>();
  let others = 0;
  for (const [at, { places }] of hunks.entries()) {
    const [from, to] = [earliest[at], latest[at]];
    if (from === undefined || to === undefined || from.at === to.at) continue;
    if (open.size < maxHunksTold)
      open.set(at, openBetween(places, firstFrom(places, from.at), firstFrom(places, to.at + 1)));
    else others += 1;
  }
  return open.size > 0 ? { kind: "ambiguous", open, others } : { kind: "solved", places: earliest };
}

const openBetween = (places: readonly Place[], first: number, last: number): Open => ({
  places: places.slice(first, Math.min(last, first + maxPlacesTold)),
  count: Math.max(0, last - first),
});

/** The highest possible place of each hunk below the one before it; undefined if one has none. */
function inOrder(hunks: readonly Candidates[]): Place[] | undefined {
  const taken: Place[] = [];
  let before: Candidates | undefined;
  let above: Place | undefined;
  for (const hunk of hunks) {
    const floor = before && above ? above.at + before.pattern.change.last - hunk.pattern.change.first : 0;
    let step = firstFrom(hunk.places, floor);
    while (before && above && isSame(hunk, hunk.places[step], before, above)) step += 1;
    above = hunk.places[step];
    if (above === undefined) return undefined;
    taken.push(above);
    before = hunk;
  }
  return taken;
}

/** The lowest possible place of each hunk above the one after it. */
function inReverse(hunks: readonly Candidates[]): Place[] | undefined {
  const taken: Place[] = [];
  let after: Candidates | undefined;
  let below: Place | undefined;
  for (const hunk of [...hunks].reverse()) {
    const ceiling =
      after && below
        ? below.at + after.pattern.change.first - hunk.pattern.change.last
        : Number.MAX_SAFE_INTEGER;
    let step = firstFrom(hunk.places, ceiling + 1) - 1;
    while (after && below && isSame(after, below, hunk, hunk.places[step])) step -= 1;
    below = hunk.places[step];
    if (below === undefined) return undefined;
    taken.push(below);
    after = hunk;
  }
  return taken.reverse();
}

function firstFrom(places: readonly Place[], floor: number): number {
  return firstIndexWhere(places, ({ at }) => at >= floor);
}

function outOfOrder(hunks: readonly Candidates[]): Solution {
  const open = new Map<number, Open>();
  let others = 0;
  for (const [at, hunk] of hunks.entries()) {
    // A second, looser place might be the intended one, because the order no longer confirms the first.
    const choices = hunk.pinned ? hunk.places : hunk.everywhere;
    if (choices.length === 1) continue;
    if (open.size < maxHunksTold) open.set(at, openBetween(choices, 0, choices.length));
    else others += 1;
  }
  if (open.size > 0) return { kind: "ambiguous", open, others };
  const places = hunks.map((hunk) => hunk.places[0] ?? { at: 0, row: 0, tier: 0 as const });
  const order = [...hunks.keys()].sort((a, b) => (places[a]?.row ?? 0) - (places[b]?.row ?? 0) || a - b);
  for (const [step, at] of order.entries()) {
    const next = order[step + 1];
    const [own, other] = [hunks[at], hunks[next ?? at]];
    const [place, below] = [places[at], places[next ?? at]];
    if (next === undefined || !own || !other || !place || !below) continue;
    if (!follows(other, below, own, place)) return { kind: "entangled", hunks: [at, next] };
  }
  return { kind: "solved", places };
}

/** The changes of two hunks may touch, and their context may overlap. */
function follows(hunk: Candidates, own: Place, before: Candidates, above: Place): boolean {
  const [a, b] = [before.pattern, hunk.pattern];
  return own.at + b.change.first >= above.at + a.change.last && !isSame(hunk, own, before, above);
}

/**
 * Two hunks with the same old lines need two places; otherwise one of them was written twice. Only their added lines
 * may follow each other at one place, in the order of the patch.
 */
function isSame(
  hunk: Candidates,
  own: Place | undefined,
  other: Candidates,
  place: Place | undefined,
): boolean {
  const [a, b] = [hunk.pattern, other.pattern];
  if (own === undefined || own.at !== place?.at || a.lines.length !== b.lines.length) return false;
  const sameChange = a.change.first === b.change.first && a.change.last === b.change.last;
  if (!sameChange || a.lines.length === 0) return false;
  return a.change.first < a.change.last || addedBy(hunk) === addedBy(other);
}

function addedBy({ pattern }: Candidates): string {
  return pattern.body.flatMap(({ kind, text }) => (kind === "added" ? [text.trim()] : [])).join("\n");
}
