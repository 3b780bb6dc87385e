// Which cells of a notebook become which: equal ones stay, or move with their outputs; the others are the cells at their
// places with a new text, as when a person types into them. Only what is too many is new or removed.
import { asObject, asString } from "../util/json.ts";
import type { CellStep, NotebookCell } from "./model.ts";

/** The new cells in their order. Cells that no step names are removed. */
export function planCells(before: readonly NotebookCell[], after: readonly NotebookCell[]): CellStep[] {
  const from = new Map<number, number>();
  for (const [one, other] of commonCells(before.map(keyOf), after.map(keyOf))) from.set(other, one);
  const kept = new Set(from.values());
  const moved = new Set<number>();
  const left = new Map<string, number[]>();
  for (const [at, cell] of before.entries())
    if (!kept.has(at) && cell.text.trim() !== "")
      left.set(keyOf(cell), [...(left.get(keyOf(cell)) ?? []), at]);
  for (const [at, cell] of after.entries()) {
    const found = from.has(at) ? undefined : left.get(keyOf(cell))?.shift();
    if (found === undefined) continue;
    moved.add(at);
    kept.add(found);
    from.set(at, found);
  }
  const likeness = likenessIn(before, after);
  for (const gap of gapsOf(before.length, after, from, moved)) {
    const old = range(gap.old).filter((at) => !kept.has(at));
    const now = range(gap.now).filter((at) => !from.has(at));
    for (const [one, other] of inPlace(old, now, { before, after, likeness })) from.set(other, one);
  }
  return after.map((cell, at) => {
    const was = from.get(at);
    return { cell, ...(was !== undefined && { from: was }), ...(moved.has(at) && { isMoved: true }) };
  });
}

const keyOf = ({ kind, language, text }: NotebookCell): string => `${kind} ${language ?? ""}\n${text}`;

type Pair = readonly [before: number, after: number];
type Range = readonly [first: number, last: number];

/** Above this, only what is equal at the start and the end is found to be in order; the rest counts as moved. */
const maxComparisons = 4_000_000;

/** The longest sequence that both have in common. */
function commonCells(before: readonly string[], after: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  let first = 0;
  while (first < before.length && first < after.length && before[first] === after[first]) {
    pairs.push([first, first]);
    first++;
  }
  let [last, end] = [before.length, after.length];
  while (last > first && end > first && before[last - 1] === after[end - 1]) pairs.push([--last, --end]);
  if ((last - first) * (end - first) > maxComparisons) return pairs;
  const equal: Score = (one, other) => (before[first + one] === after[first + other] ? 1 : 0);
  for (const [one, other] of bestPairs(last - first, end - first, equal))
    pairs.push([first + one, first + other]);
  return pairs;
}

type Score = (before: number, after: number) => number;

/** Pairs in the order of both with the highest sum of scores, the first of such; none with a score of 0. */
function bestPairs(rows: number, columns: number, score: Score): Pair[] {
  const width = columns + 1;
  const best = new Float64Array((rows + 1) * width);
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--) {
      const here = score(row, column);
      const at = row * width + column;
      const both = here > 0 ? here + (best[at + width + 1] ?? 0) : 0;
      best[at] = Math.max(both, best[at + width] ?? 0, best[at + 1] ?? 0);
    }
  const pairs: Pair[] = [];
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    const at = row * width + column;
    const here = score(row, column);
    if (here > 0 && best[at] === here + (best[at + width + 1] ?? 0)) pairs.push([row++, column++]);
    else if (best[at] === best[at + width]) row++;
    else column++;
  }
  return pairs;
}

/** What is between cells that stay in their order. */
function gapsOf(
  count: number,
  after: readonly NotebookCell[],
  from: ReadonlyMap<number, number>,
  moved: ReadonlySet<number>,
): { readonly old: Range; readonly now: Range }[] {
  const gaps: { old: Range; now: Range }[] = [];
  let [old, now] = [0, 0];
  for (let at = 0; at <= after.length; at++) {
    const was = at === after.length ? count : moved.has(at) ? undefined : from.get(at);
    if (was === undefined) continue;
    gaps.push({ old: [old, was], now: [now, at] });
    [old, now] = [was + 1, at + 1];
  }
  return gaps;
}

