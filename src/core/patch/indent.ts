// Gives added lines the file's indentation when the hunk matched by white space only. Every pair of an old line in
// the patch and its line in the file says how one indentation is written in the other; what they do not settle is not
// guessed: the hunk is then in doubt, and refused.

import type { Steps } from "../util/yield-to-event-loop.ts";
import { firstThat } from "./binary-search.ts";
import { scaleOf } from "./indent-scale.ts";
import { indentOf, type Step } from "./indent-step.ts";

export interface IndentPair {
  /** Its number among the hunk's lines. */
  readonly at: number;
  readonly patch: string;
  readonly file: string;
  readonly removed: boolean;
}

export interface AddedLine {
  readonly at: number;
  readonly text: string;
}

export type Reindent = (line: AddedLine) => string;

/** A line of the hunk by its indentation alone. */
interface Pair {
  readonly at: number;
  readonly patch: string;
  readonly file: string;
  readonly removed: boolean;
}

interface Fresh {
  readonly at: number;
  readonly indent: string;
}

/** So many lines are looked at without a pause. */
const atOnce = 4_000;

/**
 * `old` are the hunk's old lines with the file's lines they matched, `added` its new lines. Undefined when it cannot be
 * told how deep one of them belongs.
 */
export function* createReindent(
  old: readonly IndentPair[],
  added: readonly AddedLine[],
  step: () => Step | undefined,
): Steps<Reindent | undefined> {
  const pairs: Pair[] = [];
  for (const [index, { at, patch, file, removed }] of old.entries()) {
    if (index % atOnce === atOnce - 1) yield;
    if (isFilled(patch)) pairs.push({ at, ...bothIndents(patch, file), removed });
  }
  if (pairs.every((pair) => pair.patch === pair.file)) return (line) => line.text;
  const fresh: Fresh[] = [];
  for (const [index, { at, text }] of added.entries()) {
    if (index % atOnce === atOnce - 1) yield;
    if (isFilled(text)) fresh.push({ at, indent: baseOf(text) });
  }
  if (old.length + added.length > atOnce) yield;
  const written = yield* indentsFor(pairs, fresh, step);
  if (written === undefined) return undefined;
  return ({ at, text }) => {
    const own = written.get(at);
    return own === undefined ? text : own + text.slice(baseOf(text).length);
  };
}

const isFilled = (text: string) => text.trim() !== "";

/** The lines of a comment stand one further in, behind their star. */
const star = /^((?: {2})*|\t*) \*/;

function baseOf(text: string): string {
  return starBaseOf(text) ?? indentOf(text);
}

function starBaseOf(text: string): string | undefined {
  return text.includes(" *") ? star.exec(text)?.[1] : undefined;
}

function bothIndents(patch: string, file: string): { patch: string; file: string } {
  const [one, other] = [starBaseOf(patch), starBaseOf(file)];
  if (one !== undefined && other !== undefined) return { patch: one, file: other };
  return { patch: indentOf(patch), file: indentOf(file) };
}

function* indentsFor(
  pairs: readonly Pair[],
  fresh: readonly Fresh[],
  step: () => Step | undefined,
): Steps<ReadonlyMap<number, string> | undefined> {
  const onScale = byScale(pairs, fresh, step);
  if (pairs.length + fresh.length > atOnce) yield;
  if (onScale !== undefined) return onScale;
  const right = rightAsTheyAre(pairs, fresh);
  yield;
  const rest = fresh.filter(({ at }) => !right.has(at));
  const asTheyAre = fresh.flatMap(({ at, indent }) => (right.has(at) ? [[at, indent] as const] : []));
  yield;
  const others = rest.length === 0 ? new Map<number, string>() : withoutFirst(pairs, rest, step);
  yield;
  const written = others ?? byNeighbours(pairs, rest);
  yield;
  return written === undefined ? undefined : nested(fresh, new Map([...asTheyAre, ...written]));
}

function byScale(
  pairs: readonly Pair[],
  fresh: readonly Fresh[],
  step: () => Step | undefined,
): ReadonlyMap<number, string> | undefined {
  if (pairs.length === 0 || isReplacedAsItIs(pairs, fresh)) return undefined;
  const runs = () => [runOf(pairs, fresh), pairs.map((pair) => pair.patch), ...waysUp(pairs, fresh)];
  const wanted = new Set(fresh.map(({ indent }) => indent));
  const scale = scaleOf({ points: withoutRepeats(pairs), wanted: [...wanted], runs, step });
  const own = new Map<string, string>();
  for (const indent of wanted) {
    const there = scale?.(indent);
    if (there === undefined) return undefined;
    own.set(indent, there);
  }
  return new Map(fresh.map(({ at, indent }) => [at, own.get(indent) ?? ""]));
}

/** A long hunk has many lines, and few indentations. */
function withoutRepeats(pairs: readonly Pair[]): readonly Pair[] {
  const known = new Map<string, string>();
  return pairs.filter(({ patch, file }) => {
    if (known.get(patch) === file) return false;
    known.set(patch, file);
    return true;
  });
}

/** Models tend to lose the indentation of the first line alone, which then speaks for no other. */
function withoutFirst(
  [first, ...others]: readonly Pair[],
  fresh: readonly Fresh[],
  step: () => Step | undefined,
): ReadonlyMap<number, string> | undefined {
  if (first === undefined || first.patch.length >= first.file.length) return undefined;
  const written = byScale(others, fresh, step);
  const contradicts = fresh.some(({ at, indent }) => {
    return indent === first.patch && written?.get(at) !== first.file;
  });
  return contradicts ? undefined : written;
}

