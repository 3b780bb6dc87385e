// Gives added lines the file's indentation when the hunk matched by white space only. Each pair of an old line in the
// patch and its line in the file shows how one indentation is written in the other. What they do not settle is not
// guessed: the hunk is then in doubt, and refused.

import { firstIndexWhere } from "../../util/collections.ts";
import { type Lines, lineAt } from "../edits.ts";
import { type IndentStep, indentOf, type Point, type Scale, scaleOf } from "./indent-scale.ts";
import type { Pattern, Place } from "./matching-lines.ts";
import { toggleStrings } from "./placeholders.ts";

export interface IndentPair {
  /** Index among the hunk's lines. */
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

/** A line of the hunk, reduced to its indentation. */
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

/**
 * `old` are the hunk's old lines with the lines of the file they matched, `added` its new lines. Returns undefined when
 * the depth of one of them cannot be determined.
 */
export function createReindent(
  old: readonly IndentPair[],
  added: readonly AddedLine[],
  step: () => IndentStep | undefined,
): Reindent | undefined {
  const pairs: Pair[] = [];
  for (const { at, patch, file, removed } of old) {
    if (isFilled(patch)) pairs.push({ at, ...bothIndents(patch, file), removed });
  }
  if (pairs.every((pair) => pair.patch === pair.file)) return (line) => line.text;
  const fresh: Fresh[] = [];
  for (const { at, text } of added) {
    if (isFilled(text)) fresh.push({ at, indent: baseOf(text) });
  }
  const written = indentsFor(pairs, fresh, step);
  if (written === undefined) return undefined;
  // A line that consists of white space takes the indentation of the lines beside it.
  const known = new Map(pairs.map((pair) => [pair.patch, pair.file]));
  for (const { at, indent } of fresh) known.set(indent, written.get(at) ?? indent);
  known.delete("");
  return ({ at, text }) => {
    const own = written.get(at);
    return own === undefined ? (known.get(text) ?? text) : own + text.slice(baseOf(text).length);
  };
}

const isFilled = (text: string) => text.trim() !== "";

/** The lines of a block comment are indented by one more space, before their star. */
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

function indentsFor(
  pairs: readonly Pair[],
  fresh: readonly Fresh[],
  step: () => IndentStep | undefined,
): ReadonlyMap<number, string> | undefined {
  const onScale = byScale(pairs, fresh, step);
  if (onScale !== undefined) return onScale;
  const right = rightAsTheyAre(pairs, fresh);
  const rest = fresh.filter(({ at }) => !right.has(at));
  const asTheyAre = fresh.flatMap(({ at, indent }) => (right.has(at) ? [[at, indent] as const] : []));
  const others = rest.length === 0 ? new Map<number, string>() : withoutFirst(pairs, rest, step);
  const written = others ?? byNeighbours(pairs, rest);
  return written === undefined ? undefined : nested(fresh, new Map([...asTheyAre, ...written]));
}

function byScale(
  pairs: readonly Pair[],
  fresh: readonly Fresh[],
  step: () => IndentStep | undefined,
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

/** A long hunk has many lines, but few distinct indentations. */
function withoutRepeats(pairs: readonly Pair[]): readonly Pair[] {
  const known = new Map<string, string>();
  return pairs.filter(({ patch, file }) => {
    if (known.get(patch) === file) return false;
    known.set(patch, file);
    return true;
  });
}

/** Models tend to lose the indentation of the first line alone, so it is not used to judge the others. */
function withoutFirst(
  [first, ...others]: readonly Pair[],
  fresh: readonly Fresh[],
  step: () => IndentStep | undefined,
): ReadonlyMap<number, string> | undefined {
  if (first === undefined || first.patch.length >= first.file.length) return undefined;
  const written = byScale(others, fresh, step);
  const contradicts = fresh.some(({ at, indent }) => {
    return indent === first.patch && written?.get(at) !== first.file;
  });
  return contradicts ? undefined : written;
}

/** The lines after the change, from top to bottom, in the patch's own indentation. */
function runOf(pairs: readonly Pair[], fresh: readonly Fresh[]): string[] {
  const kept = pairs.flatMap(({ at, patch, removed }) => (removed ? [] : [{ at, indent: patch }]));
  return [...kept, ...fresh].sort((one, other) => one.at - other.at).map(({ indent }) => indent);
}

/** From the last removed line to the first one that replaces it, where that one is less deep. */
function waysUp(pairs: readonly Pair[], fresh: readonly Fresh[]): string[][] {
  const removed = new Map(pairs.map((pair) => [pair.at, pair.removed ? pair.patch : ""]));
  return fresh.flatMap(({ at, indent }) => {
    const before = removed.get(at - 1) ?? "";
    return before.length > indent.length ? [[before, indent]] : [];
  });
}

/** Whether only removed lines show how the patch indents, and their replacement is already indented as in the file. */
function isReplacedAsItIs(pairs: readonly Pair[], fresh: readonly Fresh[]): boolean {
  if (pairs.some((pair) => !pair.removed)) return false;
  const depths = new Set(pairs.map((pair) => pair.patch));
  return depths.size === 1 && rightAsTheyAre(pairs, fresh).size > 0;
}

/**
 * A block of added lines may already have the file's indentation although the old lines beside it lost theirs. Its
 * outermost line is then exactly as deep as the line that it replaces in the file, and it relates to its neighbours in
 * the same way in patch and file.
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
    const below = firstIndexWhere(kept, ({ at }) => at > first);
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

/** Used where no one scale fits: as the old lines of the same indentation above and below, where they agree. */
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
    const step = firstIndexWhere(equal, (pair) => pair.at >= at);
    const [above, below] = [equal[step - 1], equal[step]];
    const isReplaced =
      above?.removed === true && above === pairs[firstIndexWhere(pairs, (pair) => pair.at >= at) - 1];
    const own = isReplaced ? above : (above ?? below);
    const other = isReplaced ? above : (below ?? above);
    if (own === undefined || own.file !== other?.file) return undefined;
    written.set(at, own.file);
  }
  return written;
}

