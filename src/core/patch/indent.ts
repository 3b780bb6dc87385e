// Gives added lines the file's indentation when the hunk matched by white space only. Every pair of an old line in
// the patch and its line in the file says how one indentation is written in the other; nothing else is guessed.

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
  const pairs = old
    .filter((pair) => pair.patch.trim() !== "")
    .map((pair) => ({ ...pair, patch: indentOf(pair.patch), file: indentOf(pair.file) }));
  if (pairs.every((pair) => pair.patch === pair.file)) return (line) => line.text;
  const indents = added.filter((line) => line.text.trim() !== "").map((line) => indentOf(line.text));
  const translate = createTranslate(unitOf(pairs, indents));
  const right = rightAsTheyAre(pairs, added);
  return (line) => {
    const indent = indentOf(line.text);
    if (line.text.trim() === "" || right.has(line.at)) return line.text;
    return inFile(indent, line.at, pairs, translate) + line.text.slice(indent.length);
  };
}

/**
 * A block of added lines may be indented as the file is although the old line beside it lost some: its outermost
 * line then stands exactly where the file has that one. But if the whole hunk was shifted, a line below an opening
 * one looks the same; so the block must replace that line, or another old line must have kept its indentation.
 */
function rightAsTheyAre(pairs: readonly IndentPair[], added: readonly AddedLine[]): ReadonlySet<number> {
  const right = new Set<number>();
  for (const block of blocksOf(added)) {
    const outermost = shortest(
      block.filter((line) => line.text.trim() !== "").map((line) => indentOf(line.text)),
    );
    const pair = nearest(pairs, block[0]?.at ?? 0, () => true);
    if (pair === undefined || pair.patch === pair.file || !pair.file.startsWith(pair.patch)) continue;
    const explained = pairs.some((own) => own.patch === outermost);
    const shifted = !pair.removed && pairs.every((own) => own.patch !== own.file);
    if (outermost !== pair.file || explained || shifted) continue;
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

function inFile(
  indent: string,
  at: number,
  pairs: readonly IndentPair[],
  translate: (step: string) => string,
): string {
  const equal = nearest(pairs, at, (pair) => pair.patch === indent);
  if (equal !== undefined) return equal.file;
  const around = pairs.filter((pair) => indent.startsWith(pair.patch));
  const depth = Math.max(0, ...around.map((pair) => pair.patch.length));
  const outer = nearest(around, at, (pair) => pair.patch.length === depth);
  if (outer !== undefined) return outer.file + translate(indent.slice(outer.patch.length));
  const inner = nearest(pairs, at, (pair) => pair.patch.startsWith(indent));
  const step = inner === undefined ? "" : translate(inner.patch.slice(indent.length));
  return inner?.file.endsWith(step) ? inner.file.slice(0, inner.file.length - step.length) : indent;
}

/** Of those that pass, the one nearest to the line; of two as near, the one above. */
function nearest(
  pairs: readonly IndentPair[],
  at: number,
  passes: (pair: IndentPair) => boolean,
): IndentPair | undefined {
  let best: IndentPair | undefined;
  for (const pair of pairs) {
    const isNearer = best === undefined || Math.abs(pair.at - at) < Math.abs(best.at - at);
    if (isNearer && passes(pair)) best = pair;
  }
  return best;
}

interface Unit {
  readonly patch: string;
  readonly file: string;
}

/** How a further step of indentation in the patch is written in the file. */
function createTranslate(unit: Unit | undefined): (step: string) => string {
  return (step) => {
    if (unit === undefined || unit.patch === "") return step;
    const steps = Math.floor(step.length / unit.patch.length);
    if (unit.patch.repeat(steps) !== step.slice(0, steps * unit.patch.length)) return step;
    return unit.file.repeat(steps) + step.slice(steps * unit.patch.length);
  };
}

/** What one step is on both sides: the smallest that two old lines show, or one line where tabs stand for spaces. */
function unitOf(pairs: readonly IndentPair[], added: readonly string[]): Unit | undefined {
  const depths = [...new Map(pairs.map((pair) => [`${pair.patch}|${pair.file}`, pair])).values()];
  let best: Unit | undefined;
  for (const inner of depths) {
    for (const outer of [...depths, margin]) {
      const unit = unitBetween(outer, inner);
      if (unit !== undefined && (best === undefined || unit.patch.length < best.patch.length)) best = unit;
    }
  }
  if (best !== undefined) return best;
  const patch = shortest(added.filter((indent) => indent !== ""));
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
  if (isTabs(patch) && isSpaces(file))
    return { patch: "\t", file: file.slice(0, file.length / patch.length) };
  if (isSpaces(patch) && isTabs(file))
    return { patch: patch.slice(0, patch.length / file.length), file: "\t" };
  return outer === margin ? undefined : { patch, file };
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
  return /^\s*/.exec(line)?.[0] ?? "";
}
