// Derives one scale for the indentation of a whole hunk: how a width in the patch is written in the file. Each pair of
// an old line and its line in the file is a point; two points at different depths give the ratio of the steps. If all
// points have the same depth, the possible readings must agree on every added line, or there is no scale.
import { isBlank, type Lines, lineAt } from "../edits.ts";

/** One step of indentation: a tab, or a number of spaces. */
export interface IndentStep {
  readonly char: "\t" | " ";
  readonly size: number;
}

/** Returns the step around a row; undefined where the lines around it show none, or several. */
export type StepAt = (row: number) => IndentStep | undefined;

/** How many lines above and below a row are examined. */
const around = 500;
/** The share of the indented lines that must agree. */
const most = 0.8;

/**
 * Determines the step by which a text indents around a row. It breaks ties where a patch alone does not show how one of
 * its steps is written in the file.
 */
export function stepsOf(lines: Lines): StepAt {
  return byBlock((first, last) => stepIn(lines, first, last));
}

/** Whether, around a row, most lines that go one level in do so by a single space. */
export function blankStepsOf(lines: Lines): (row: number) => boolean {
  return byBlock((first, last) => isByBlanks(lines, first, last));
}

/** Computes the result once per block and uses it for all rows of that block. */
function byBlock<T>(find: (first: number, last: number) => T): (row: number) => T {
  const known = new Map<number, { readonly value: T }>();
  return (row) => {
    const block = Math.floor(row / around);
    const found = known.get(block) ?? { value: find((block - 1) * around, (block + 2) * around) };
    known.set(block, found);
    return found.value;
  };
}

function isByBlanks(lines: Lines, first: number, last: number): boolean {
  let [single, others, before] = [0, 0, 0];
  for (let row = Math.max(0, first); row < Math.min(last, lines.count); row++) {
    const line = lineAt(lines, row);
    const indent = indentOf(line);
    // The lines of a block comment are indented by one more space, before their star.
    if (indent.length === line.length || line.startsWith("*", indent.length)) continue;
    if (indent.length === before + 1 && indent.endsWith(" ")) single += 1;
    else if (indent.length > before) others += 1;
    before = indent.length;
  }
  return single > others;
}

function stepIn(lines: Lines, first: number, last: number): IndentStep | undefined {
  const indents: string[] = [];
  for (let row = Math.max(0, first); row < Math.min(last, lines.count); row++) {
    if (!isBlank(lines, row)) indents.push(indentOf(lineAt(lines, row)));
  }
  const indented = indents.filter((indent) => indent !== "");
  const tabs = indented.filter((indent) => indent.startsWith("\t")).length;
  if (indented.length === 0) return undefined;
  if (tabs >= most * indented.length) return { char: "\t", size: 1 };
  return tabs > (1 - most) * indented.length ? undefined : stepOfSpaces(indents);
}

/** The most frequent increase of one level, if nearly all widths are multiples of it. */
function stepOfSpaces(indents: readonly string[]): IndentStep | undefined {
  const widths = indents.filter((indent) => !indent.includes("\t")).map((indent) => indent.length);
  const jumps = new Map<number, number>();
  for (const [at, width] of widths.entries()) {
    const jump = width - (widths[at - 1] ?? width);
    if (jump > 1) jumps.set(jump, (jumps.get(jump) ?? 0) + 1);
  }
  const indented = widths.filter((width) => width > 0);
  const byCount = [...jumps].sort(([one, count], [other, often]) => often - count || one - other);
  const size = byCount.find(([jump]) => {
    return indented.filter((width) => width % jump === 0).length >= most * indented.length;
  })?.[0];
  return size === undefined ? undefined : { char: " ", size };
}

/** The white space at the beginning of a line; only its first part is returned, however long it is. */
export function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

/** One indentation, as in the patch and as in the file. */
export interface Point {
  readonly patch: string;
  readonly file: string;
}

/** How the file writes an indentation of the patch; undefined if it cannot be determined. */
export type Scale = (indent: string) => string | undefined;

interface ScaleQuestion {
  readonly points: readonly Point[];
  /** The indentations that have to be written. */
  readonly wanted: readonly string[];
  /** The indentations of the hunk's lines in their order, before and after the change. */
  readonly runs: () => readonly (readonly string[])[];
  /** The step by which the file itself indents. */
  readonly step: () => IndentStep | undefined;
}

type Char = IndentStep["char"];

interface Chars {
  readonly patch: Char;
  readonly file: Char;
}

/** A number of steps as a fraction, so that nothing is rounded. */
interface Ratio {
  readonly file: number;
  readonly patch: number;
}

interface Measured {
  readonly x: number;
  readonly y: number;
}