/** Keeps the relation of the added lines as in the patch; undefined where it would change in the file. */
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

/**
 * 1 where `one` is deeper, -1 where `other` is, 0 where they are equal; undefined where neither is a prefix of the
 * other.
 */
function compare(one: string, other: string): number | undefined {
  if (one === other) return 0;
  if (one.startsWith(other)) return 1;
  return other.startsWith(one) ? -1 : undefined;
}

/** Of pairs in the order of the hunk, returns the one nearest to the line, or the upper one of two equally near. */
function nearest(pairs: readonly Pair[], at: number): Pair | undefined {
  const step = firstIndexWhere(pairs, (pair) => pair.at >= at);
  const [above, below] = [pairs[step - 1], pairs[step]];
  if (above === undefined || below === undefined) return above ?? below;
  return below.at - at < at - above.at ? below : above;
}

function shortest(indents: readonly string[]): string {
  const [first = "", ...rest] = indents;
  return rest.reduce((best, own) => (own.length < best.length ? own : best), first);
}

/** What all hunks of a file show about the indentation of the patch. */
export interface Indentation {
  /** Whether some hunk has indented lines exactly as in the file. */
  readonly isTheFiles: boolean;
  /** Indentations of old lines that the file writes differently, without those at the margin. */
  readonly points: readonly Point[];
}

export function indentationIn(
  lines: Lines,
  hunks: readonly { readonly pattern: Pattern; readonly place: Place }[],
): Indentation {
  const points = new Map<string, Point>();
  let isTheFiles = false;
  for (const { pattern, place } of hunks) {
    for (const [step, line] of pattern.lines.entries()) {
      const patch = indentOf(line);
      if (patch === "" || patch.length === line.length) continue;
      const file = place.tier < 2 ? patch : indentOf(lineAt(lines, place.at + step));
      if (file === patch) isTheFiles = true;
      else points.set(`${patch}\n${file}`, { patch, file });
    }
  }
  return { isTheFiles, points: [...points.values()] };
}

/** Whether no old line is indented, neither in the patch nor in the file, while a new one is. */
export function isFlat(lines: Lines, { body }: Pattern, { at, tier }: Place): boolean {
  const isIndented = (text: string) => /^[ \t]+\S/.test(text);
  let row = at;
  let isNew = false;
  for (const { kind, text } of body) {
    if (kind === "added") isNew ||= isIndented(text);
    else if (isIndented(text) || (tier >= 2 && isIndented(lineAt(lines, row)))) return false;
    if (kind !== "added") row += 1;
  }
  return isNew;
}

/**
 * How the file writes the indentations of the new lines of a hunk whose old lines are not indented; undefined where they
 * stay as they are. Such a hunk alone cannot show whether the model wrote spaces for the file's tabs, or steps of another
 * width; the other hunks of the patch can. If they do not, the file's own character is used, but steps are not widened,
 * and lines that may be part of a multi-line text stay untouched.
 */
export function learnedScale(
  lines: Lines,
  { body }: Pattern,
  row: number,
  { isTheFiles, points }: Indentation,
  step: () => IndentStep | undefined,
): Scale | undefined {
  if (isTheFiles) return undefined;
  const fresh = body.flatMap(({ kind, text }) => (kind === "added" && text.trim() !== "" ? [text] : []));
  const wanted = [...new Set(fresh.map(indentOf))];
  const run = body.flatMap(({ kind, text }) =>
    kind === "removed" || text.trim() === "" ? [] : [indentOf(text)],
  );
  const isOther = ({ patch, file }: Point) => patch[0] !== file[0];
  // A single depth that only moved shows nothing about another one.
  const isShown = points.some(isOther) || new Set(points.map(({ patch }) => patch)).size > 1;
  if (points.length > 0 && !isShown) return undefined;
  const char = wanted.find((indent) => indent !== "")?.[0];
  if (points.length === 0 && (step()?.char === char || mayBeText(lines, body, row))) return undefined;
  const scale = scaleOf({ points: [{ patch: "", file: "" }, ...points], wanted, runs: () => [run], step });
  return scale !== undefined && wanted.every((indent) => scale(indent) !== undefined) ? scale : undefined;
}

/** Whether a new line may be inside a multi-line string or comment, or open one. */
function mayBeText(lines: Lines, body: Pattern["body"], row: number): boolean {
  const open = new Set<string>();
  for (let at = 0; at < row; at++) toggleStrings(lineAt(lines, at), open);
  for (const { kind, text } of body) {
    if (kind === "removed") continue;
    if (kind === "added" && open.size > 0) return true;
    toggleStrings(text, open);
    if (kind === "added" && (open.size > 0 || /\/\*|<<|^\s*\*/.test(text))) return true;
  }
  return false;
}
