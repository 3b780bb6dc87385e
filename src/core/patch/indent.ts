// Gives added lines the file's indentation when the hunk matched by white space only. Every pair of an old line in
// the patch and its line in the file says how one indentation is written in the other; nothing else is guessed.

import { firstThat } from "./search.ts";

export interface IndentPair {
  /** Its number among the hunk's lines: the nearest pair speaks first. */
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

/** `old` are the hunk's old lines with the file's lines they matched, `added` its new lines. */
export function createReindent(old: readonly IndentPair[], added: readonly AddedLine[]): Reindent {
  const pairs: IndentPair[] = [];
  for (const { at, patch, file, removed } of old) {
    if (patch.trim() !== "") pairs.push({ at, patch: indentOf(patch), file: indentOf(file), removed });
  }
  if (pairs.every((pair) => pair.patch === pair.file)) return (line) => line.text;
  const depths = depthsOf(pairs);
  const translate = createTranslate(pairs, added);
  const right = rightAsTheyAre(pairs, depths, added);
  return (line) => {
    const indent = indentOf(line.text);
    if (line.text.trim() === "" || right.has(line.at)) return line.text;
    return inFile(indent, line.at, depths, translate) + line.text.slice(indent.length);
  };
}

/** The pairs by the patch's indentation, each group in the order of the hunk. */
type Depths = ReadonlyMap<string, readonly IndentPair[]>;

function depthsOf(pairs: readonly IndentPair[]): Depths {
  const depths = new Map<string, IndentPair[]>();
  for (const pair of pairs) {
    const own = depths.get(pair.patch);
    if (own === undefined) depths.set(pair.patch, [pair]);
    else own.push(pair);
  }
  return depths;
}

/**
 * A block of added lines may be indented as the file is although the old line beside it lost some: its outermost
 * line then stands exactly where the file has that one. But if the whole hunk was shifted, a line below an opening
 * one looks the same; so the block must replace that line, or another old line must have kept its indentation.
 */
function rightAsTheyAre(
  pairs: readonly IndentPair[],
  depths: Depths,
  added: readonly AddedLine[],
): ReadonlySet<number> {
  const right = new Set<number>();
  const allShifted = pairs.every((pair) => pair.patch !== pair.file);
  for (const block of blocksOf(added)) {
    const filled = block.filter((line) => line.text.trim() !== "");
    const outermost = shortest(filled.map((line) => indentOf(line.text)));
    const pair = nearest(pairs, block[0]?.at ?? 0);
    if (pair === undefined || pair.patch === pair.file || !pair.file.startsWith(pair.patch)) continue;
    const shifted = !pair.removed && allShifted;
    if (outermost !== pair.file || depths.has(outermost) || shifted) continue;
    for (const line of block) right.add(line.at);
  }
  return right;
}

function blocksOf(added: readonly AddedLine[]): AddedLine[][] {
  const blocks: AddedLine[][] = [];
  for (const line of added) {
    const last = blocks.at(-1);
    if (last?.at(-1)?.at === line.at - 1) last.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

function inFile(indent: string, at: number, depths: Depths, translate: (step: string) => string): string {
  const equal = nearest(depths.get(indent) ?? [], at);
  if (equal !== undefined) return equal.file;
  const around = [...depths.keys()].filter((depth) => indent.startsWith(depth));
  const depth = around.reduce((best, own) => (own.length > best.length ? own : best), "");
  const outer = nearest(depths.get(depth) ?? [], at);
  if (outer !== undefined) return outer.file + translate(indent.slice(depth.length));
  const within = [...depths.entries()].filter(([own]) => own.startsWith(indent));
  const nearestOnes = within.flatMap(([, own]) => nearest(own, at) ?? []);
  const inner = nearest(
    nearestOnes.sort((one, other) => one.at - other.at),
    at,
  );
  const step = inner === undefined ? "" : translate(inner.patch.slice(indent.length));
  return inner?.file.endsWith(step) ? inner.file.slice(0, inner.file.length - step.length) : indent;
}

/** Of pairs in the order of the hunk, the one nearest to the line; of two as near, the one above. */
function nearest(pairs: readonly IndentPair[], at: number): IndentPair | undefined {
  const step = firstThat(pairs, (pair) => pair.at >= at);
  const [above, below] = [pairs[step - 1], pairs[step]];
  if (above === undefined || below === undefined) return above ?? below;
  return below.at - at < at - above.at ? below : above;
}

interface Unit {
  readonly patch: string;
  readonly file: string;
}

/** How a further step of indentation in the patch is written in the file. */
function createTranslate(
  pairs: readonly IndentPair[],
  added: readonly AddedLine[],
): (step: string) => string {
  let known: { readonly unit: Unit | undefined } | undefined;
  return (step) => {
    known ??= { unit: unitOf(pairs, added) };
    const { unit } = known;
    if (step === "" || unit === undefined) return step;
    const steps = Math.floor(step.length / unit.patch.length);
    if (unit.patch.repeat(steps) !== step.slice(0, steps * unit.patch.length)) return step;
    return unit.file.repeat(steps) + step.slice(steps * unit.patch.length);
  };
}

/** What one step is on both sides: the smallest that two old lines show, or one line where tabs stand for spaces. */
function unitOf(pairs: readonly IndentPair[], added: readonly AddedLine[]): Unit | undefined {
  const depths = [...new Map(pairs.map((pair) => [`${pair.patch}|${pair.file}`, pair])).values()];
  let best: Unit | undefined;
  for (const inner of depths) {
    for (const outer of [...depths, margin]) {
      const unit = unitBetween(outer, inner);
      if (unit !== undefined && (best === undefined || unit.patch.length < best.patch.length)) best = unit;
    }
  }
  if (best !== undefined) return best;
  const filled = added.filter((line) => line.text.trim() !== "").map((line) => indentOf(line.text));
  const patch = shortest(filled.filter((indent) => indent !== ""));
  const file = shortest(depths.map((pair) => pair.file).filter((indent) => indent !== ""));
  if (isSpaces(patch) && isTabs(file)) return { patch, file: "\t" };
  return isTabs(patch) && isSpaces(file) ? { patch: "\t", file } : undefined;
}

/** No indentation is none on both sides; but two widths of spaces may as well be a mere shift. */
const margin: Unit = { patch: "", file: "" };

function unitBetween(outer: Unit, inner: Unit): Unit | undefined {
  if (inner.patch === outer.patch || inner.file === outer.file) return undefined;
  if (!inner.patch.startsWith(outer.patch) || !inner.file.startsWith(outer.file)) return undefined;
  const patch = inner.patch.slice(outer.patch.length);
  const file = inner.file.slice(outer.file.length);
  if (isTabs(patch) && isSpaces(file)) return { patch: "\t", file: perTab(file, patch) };
  if (isSpaces(patch) && isTabs(file)) return { patch: perTab(patch, file), file: "\t" };
  return outer === margin ? undefined : { patch, file };
}

function perTab(spaces: string, tabs: string): string {
  return " ".repeat(Math.max(1, Math.round(spaces.length / tabs.length)));
}

function isTabs(indent: string): boolean {
  return /^\t+$/.test(indent);
}

function isSpaces(indent: string): boolean {
  return /^ +$/.test(indent);
}

function shortest(indents: readonly string[]): string {
  const [first = "", ...rest] = indents;
  return rest.reduce((best, own) => (own.length < best.length ? own : best), first);
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}
