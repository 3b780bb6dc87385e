// Two ways on from the same text, put together: what only one of them changed is taken, and where both changed the same
// lines, or lines that touch, there is a conflict. As git merges; in a conflict the lines of `mine` stay. Pure.
import { atOnce, type Steps } from "../util/yield-to-event-loop.ts";
import { diffing, type LineChange, linesOf } from "./diff-lines.ts";

export interface Merged {
  readonly text: string;
  /** The places that both have changed, each in its own way. */
  readonly conflicts: readonly Conflict[];
}

/** Lines [from, to) of the merged text, which are those of `mine`, and what `theirs` has made of them. */
export interface Conflict {
  readonly from: number;
  readonly to: number;
  readonly theirs: readonly string[];
}

/** Lines [from, to) of `mine` are replaced by those of `theirs`. */
interface Taken {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

export const merge3 = (base: string, mine: string, theirs: string): Merged =>
  atOnce(merging(base, mine, theirs));

/** The same for long texts, in pieces. */
export function* merging(base: string, mine: string, theirs: string): Steps<Merged> {
  if (mine === theirs || base === theirs) return { text: mine, conflicts: [] };
  if (base === mine) return { text: theirs, conflicts: [] };
  const [old, own, other] = [linesOf(base), linesOf(mine), linesOf(theirs)];
  yield;
  const [ownChanges, otherChanges] = [yield* diffing(old, own), yield* diffing(old, other)];
  yield;
  const { taken, conflicts } = weave(
    { lines: own, changes: ownChanges },
    { lines: other, changes: otherChanges },
  );
  yield;
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, lines } of taken) {
    for (; at < from; at++) parts.push(own[at] ?? "");
    for (const line of lines) parts.push(line);
    at = to;
  }
  for (; at < own.length; at++) parts.push(own[at] ?? "");
  return { text: parts.join(""), conflicts: conflicts.map(inMerged(taken)) };
}

/** From lines of `mine` to those of the merged text. */
const inMerged =
  (taken: readonly Taken[]) =>
  ({ from, to, theirs }: Conflict): Conflict => {
    let shift = 0;
    for (const each of taken) if (each.to <= from) shift += each.lines.length - (each.to - each.from);
    return { from: from + shift, to: to + shift, theirs };
  };

interface Way {
  readonly lines: readonly string[];
  /** From the base. */
  readonly changes: readonly LineChange[];
}

interface Woven {
  readonly taken: readonly Taken[];
  /** In lines of `mine`. */
  readonly conflicts: readonly Conflict[];
}

function weave(mine: Way, theirs: Way): Woven {
  const taken: Taken[] = [];
  const conflicts: Conflict[] = [];
  let [at, next] = [0, 0];
  for (let their = theirs.changes[next]; their !== undefined; their = theirs.changes[next]) {
    const own = mine.changes[at];
    if (own !== undefined && own.to < their.from) at += 1;
    else if (own === undefined || their.to < own.from) {
      const { from, to, newFrom, newTo } = their;
      const shift = shiftBehind(mine.changes[at - 1]);
      taken.push({ from: from + shift, to: to + shift, lines: theirs.lines.slice(newFrom, newTo) });
      next += 1;
    } else {
      // What touches is one place, for as long as the one or the other goes on.
      const [first, firstTheirs] = [at, next];
      let end = 0;
      for (;;) {
        const [one, other] = [mine.changes[at], theirs.changes[next]];
        if (one !== undefined && (at === first || one.from <= end)) {
          end = Math.max(end, one.to);
          at += 1;
        } else if (other !== undefined && other.from <= end) {
          end = Math.max(end, other.to);
          next += 1;
        } else break;
      }
      const start = Math.min(own.from, their.from);
      const one = linesBetween(mine, { start, end }, first, at);
      const other = linesBetween(theirs, { start, end }, firstTheirs, next);
      if (one.join("") !== other.join(""))
        conflicts.push({
          from: start + shiftBehind(mine.changes[first - 1]),
          to: end + shiftBehind(mine.changes[at - 1]),
          theirs: other,
        });
    }
  }
  return { taken, conflicts };
}

/** By how many lines what follows this change stands farther down than in the base. */
const shiftBehind = (change: LineChange | undefined): number =>
  change === undefined ? 0 : change.newTo - change.to;

/** What one way has made of these lines of the base, its changes from `first` to `last` being in them. */
function linesBetween(
  { lines, changes }: Way,
  { start, end }: { readonly start: number; readonly end: number },
  first: number,
  last: number,
): readonly string[] {
  const [from, to] = [shiftBehind(changes[first - 1]), shiftBehind(changes[last - 1])];
  return lines.slice(start + from, end + to);
}