/** Undefined if the points contradict each other, or if they leave something open that matters. */
export function scaleOf(question: ScaleQuestion): Scale | undefined {
  const { points, wanted } = question;
  const patchChar = charOf([...points.map((point) => point.patch), ...wanted]);
  const seen = charOf(points.map((point) => point.file));
  const measured = distinct(points);
  if (patchChar === "mixed" || seen === "mixed" || measured === undefined) return undefined;
  const isFlat = seen === undefined && wanted.some((indent) => indent !== "");
  const fileChar = seen ?? (isFlat ? question.step()?.char : undefined) ?? " ";
  const chars = patchChar === undefined ? undefined : { patch: patchChar, file: fileChar };
  const known = new Map(measured.map(({ x, y }) => [x, y]));
  // The file's own step is only computed if some indentation differs from those of all old lines.
  const isOpen = chars !== undefined && wanted.some((indent) => !known.has(indent.length));
  const further = isOpen ? furtherWidths(measured, chars, question) : undefined;
  return (indent) => {
    const y = known.get(indent.length) ?? further?.(indent.length);
    return y === undefined ? undefined : fileChar.repeat(y);
  };
}

/** The widths that no point shows. */
function furtherWidths(
  measured: readonly Measured[],
  chars: Chars,
  question: ScaleQuestion,
): ((x: number) => number | undefined) | undefined {
  const [origin, next] = measured;
  if (origin === undefined) return undefined;
  const ratio =
    next === undefined
      ? ratioAt(origin, chars, question)
      : slopeOf([origin, next, ...measured.slice(2)], chars, question);
  if (ratio === undefined) return undefined;
  const isStretched = chars.patch === " " && chars.file === " " && ratio.file !== ratio.patch;
  const grid = isStretched ? (question.step()?.size ?? commonStep(measured)) : 1;
  return (x) => {
    const y = widthAt(origin, ratio, x);
    // An indentation between two steps cannot be scaled with them.
    return y === undefined || (y - origin.y) % grid !== 0 ? undefined : y;
  };
}

function commonStep(measured: readonly Measured[]): number {
  const steps = measured.map(({ y }) => y - (measured[0]?.y ?? 0)).filter((step) => step > 0);
  return Math.max(
    1,
    steps.reduce((least, step) => Math.min(least, step), Number.POSITIVE_INFINITY),
  );
}

function charOf(indents: readonly string[]): Char | "mixed" | undefined {
  let char: Char | undefined;
  for (const indent of indents) {
    if (indent === "") continue;
    const own = indent.startsWith("\t") ? "\t" : " ";
    if ((char !== undefined && char !== own) || !isOnly(indent, own)) return "mixed";
    char = own;
  }
  return char;
}

function isOnly(indent: string, char: Char): boolean {
  for (let at = 0; at < indent.length; at++) if (indent[at] !== char) return false;
  return true;
}

/**
 * The points by depth; undefined when one depth has several counterparts in the file, or when a deeper one is not
 * deeper in the file.
 */
function distinct(points: readonly Point[]): Measured[] | undefined {
  const widths = new Map<number, number>();
  for (const { patch, file } of points) {
    const known = widths.get(patch.length);
    if (known !== undefined && known !== file.length) return undefined;
    widths.set(patch.length, file.length);
  }
  const measured = [...widths].map(([x, y]) => ({ x, y })).sort((one, other) => one.x - other.x);
  const rises = measured.every(({ y }, at) => at === 0 || y > (measured[at - 1]?.y ?? 0));
  return rises ? measured : undefined;
}

/** The ratio that all pairs of points show. It must not turn one step of the patch into several of the file. */
function slopeOf(
  measured: readonly [Measured, Measured, ...Measured[]],
  chars: Chars,
  { runs, step }: ScaleQuestion,
): Ratio | undefined {
  const [origin, next] = measured;
  const slope = { file: next.y - origin.y, patch: next.x - origin.x };
  if (!measured.every(({ x, y }) => widthAt(origin, slope, x) === y)) return undefined;
  if (slope.file === slope.patch || measured.length > 2) return slope;
  const size = chars.file === "\t" ? 1 : step()?.size;
  const own = chars.patch === "\t" ? 1 : patchStepIn(runs(), chars.file === " " ? size : undefined)?.size;
  if (own === undefined || size === undefined) return slope;
  // Lines that are not on multiples of that step, with a scale that starts at the margin, are several steps deep at
  // once.
  if (origin.x % own !== 0 && widthAt(origin, slope, 0) === 0) return slope;
  const steps = (own * slope.file) / slope.patch / size;
  return steps > 1 && Number.isInteger(steps) ? undefined : slope;
}

/**
 * All old lines have the same depth. Either the patch indents by another step (`whole`), or it lost or gained the same
 * amount everywhere (`moved`), or its step corresponds to the step of the file (`stepped`).
 */
