// What it takes to make one text of another, in whole lines: small edits where lines that occur once in both say which
// belong together, and one edit where nothing does. Pure.
import type { LineEdit } from "../patch/model.ts";

/** The edits lead from `before` to `after`, byte for byte; no hunk of a patch asked for them. */
export function lineEdits(before: string, after: string): LineEdit[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const edits: LineEdit[] = [];
  let start = 0;
  let row = 0;
  for (const { first, last, from, to } of gaps(old, now)) {
    start += lengthOf(old.slice(row, first));
    const removed = old.slice(first, last).join("");
    const lines = { first, last };
    const text = now.slice(from, to).join("");
    edits.push({ start, end: start + removed.length, removed, text, lines, written: to - from, hunks: [] });
    start += removed.length;
    row = last;
  }
  return edits;
}

const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, { length }) => sum + length, 0);

/** Lines [first, last) of the old text stand for [from, to) of the new one. */
interface Gap {
  readonly first: number;
  readonly last: number;
  readonly from: number;
  readonly to: number;
}

function gaps(old: readonly string[], now: readonly string[]): Gap[] {
  const found: Gap[] = [];
  const waiting: Gap[] = [{ first: 0, last: old.length, from: 0, to: now.length }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const gap = withoutEqualEnds(next, old, now);
    if (gap.first === gap.last && gap.from === gap.to) continue;
    const pairs = landmarks(gap, old, now);
    if (pairs.length === 0) found.push(gap);
    // The first part is looked at first.
    else for (const each of between(gap, pairs).reverse()) waiting.push(each);
  }
  return found;
}

function withoutEqualEnds(
  { first, last, from, to }: Gap,
  old: readonly string[],
  now: readonly string[],
): Gap {
  let [head, tail] = [0, 0];
  const most = Math.min(last - first, to - from);
  while (head < most && old[first + head] === now[from + head]) head += 1;
  while (tail < most - head && old[last - 1 - tail] === now[to - 1 - tail]) tail += 1;
  return { first: first + head, last: last - tail, from: from + head, to: to - tail };
}

type Pair = readonly [row: number, at: number];

/** Lines that occur once on each side, as many of them as are in the same order on both. */
function landmarks({ first, last, from, to }: Gap, old: readonly string[], now: readonly string[]): Pair[] {
  const places = once(old, first, last);
  const pairs = [...once(now, from, to)].flatMap(([line, at]): Pair[] => {
    const row = places.get(line);
    return row === undefined ? [] : [[row, at]];
  });
  return inOrder(pairs.sort(([one], [other]) => one - other));
}

function once(lines: readonly string[], first: number, last: number): Map<string, number> {
  const found = new Map<string, number>();
  const twice = new Set<string>();
  for (let row = first; row < last; row++) {
    const line = lines[row] ?? "";
    if (found.has(line)) twice.add(line);
    else found.set(line, row);
  }
  for (const line of twice) found.delete(line);
  return found;
}

/** The longest run of pairs that rises on both sides (patience sorting). */
function inOrder(pairs: readonly Pair[]): Pair[] {
  const piles: number[] = [];
  const before: number[] = [];
  for (const [index, [, at]] of pairs.entries()) {
    let [low, high] = [0, piles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[piles[middle] ?? 0]?.[1] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    before[index] = piles[low - 1] ?? -1;
    piles[low] = index;
  }
  const run: Pair[] = [];
  for (let index = piles.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) run.push(pair);
  }
  return run.reverse();
}

function between({ first, last, from, to }: Gap, pairs: readonly Pair[]): Gap[] {
  let [row, at] = [first, from];
  const parts = pairs.map(([nextRow, nextAt]) => {
    const part = { first: row, last: nextRow, from: at, to: nextAt };
    [row, at] = [nextRow + 1, nextAt + 1];
    return part;
  });
  return [...parts, { first: row, last, from: at, to }];
}