/** What stands there afterwards, from top to bottom, in the patch's own indentation. */
function runOf(pairs: readonly Pair[], fresh: readonly Fresh[]): string[] {
  const kept = pairs.flatMap(({ at, patch, removed }) => (removed ? [] : [{ at, indent: patch }]));
  return [...kept, ...fresh].sort((one, other) => one.at - other.at).map(({ indent }) => indent);
}

/** From the last line that goes to the first that takes its place. */
function waysUp(pairs: readonly Pair[], fresh: readonly Fresh[]): string[][] {
  const removed = new Map(pairs.map((pair) => [pair.at, pair.removed ? pair.patch : ""]));
  return fresh.flatMap(({ at, indent }) => {
    const before = removed.get(at - 1) ?? "";
    return before.length > indent.length ? [[before, indent]] : [];
  });
}

/** Only lines that go say how the patch is indented, and what replaces them is indented as the file has it. */
function isReplacedAsItIs(pairs: readonly Pair[], fresh: readonly Fresh[]): boolean {
  if (pairs.some((pair) => !pair.removed)) return false;
  const depths = new Set(pairs.map((pair) => pair.patch));
  return depths.size === 1 && rightAsTheyAre(pairs, fresh).size > 0;
}

/**
 * A block of added lines may be indented as the file is although the old lines beside it lost theirs: its outermost
 * line then stands exactly where the file has the one that it replaces, and as deep or deeper than its neighbours in both.
 */
function rightAsTheyAre(pairs: readonly Pair[], fresh: readonly Fresh[]): ReadonlySet<number> {
  const right = new Set<number>();
  const depths = new Set(pairs.map((pair) => pair.patch));
  for (const block of blocksOf(fresh)) {
    const first = block[0]?.at ?? 0;
    const outermost = shortest(block.map(({ indent }) => indent));
    const pair = nearest(pairs, first);
    if (pair === undefined || pair.patch !== "" || pair.file === "") continue;
    if (!pair.removed || outermost !== pair.file || depths.has(outermost)) continue;
    const kept = pairs.filter(({ removed }) => !removed);
    const below = firstThat(kept, ({ at }) => at > first);
    const beside = [
      [kept[below - 1], block[0]],
      [kept[below], block.at(-1)],
    ] as const;
    const isNested = beside.every(([own, line]) => {
      if (own === undefined || line === undefined) return true;
      return compare(line.indent, own.patch) === compare(line.indent, own.file);
    });
    if (isNested) for (const line of block) right.add(line.at);
  }
  return right;
}

function blocksOf(fresh: readonly Fresh[]): Fresh[][] {
  const blocks: Fresh[][] = [];
  for (const line of fresh) {
    const last = blocks.at(-1);
    if (last?.at(-1)?.at === line.at - 1) last.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

/** Where no scale fits all: as the old lines of the same indentation above and below, where they agree. */
function byNeighbours(
  pairs: readonly Pair[],
  fresh: readonly Fresh[],
): ReadonlyMap<number, string> | undefined {
  const depths = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const own = depths.get(pair.patch);
    if (own === undefined) depths.set(pair.patch, [pair]);
    else own.push(pair);
  }
  const written = new Map<number, string>();
  for (const { at, indent } of fresh) {
    const equal = depths.get(indent) ?? [];
    const step = firstThat(equal, (pair) => pair.at >= at);
    const [above, below] = [equal[step - 1], equal[step]];
    const isReplaced =
      above?.removed === true && above === pairs[firstThat(pairs, (pair) => pair.at >= at) - 1];
    const own = isReplaced ? above : (above ?? below);
    const other = isReplaced ? above : (below ?? above);
    if (own === undefined || own.file !== other?.file) return undefined;
    written.set(at, own.file);
  }
  return written;
}

/** The added lines stand to each other in the file as they do in the patch; undefined where they would not. */
function nested(
  fresh: readonly Fresh[],
  written: ReadonlyMap<number, string>,
): ReadonlyMap<number, string> | undefined {
  for (const [step, { at, indent }] of fresh.entries()) {
    const before = fresh[step - 1];
    if (before === undefined) continue;
    const wanted = compare(indent, before.indent);
    const found = compare(written.get(at) ?? "", written.get(before.at) ?? "");
    if (wanted === undefined || wanted !== found) return undefined;
  }
  return written;
}

/** 1 where the one is deeper, -1 where the other is, 0 where they are the same; undefined where none begins the other. */
function compare(one: string, other: string): number | undefined {
  if (one === other) return 0;
  if (one.startsWith(other)) return 1;
  return other.startsWith(one) ? -1 : undefined;
}

/** Of pairs in the order of the hunk, the one nearest to the line; of two as near, the one above. */
function nearest(pairs: readonly Pair[], at: number): Pair | undefined {
  const step = firstThat(pairs, (pair) => pair.at >= at);
  const [above, below] = [pairs[step - 1], pairs[step]];
  if (above === undefined || below === undefined) return above ?? below;
  return below.at - at < at - above.at ? below : above;
}

function shortest(indents: readonly string[]): string {
  const [first = "", ...rest] = indents;
  return rest.reduce((best, own) => (own.length < best.length ? own : best), first);
}
