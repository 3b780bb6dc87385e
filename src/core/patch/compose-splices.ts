// Replacements made one after another, as replacements in the text that the first ones speak of. Needed when a hunk
// builds on what an earlier one wrote, and when a patch names a file twice. Costs as much as is replaced, not as the text.
import type { Splice } from "./splice.ts";

/** Lines of the base that stand one below the other. */
interface Kept {
  readonly first: number;
  readonly last: number;
}

interface Written {
  readonly text: string;
  readonly hunks: readonly number[];
}

type Entry = Kept | Written;

interface Removal extends Kept {
  readonly hunks: readonly number[];
}

/** `count` is the number of lines of the text that `one` speaks of. */
export function compose(count: number, one: readonly Splice[], two: readonly Splice[]): Splice[] {
  const removals: Removal[] = [];
  const base = [{ first: 0, last: count }];
  const entries = rewrite(rewrite(base, one, removals), two, removals);
  removals.sort((a, b) => a.first - b.first);
  return collect(count, entries, removals);
}

function rewrite(entries: readonly Entry[], splices: readonly Splice[], removals: Removal[]): Entry[] {
  const result: Entry[] = [];
  const take = takerOf(entries);
  let at = 0;
  for (const { first, last, lines, hunks } of splices) {
    take(first - at, (entry) => result.push(entry));
    for (const text of lines) result.push({ text, hunks });
    take(last - first, (entry) => {
      if ("first" in entry) removals.push({ ...entry, hunks });
    });
    at = last;
  }
  take(Number.POSITIVE_INFINITY, (entry) => result.push(entry));
  return result;
}

/** Hands out so many lines after those that were taken before. */
function takerOf(entries: readonly Entry[]): (count: number, each: (entry: Entry) => void) => void {
  let step = 0;
  /** Lines of the entry at `step` that are taken already. */
  let taken = 0;
  return (count, each) => {
    let left = count;
    for (let entry = entries[step]; entry !== undefined && left > 0; entry = entries[step]) {
      const length = "first" in entry ? entry.last - entry.first - taken : 1;
      const part = Math.min(length, left);
      if (!("first" in entry)) each(entry);
      else if (part > 0) each({ first: entry.first + taken, last: entry.first + taken + part });
      left -= part;
      if (part < length) taken += part;
      else [step, taken] = [step + 1, 0];
    }
  };
}

function collect(count: number, entries: readonly Entry[], removals: readonly Removal[]): Splice[] {
  const splices: Splice[] = [];
  let next = 0;
  let lines: string[] = [];
  let hunks = new Set<number>();
  let removal = 0;
  for (const entry of [...entries, { first: count, last: count }]) {
    if (!("first" in entry)) {
      lines.push(entry.text);
      for (const hunk of entry.hunks) hunks.add(hunk);
      continue;
    }
    for (let own = removals[removal]; own !== undefined && own.first < entry.first; own = removals[++removal])
      for (const hunk of own.hunks) hunks.add(hunk);
    if (entry.first > next || lines.length > 0)
      splices.push({ first: next, last: entry.first, lines, hunks: [...hunks] });
    [next, lines, hunks] = [entry.last, [], new Set()];
  }
  return splices;
}
