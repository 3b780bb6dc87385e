// Lines of the file that a hunk matched only by look-alikes, and changes: the patch's own difference is applied to the
// file's characters, so that none changes which the patch did not change. Of several differences that are equally
// small all have to give the same text; otherwise nothing is given.
import type { Steps } from "../util/yield-to-event-loop.ts";
import { fold } from "./line-equality.ts";

/** A removed line as the patch has it, and the line of the file that it matched; both without their indentation. */
export interface Spelled {
  readonly patch: string;
  readonly file: string;
}

/** What cannot be told apart in a moment is not tried: characters before times characters after. */
const maxCells = 400_000;
/** To take a longer line apart takes more than a moment by itself. */
const isTooLong = (line: string): boolean => line.length > 20_000;
/** So many lines are taken apart without a pause. */
const atOnce = 20;
/** A character that is kept stands in so long a stretch that is kept; alone it may be there by chance. */
const shortest = 3;

/** A stretch of characters of the patch and how the file spells it. */
interface Segment {
  readonly first: number;
  readonly last: number;
  readonly file: string;
  readonly isOther: boolean;
}

export function isRespelled({ patch, file }: Spelled): boolean {
  return patch.trim() !== file.trim();
}

/** The added lines with the file's characters where the patch keeps them; undefined where that cannot be told. */
export function* respell(removed: readonly Spelled[], added: readonly string[]): Steps<string[] | undefined> {
  const before: string[] = [];
  const segments: Segment[] = [];
  for (const [index, line] of removed.entries()) {
    if (index % atOnce === 0) yield;
    if (isTooLong(line.patch) || before.length * added.length > maxCells) return undefined;
    const own = segmentsOf(line, before);
    if (own === undefined) return undefined;
    for (const each of own) segments.push(each);
  }
  const after: string[] = [];
  for (const [index, line] of added.entries()) {
    if (index % atOnce === 0) yield;
    if (isTooLong(line) || before.length * after.length > maxCells) return undefined;
    for (const char of charsOf(line.trimEnd())) after.push(char);
    after.push(endOf(line));
  }
  if (before.length * after.length > maxCells) return undefined;
  yield;
  const written = applied({ before, after, segments });
  return written?.split("\n").slice(0, -1);
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

function charsOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

function endOf(line: string): string {
  return `${line.slice(line.trimEnd().length)}\n`;
}

/** Puts the line's characters behind `before`, and tells how the file spells each; only as much as must be is one. */
function segmentsOf({ patch, file }: Spelled, before: string[]): Segment[] | undefined {
  const [own, there] = [charsOf(patch.trimEnd()), charsOf(file.trimEnd())];
  const segments: Segment[] = [];
  let [step, fileStep] = [0, 0];
  while (step < own.length) {
    const [first, from] = [step, fileStep];
    let behind = widthOf(own[step++]);
    while (behind !== 0 || fileStep === from) {
      if (behind < 0 && step < own.length) behind += widthOf(own[step++]);
      else if (behind >= 0 && fileStep < there.length) behind -= widthOf(there[fileStep++]);
      else return undefined;
    }
    // Characters without width belong to the one before them.
    while (step < own.length && widthOf(own[step]) === 0) step += 1;
    while (fileStep < there.length && widthOf(there[fileStep]) === 0) fileStep += 1;
    const [mine, text] = [own.slice(first, step).join(""), there.slice(from, fileStep).join("")];
    if (folded(mine) !== folded(text)) return undefined;
    const range = { first: before.length + first, last: before.length + step };
    segments.push({ ...range, file: text, isOther: text !== mine });
  }
  const end = before.length + own.length;
  const isOther = endOf(patch) !== endOf(file);
  segments.push({ first: end, last: end + 1, file: endOf(file), isOther });
  for (const each of own) before.push(each);
  before.push(endOf(patch));
  return fileStep === there.length ? segments : undefined;
}

/** Dots on both sides: white space and marks at the edges are part of it. */
function folded(text: string): string {
  return fold(`.${text}.`);
}

function widthOf(char = ""): number {
  return folded(char).length - 2;
}

interface Difference {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly segments: readonly Segment[];
}

/** What the patch's difference makes of the file's characters. */
function applied(difference: Difference): string | undefined {
  const { after, segments } = difference;
  const fates = fatesOf(difference);
  const written: (string | undefined)[] = [...after];
  let isLost = false;
  for (const { first, last, file, isOther } of segments) {
    const targets = fates.slice(first, last);
    const isGone = targets.every((fate) => fate.length === 0);
    // A character that is nothing but width to its neighbour goes with both or stays with both.
    if (isLost && !isGone) return undefined;
    isLost = isOther && isGone && last - first === 1 && file.length > 1 && /\p{Cf}$/u.test(file);
    if (!isOther || isGone) continue;
    const [to] = targets[0] ?? [];
    const isKept = targets.every((fate, step) => fate.length === 1 && fate[0] === (to ?? 0) + step);
    if (to === undefined || !isKept || !isRooted(difference, first, last, to)) return undefined;
    written.fill("", to, to + last - first);
    written[to] = file;
  }
  return written.join("");
}

/** It is kept together with what stands beside it. */
function isRooted({ before, after }: Difference, first: number, last: number, to: number): boolean {
  let [left, right] = [0, 0];
  while (left < shortest && first > left && before[first - left - 1] === after[to - left - 1]) left += 1;
  const end = to + last - first;
  while (right < shortest && last + right < before.length && before[last + right] === after[end + right])
    right += 1;
  const atStart = first - left === 0 && to - left === 0 ? 1 : 0;
  return left + right + atStart + (last - first) >= shortest;
}

/**
 * For each character before: those after that it can be by some smallest difference; with -1 among them where another
 * smallest difference drops it.
 */
function fatesOf({ before, after }: Difference): number[][] {
  const columns = after.length;
  const width = columns + 1;
  const above = keptAbove(before, after);
  const below = keptAbove([...before].reverse(), [...after].reverse()).reverse();
  const best = below[0] ?? 0;
  const fates: number[][] = before.map(() => []);
  for (const [row, own] of fates.entries()) {
    let canGo = false;
    for (let column = 0; column <= columns; column++) {
      const at = row * width + column;
      if ((above[at] ?? 0) + (below[at + width] ?? 0) === best) canGo = true;
      const isSame = column < columns && before[row] === after[column];
      if (isSame && (above[at] ?? 0) + 1 + (below[at + width + 1] ?? 0) === best) own.push(column);
    }
    if (canGo && own.length > 0) own.push(-1);
  }
  return fates;
}

/** At row × width + column: how many of the first characters before can be kept among the first after. */
function keptAbove(before: readonly string[], after: readonly string[]): Uint16Array {
  const width = after.length + 1;
  const kept = new Uint16Array((before.length + 1) * width);
  for (const [row, char] of before.entries()) {
    for (const [column, other] of after.entries()) {
      const at = row * width + column;
      const along = char === other ? (kept[at] ?? 0) + 1 : 0;
      kept[at + width + 1] = Math.max(kept[at + 1] ?? 0, kept[at + width] ?? 0, along);
    }
  }
  return kept;
}
