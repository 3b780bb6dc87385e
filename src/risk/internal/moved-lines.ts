// Lines that move within a file: one edit removes them and another one adds them. Which they are, and how many lines
// fewer there are without them.
import type { LineEdit, LineRange } from "../../patch/model.ts";

/** The lines of a text and which of them changed. */
interface Changed {
  readonly lines: readonly string[];
  readonly at: readonly LineRange[];
}

type IsElsewhere = (line: string) => boolean;

export const nothingElsewhere: IsElsewhere = () => false;
/** Shorter lines, such as a single brace, occur everywhere. */
const leastWords = 8;

export function linesElsewhere(removed: Changed, added: Changed): IsElsewhere {
  if (removed.at.length < 2) return nothingElsewhere;
  const [gone, come] = [countsOf(removed), countsOf(added)];
  // What goes from two places and comes to one has moved from only one of them.
  const moved = new Set(
    [...come].flatMap(([words, count]) => (count >= (gone.get(words) ?? Infinity) ? words : [])),
  );
  return moved.size === 0 ? nothingElsewhere : (line) => moved.has(line.trim());
}

function countsOf(changed: Changed): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const words of wordsIn(changed)) found.set(words, (found.get(words) ?? 0) + 1);
  return found;
}

function wordsIn({ lines, at }: Changed): readonly string[] {
  const found: string[] = [];
  for (const { first, last } of at)
    for (let row = first; row < last; row++) {
      const words = (lines[row] ?? "").trim();
      if (words.length >= leastWords) found.push(words);
    }
  return found;
}

/** Changes separated by at least this many unchanged lines are considered unrelated. */
const apart = 3;
/** A larger group is no single test. */
const maxBeside = 12;

/** The indexes of the first and last change of a group. */
type Group = readonly [first: number, last: number];

/** For each change its group. */
export function besideEachOther(edits: readonly LineEdit[]): readonly Group[] {
  const starts: number[] = [];
  for (const [number, { lines }] of edits.entries()) {
    const [start, previous] = [starts.at(-1) ?? 0, edits[number - 1]];
    const isNear = previous !== undefined && lines.first - previous.lines.last < apart;
    starts.push(isNear && number - start < maxBeside ? start : number);
  }
  return starts.map((start) => [start, starts.lastIndexOf(start, start + maxBeside)] as const);
}

/** Fewer lines that are the same elsewhere have not moved: they are a coincidence. */
const run = 6;

/**
 * For each change, how many lines fewer there are after its group, told at the change of the group that removes most;
 * 0 for the others. What goes from a third of a file is told at its largest change. Lines that moved as a run are
 * still there. `texts`: absent where they are too long to compare.
 */
export function linesFewer(
  edits: readonly LineEdit[],
  groups: readonly Group[],
  texts: { readonly removed: Changed; readonly added: Changed } | undefined,
): readonly number[] {
  const net = edits.map(({ lines, written }) => lines.last - lines.first - written);
  const sums = groups.map(([from, to]) => net.slice(from, to + 1).reduce((sum, each) => sum + each, 0));
  if (!sums.some((sum) => sum >= run)) return net.map(() => 0);
  const moved = texts === undefined || edits.length < 2 ? net.map(() => 0) : movedRuns(texts);
  const found = sums.map((sum, number) => {
    const [from, to] = groups[number] ?? [number, number];
    const own = net.slice(from, to + 1);
    if (number !== from + own.indexOf(own.reduce((most, each) => Math.max(most, each), 0))) return 0;
    return sum - moved.slice(from, to + 1).reduce((all, each) => all + each, 0);
  });
  const all = net.reduce((sum, each, number) => sum + each - (moved[number] ?? 0), 0);
  if (texts === undefined || all * 3 < texts.removed.lines.length) return found;
  const largest = found.indexOf(found.reduce((most, each) => Math.max(most, each), 0));
  return found.map((each, number) => (number === largest ? Math.max(each, all) : each));
}

/** How many of the lines that each change removes are added elsewhere, together with their neighbours. */
function movedRuns({ removed, added }: { readonly removed: Changed; readonly added: Changed }): number[] {
  const rowsOf = ({ lines, at }: Changed) =>
    at.map(({ first, last }) =>
      lines
        .slice(first, last)
        .map((line) => line.trim())
        .filter((line) => line !== ""),
    );
  const keyAt = (rows: readonly string[], at: number) => rows.slice(at, at + run).join("\n");
  const known = new Set(rowsOf(added).flatMap((rows) => rows.slice(run - 1).map((_, at) => keyAt(rows, at))));
  return rowsOf(removed).map((rows) => {
    const isMoved = new Set<number>();
    for (let at = 0; at + run <= rows.length; at++)
      if (known.has(keyAt(rows, at))) for (let next = at; next < at + run; next++) isMoved.add(next);
    return isMoved.size;
  });
}