const range = ([first, last]: Range): number[] =>
  Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);

interface Change {
  readonly before: readonly NotebookCell[];
  readonly after: readonly NotebookCell[];
  readonly likeness: Score;
}

/** Above this, changed cells are paired by their kinds alone. */
const maxLikenesses = 40_000;

/**
 * As many of the changed cells between two that stay as there are, in their order; of code first, since it has outputs.
 * Which of them are too many, their words tell.
 */
function inPlace(
  old: readonly number[],
  now: readonly number[],
  { before, after, likeness }: Change,
): Pair[] {
  const isSame = (one: number | undefined, other: number | undefined) =>
    isSameKind(before[one ?? -1], after[other ?? -1]);
  const samePlaces = old.flatMap((one, at): Pair[] => (isSame(one, now[at]) ? [[one, now[at] ?? -1]] : []));
  const comparisons = old.length * now.length;
  const isInStep = old.length === now.length && samePlaces.length === old.length;
  if (isInStep || comparisons > maxComparisons) return samePlaces;
  // No sum of what counts less is as much as one of what counts more.
  const more = Math.min(old.length, now.length) + 1;
  const score: Score = (row, column) => {
    const [one = -1, other = -1] = [old[row], now[column]];
    if (!isSame(one, other)) return 0;
    const weight = after[other]?.kind === "code" ? more * more : more;
    return comparisons > maxLikenesses ? weight : weight + likeness(one, other);
  };
  return bestPairs(old.length, now.length, score).map(([row, column]) => [old[row] ?? -1, now[column] ?? -1]);
}

/** From 0 to 1: how many words two cells share. What many cells have, such as `plt.show()`, counts little. */
function likenessIn(before: readonly NotebookCell[], after: readonly NotebookCell[]): Score {
  const wordsOf = ({ text }: NotebookCell) => new Set(text.match(/[\p{L}\p{N}_]+/gu));
  const counted = () => {
    const [old, now] = [before.map(wordsOf), after.map(wordsOf)];
    const counts = new Map<string, number>();
    for (const words of [...old, ...now])
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    const weightOf = (word: string) => 1 / (counts.get(word) ?? 1);
    const weighed = (words: ReadonlySet<string>) => {
      let sum = 0;
      for (const word of words) sum += weightOf(word);
      return { words, sum };
    };
    return { old: old.map(weighed), now: now.map(weighed), weightOf };
  };
  let known: ReturnType<typeof counted> | undefined;
  return (one, other) => {
    known ??= counted();
    const [own, others] = [known.old[one], known.now[other]];
    if (own === undefined || others === undefined) return 0;
    const [few, many] =
      own.words.size <= others.words.size ? [own.words, others.words] : [others.words, own.words];
    let shared = 0;
    for (const word of few) if (many.has(word)) shared += known.weightOf(word);
    const all = own.sum + others.sum - shared;
    return all <= 0 ? 0 : Math.min(1, shared / all);
  };
}

const isSameKind = (one: NotebookCell | undefined, other: NotebookCell | undefined): boolean =>
  one !== undefined && one.kind === other?.kind && one.language === other.language;

/** The language of a notebook, from its metadata. */
export function languageOf(metadata: unknown): string | undefined {
  const known = asObject(metadata);
  return (
    asString(asObject(known?.["language_info"])?.["name"]) ??
    asString(asObject(known?.["kernelspec"])?.["language"])
  );
}

/** The language that VS Code notes in a cell that has another one than its notebook. */
export function ownLanguage(metadata: unknown): string | undefined {
  const { vscode } = asObject(metadata) ?? {};
  return asString(asObject(vscode)?.["languageId"]);
}
