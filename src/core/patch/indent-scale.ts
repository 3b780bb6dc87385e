// One scale for the indentation of a whole hunk: how a width in the patch is written in the file. Every pair of an old
// line and its line in the file is a point of it; two points at different depths give the ratio of the steps. Where
// all stand at one depth, the readings of it have to agree on every line that is added, or there is no scale.
import type { Step } from "./indent-step.ts";

/** One indentation in the patch and in the file. */
export interface Point {
  readonly patch: string;
  readonly file: string;
}

/** How the file writes an indentation of the patch; undefined where that cannot be told. */
export type Scale = (indent: string) => string | undefined;

export interface ScaleQuestion {
  readonly points: readonly Point[];
  /** The indentations that have to be written. */
  readonly wanted: readonly string[];
  /** Those of the lines of the hunk, one below the other, as it was and as it will be. */
  readonly runs: () => readonly (readonly string[])[];
  /** The step by which the file itself indents. */
  readonly step: () => Step | undefined;
}

type Char = Step["char"];

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

/** Undefined where the points contradict each other, or what they leave open matters. */
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
  // The file is asked for its step only where some indentation is that of no old line.
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
    // What stands between two steps is not stretched with them.
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

/** The points by depth; undefined when one depth stands for several, or a deeper one is not deeper in the file. */
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

/** The ratio that all pairs of points show; it must not turn one step of the patch into several of the file. */
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
  const own = chars.patch === "\t" ? 1 : stepIn(runs(), chars.file === " " ? size : undefined)?.size;
  if (own === undefined || size === undefined) return slope;
  // Lines that do not stand on steps of that size, and all begin at the margin, go several steps at once.
  if (origin.x % own !== 0 && widthAt(origin, slope, 0) === 0) return slope;
  const steps = (own * slope.file) / slope.patch / size;
  return steps > 1 && Number.isInteger(steps) ? undefined : slope;
}

/**
 * All old lines stand at one depth. Either the patch indents by another step (`whole`), or it lost or gained the same
 * everywhere (`moved`), or its step stands for the step of the file (`stepped`).
 */
function ratioAt(origin: Measured, chars: Chars, { wanted, runs, step }: ScaleQuestion): Ratio | undefined {
  const xs = [...new Set(wanted.map((indent) => indent.length))];
  const fits = (ratio: Ratio | undefined) =>
    ratio !== undefined && xs.every((x) => widthAt(origin, ratio, x) !== undefined);
  if (chars.patch === "\t" && chars.file === "\t") return { file: 1, patch: 1 };
  // A text without any indentation does not say by what it would indent.
  if (origin.y === 0 && step() === undefined) return undefined;
  const size = chars.file === "\t" ? 1 : step()?.size;
  const expected = chars.file === " " ? size : undefined;
  const own = chars.patch === "\t" ? { size: 1, isFirm: true } : stepIn(runs(), expected);
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
  // Where the file shows no step of its own, nothing says how wide one is.
  if (stepped === undefined || own === undefined || size === undefined) return undefined;
  // A way up may be several steps at once.
  if (!own.isFirm) return undefined;
  if (isEqual(stepped, moved) || isEqual(stepped, whole)) return stepped;
  // Steps that are none of the file's cannot have been meant as they are; but each may be several at once.
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
    // A file's own spaces tell how wide its steps are; how wide a tab was meant to be tells nobody.
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
  /** A line opens it; otherwise it is only closed. */
  readonly isFirm: boolean;
}

/**
 * The step of the patch: that of the file where a line goes down by it and none by a part of it; else its smallest way
 * down, of which all others are multiples.
 */
function stepIn(runs: readonly (readonly string[])[], expected: number | undefined): OwnStep | undefined {
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
