// Replacements made one after another, as replacements in the text that the first ones speak of. Needed when a hunk
// builds on what an earlier one wrote, and when a patch names a file twice.
import type { Splice } from "./splice.ts";

/** A line of the base, by its row, or one that was written. */
type Entry = number | { readonly text: string; readonly hunks: readonly number[] };

type Removals = Map<number, readonly number[]>;

/** `count` is the number of lines of the text that `one` speaks of. */
export function compose(count: number, one: readonly Splice[], two: readonly Splice[]): Splice[] {
  const removals: Removals = new Map();
  const base = Array.from({ length: count }, (_, row) => row);
  return collect(count, rewrite(rewrite(base, one, removals), two, removals), removals);
}

function rewrite(entries: readonly Entry[], splices: readonly Splice[], removals: Removals): Entry[] {
  const result: Entry[] = [];
  let at = 0;
  for (const { first, last, lines, hunks } of splices) {
    for (const entry of entries.slice(at, first)) result.push(entry);
    for (const text of lines) result.push({ text, hunks });
    for (const entry of entries.slice(first, last)) if (typeof entry === "number") removals.set(entry, hunks);
    at = last;
  }
  for (const entry of entries.slice(at)) result.push(entry);
  return result;
}

function collect(count: number, entries: readonly Entry[], removals: Removals): Splice[] {
  const splices: Splice[] = [];
  let next = 0;
  let lines: string[] = [];
  let hunks = new Set<number>();
  for (const entry of [...entries, count]) {
    if (typeof entry !== "number") {
      lines.push(entry.text);
      for (const hunk of entry.hunks) hunks.add(hunk);
      continue;
    }
    for (let row = next; row < entry; row++) for (const hunk of removals.get(row) ?? []) hunks.add(hunk);
    if (entry > next || lines.length > 0)
      splices.push({ first: next, last: entry, lines, hunks: [...hunks] });
    [next, lines, hunks] = [entry + 1, [], new Set()];
  }
  return splices;
}