function ratioAt(origin: Measured, chars: Chars, { wanted, runs, step }: ScaleQuestion): Ratio | undefined {
  const xs = [...new Set(wanted.map((indent) => indent.length))];
  const fits = (ratio: Ratio | undefined) =>
    ratio !== undefined && xs.every((x) => widthAt(origin, ratio, x) !== undefined);
  if (chars.patch === "\t" && chars.file === "\t") return { file: 1, patch: 1 };
  // A text without any indentation does not show by what it would indent.
  if (origin.y === 0 && step() === undefined) return undefined;
  const size = chars.file === "\t" ? 1 : step()?.size;
  const expected = chars.file === " " ? size : undefined;
  const own = chars.patch === "\t" ? { size: 1, isFirm: true } : patchStepIn(runs(), expected);
  const absolute = { file: origin.y, patch: origin.x };
  const whole = origin.x > 0 && origin.y > 0 && fits(absolute) ? absolute : undefined;
  const moved = chars.patch === chars.file ? { file: 1, patch: 1 } : undefined;
  const stepped = steppedRatio(origin, own?.size, size, chars.patch === chars.file);
  const fitting = {
    whole,
    moved: fits(moved) ? moved : undefined,
    stepped: fits(stepped) ? stepped : undefined,
  };
  return moved === undefined ? otherChar(origin, chars, fitting, own) : sameChar(fitting, own, size);
}

interface Readings {
  readonly whole: Ratio | undefined;
  readonly moved: Ratio | undefined;
  readonly stepped: Ratio | undefined;
}

function steppedRatio(
  { x, y }: Measured,
  own: number | undefined,
  size: number | undefined,
  sameChar: boolean,
): Ratio | undefined {
  if (own === undefined || size === undefined) return undefined;
  const isOnSteps = x % own === 0 && y % size === 0;
  return isOnSteps || (sameChar && own === size) ? { file: size, patch: own } : undefined;
}

function sameChar(
  { whole, moved, stepped }: Readings,
  own: OwnStep | undefined,
  size: number | undefined,
): Ratio | undefined {
  // If the file shows no step of its own, nothing tells how wide one is.
  if (stepped === undefined || own === undefined || size === undefined) return undefined;
  // Going back out may take several steps at once.
  if (!own.isFirm) return undefined;
  if (isEqual(stepped, moved) || isEqual(stepped, whole)) return stepped;
  // Steps that do not match the file's cannot be meant literally, but each may be several steps at once.
  const single = whole === undefined ? 0 : (size * whole.patch) / whole.file;
  const isSeveral = Number.isInteger(single) && single > 1 && own.size % single === 0;
  return own.size % size !== 0 && !isSeveral ? stepped : undefined;
}

function otherChar(
  { x, y }: Measured,
  chars: Chars,
  { whole, stepped }: Readings,
  own: OwnStep | undefined,
): Ratio | undefined {
  const width = whole === undefined ? 0 : Math.max(whole.patch / whole.file, whole.file / whole.patch);
  const isLikely = own?.isFirm === true || width === 4;
  if (whole !== undefined && stepped !== undefined) {
    if (isEqual(whole, stepped) && isLikely) return whole;
    // Spaces in the file show how wide its steps are; nothing shows how wide a tab was meant to be.
    return chars.patch === "\t" && y / stepped.file > x ? stepped : undefined;
  }
  if (whole !== undefined) return isLikely && isTabWidth(width) ? whole : undefined;
  if (stepped === undefined || own === undefined) return undefined;
  return own.isFirm || own.size <= 4 ? stepped : undefined;
}

function isTabWidth(size: number): boolean {
  return Number.isInteger(size) && size <= 8;
}

function isEqual(one: Ratio | undefined, other: Ratio | undefined): boolean {
  return one !== undefined && other !== undefined && one.file * other.patch === other.file * one.patch;
}

interface OwnStep {
  readonly size: number;
  /** Whether a line goes in by this step; otherwise lines only go back out by it. */
  readonly isFirm: boolean;
}

/**
 * The step of the patch: the file's step if a line goes in by it and none by a part of it; otherwise the smallest
 * increase, if all others are multiples of it.
 */
function patchStepIn(
  runs: readonly (readonly string[])[],
  expected: number | undefined,
): OwnStep | undefined {
  const [downs, ups] = [new Set<number>(), new Set<number>()];
  for (const run of runs) {
    for (const [at, indent] of run.entries()) {
      const jump = indent.length - (run[at - 1] ?? indent).length;
      if (jump > 0) downs.add(jump);
      else if (jump < 0) ups.add(-jump);
    }
  }
  if (expected !== undefined && downs.has(expected)) {
    const isParted = [...downs, ...ups].some((jump) => jump > 1 && jump < expected && expected % jump === 0);
    if (!isParted) return { size: expected, isFirm: true };
  }
  const isFirm = downs.size > 0;
  const size = least(isFirm ? downs : ups);
  if (size < 2 || size > 8) return undefined;
  return [...downs, ...ups].every((jump) => jump % size === 0) ? { size, isFirm } : undefined;
}

function least(sizes: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY;
  for (const size of sizes) found = Math.min(found, size);
  return found;
}

function widthAt({ x, y }: Measured, { file, patch }: Ratio, at: number): number | undefined {
  const width = y + ((at - x) * file) / patch;
  return Number.isInteger(width) && width >= 0 ? width : undefined;
}
