// Gives added lines the file's indentation when the hunk matched by white space only. Every pair of an old line in
// the patch and its line in the file says how one indentation is written in the other; nothing else is guessed.

export interface IndentPair {
  /** Its number among the hunk's lines: the nearest pair speaks first. */
  readonly at: number;
  readonly patch: string;
  readonly file: string;
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
    .map((pair) => ({ at: pair.at, patch: indentOf(pair.patch), file: indentOf(pair.file) }));
  if (pairs.every((pair) => pair.patch === pair.file)) return (line) => line.text;
  const indents = added.filter((line) => line.text.trim() !== "").map((line) => indentOf(line.text));
  const translate = createTranslate(unitFrom(pairs) ?? unitByKind(pairs, indents));
  const right = rightAsTheyAre(pairs, added);
  return (line) => {
    const indent = indentOf(line.text);
    if (line.text.trim() === "" || right.has(line.at)) return line.text;
    return inFile(indent, line.at, pairs, translate) + line.text.slice(indent.length);
  };
}

/**
 * A block of added lines may be indented as the file is although the old lines beside it lost some: its outermost
 * line then stands exactly where the file has the old ones.
 */
function rightAsTheyAre(pairs: readonly IndentPair[], added: readonly AddedLine[]): ReadonlySet<number> {
  const right = new Set<number>();
  for (const block of blocksOf(added)) {
    const outermost = shortest(
      block.filter((line) => line.text.trim() !== "").map((line) => indentOf(line.text)),
    );
    const pair = byDistance(pairs, block[0]?.at ?? 0)[0];
    if (pair === undefined || pair.patch === pair.file || !pair.file.startsWith(pair.patch)) continue;
    if (outermost === pair.file) for (const line of block) right.add(line.at);
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
  const near = byDistance(pairs, at);
  const equal = near.find((pair) => pair.patch === indent);
  if (equal !== undefined) return equal.file;
  const outer = near
    .filter((pair) => indent.startsWith(pair.patch))
    .reduce<IndentPair | undefined>((best, pair) => (isLonger(pair, best) ? pair : best), undefined);
  if (outer !== undefined) return outer.file + translate(indent.slice(outer.patch.length));
  const inner = near.find((pair) => pair.patch.startsWith(indent));
  const step = inner === undefined ? "" : translate(inner.patch.slice(indent.length));
  return inner?.file.endsWith(step) ? inner.file.slice(0, inner.file.length - step.length) : indent;
}

/** The nearest first; of two as near, the one above. */
function byDistance(pairs: readonly IndentPair[], at: number): IndentPair[] {
  return [...pairs].sort(
    (one, other) => Math.abs(one.at - at) - Math.abs(other.at - at) || one.at - other.at,
  );
}

function isLonger(pair: IndentPair, best: IndentPair | undefined): boolean {
  return best === undefined || pair.patch.length > best.patch.length;
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

/** Two depths that both sides show: what lies between them is one unit on each side. */
function unitFrom(pairs: readonly IndentPair[]): Unit | undefined {
  for (const outer of pairs) {
    for (const inner of pairs) {
      if (inner.patch.length <= outer.patch.length || !inner.patch.startsWith(outer.patch)) continue;
      if (!inner.file.startsWith(outer.file) || inner.file === outer.file) continue;
      const patch = inner.patch.slice(outer.patch.length);
      return { patch, file: inner.file.slice(outer.file.length) };
    }
  }
  return undefined;
}

/** One depth only: tabs against spaces still show a unit, two widths of spaces may as well be a mere shift. */
function unitByKind(pairs: readonly IndentPair[], added: readonly string[]): Unit | undefined {
  const patch = shortest([...pairs.map((pair) => pair.patch), ...added].filter((indent) => indent !== ""));
  const file = shortest(pairs.map((pair) => pair.file).filter((indent) => indent !== ""));
  if (/^ +$/.test(patch) && /^\t+$/.test(file)) {
    const pair = pairs.find((own) => /^ +$/.test(own.patch) && own.file !== "");
    const width = pair === undefined ? patch.length : pair.patch.length / pair.file.length;
    return { patch: " ".repeat(Math.max(1, Math.round(width))), file: "\t" };
  }
  if (/^\t+$/.test(patch) && /^ +$/.test(file)) {
    const pair = pairs.find((own) => /^\t+$/.test(own.patch) && own.file !== "");
    const width = pair === undefined ? file.length : pair.file.length / pair.patch.length;
    return { patch: "\t", file: " ".repeat(Math.max(1, Math.round(width))) };
  }
  return undefined;
}

function shortest(indents: readonly string[]): string {
  const [first = "", ...rest] = indents;
  return rest.reduce((best, own) => (own.length < best.length ? own : best), first);
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? "";
}
