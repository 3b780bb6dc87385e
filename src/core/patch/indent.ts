// Gives added lines the file's indentation when the hunk matched by white space only. Every pair of an old line in
// the patch and its line in the file says how one indentation is written in the other; nothing else is guessed.

export interface IndentPair {
  /** Its number among the hunk's lines: the nearest pair speaks first. */
  readonly at: number;
  readonly patch: string;
  readonly file: string;
}

export type Reindent = (line: string, at: number) => string;

/** `old` are the hunk's old lines with the file's lines they matched, `added` its new lines. */
export function createReindent(old: readonly IndentPair[], added: readonly string[]): Reindent {
  const pairs = old
    .filter((pair) => pair.patch.trim() !== "")
    .map((pair) => ({ at: pair.at, patch: indentOf(pair.patch), file: indentOf(pair.file) }));
  if (pairs.every((pair) => pair.patch === pair.file)) return (line) => line;
  const translate = createTranslate(unitFrom(pairs) ?? unitByKind(pairs, added.map(indentOf)));
  return (line, at) => {
    const indent = indentOf(line);
    if (line.trim() === "") return line;
    return inFile(indent, at, pairs, translate) + line.slice(indent.length);
  };
}

function inFile(
  indent: string,
  at: number,
  pairs: readonly IndentPair[],
  translate: (step: string) => string,
): string {
  const near = [...pairs].sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at) || a.at - b.at);
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
      if (!inner.file.startsWith(outer.file)) continue;
      const patch = inner.patch.slice(outer.patch.length);
      return { patch, file: inner.file.slice(outer.file.length) };
    }
  }
  return undefined;
}

/** One depth only: tabs against spaces still show a unit, two widths of spaces may as well be a mere shift. */
function unitByKind(pairs: readonly IndentPair[], added: readonly string[]): Unit | undefined {
  const patch = shortest([...pairs.map((pair) => pair.patch), ...added]);
  const file = shortest(pairs.map((pair) => pair.file));
  if (/^ +$/.test(patch) && /^\t+$/.test(file)) {
    const pair = pairs.find((own) => /^ +$/.test(own.patch));
    const width = pair === undefined ? patch.length : pair.patch.length / pair.file.length;
    return { patch: " ".repeat(Math.max(1, Math.round(width))), file: "\t" };
  }
  if (/^\t+$/.test(patch) && /^ +$/.test(file)) {
    const pair = pairs.find((own) => /^\t+$/.test(own.patch));
    const width = pair === undefined ? file.length : pair.file.length / pair.patch.length;
    return { patch: "\t", file: " ".repeat(Math.max(1, Math.round(width))) };
  }
  return undefined;
}

function shortest(indents: readonly string[]): string {
  return indents
    .filter((indent) => indent !== "")
    .reduce((best, own) => (best === "" || own.length < best.length ? own : best), "");
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? "";
}
