// Which cells of a notebook become which: equal ones stay, or move with their outputs; of the others, the most alike are
// the same cell with a new text, as when a person types into it.
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
  for (const gap of gapsOf(before.length, after, from, moved)) {
    const old = range(gap.old).filter((at) => !kept.has(at));
    const now = range(gap.now).filter((at) => !from.has(at));
    for (const [one, other] of mostAlike(old, now, before, after)) from.set(other, one);
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

/** Pairs in the order of both with the highest sum of scores; none with a score of 0. */
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
    if (best[at] === best[at + width]) row++;
    else if (best[at] === best[at + 1]) column++;
    else pairs.push([row++, column++]);
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

/** One cell in the place of one is the same cell, however much of it is new; of several, those that share lines. */
function mostAlike(
  old: readonly number[],
  now: readonly number[],
  before: readonly NotebookCell[],
  after: readonly NotebookCell[],
): Pair[] {
  if (old.length === 0 || now.length === 0 || old.length * now.length > maxComparisons / 100) return [];
  const isOnly = old.length === 1 && now.length === 1;
  const sets = new Map<NotebookCell, ReadonlySet<string>>();
  const linesOf = (cell: NotebookCell) => {
    const known = sets.get(cell) ?? new Set(cell.text.split("\n").filter((line) => line.trim() !== ""));
    sets.set(cell, known);
    return known;
  };
  const score: Score = (one, other) => {
    const [was, is] = [before[old[one] ?? -1], after[now[other] ?? -1]];
    if (was === undefined || is === undefined || !isSameKind(was, is)) return 0;
    if (isOnly) return 1;
    const [own, others] = [linesOf(was), linesOf(is)];
    let shared = 0;
    for (const line of own) if (others.has(line)) shared++;
    return shared / Math.max(own.size, others.size, 1);
  };
  return bestPairs(old.length, now.length, score).map(([one, other]) => [old[one] ?? -1, now[other] ?? -1]);
}

const isSameKind = (one: NotebookCell, other: NotebookCell): boolean =>
  one.kind === other.kind && one.language === other.language;

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
