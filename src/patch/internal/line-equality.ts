// Defines when two lines count as equal, from "the same characters" to "look the same", and a hash that is equal for
// all lines equal at the loosest tier. Only spelling is folded: no letter is ever taken for another, and there is no
// fuzzy matching.

/** 0: exact, 1: without trailing space, 2: without outer space, 3: look-alikes folded and NFC, 4: different. */
export type Tier = 0 | 1 | 2 | 3 | 4;

export function tierOf(file: string, patch: string): Tier {
  if (file === patch) return 0;
  if (file.trimEnd() === patch.trimEnd()) return 1;
  if (file.trim() === patch.trim()) return 2;
  return fold(file) === fold(patch) ? 3 : 4;
}

const lookAlikes: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/g, "-"],
  [/[\u2018-\u201B\u2032]/g, "'"],
  [/[\u201C-\u201F\u2033]/g, '"'],
  [/[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g, " "],
  [/\u2026/g, "..."],
  [/[\u00AD\u200B\u2060\uFEFF]/g, ""],
];

/** Longer lines and stacks of combining marks are not normal text, and normalizing them is slow. */
const longest = 10_000;
const tower = /\p{M}{31}/u;

export function fold(line: string): string {
  const bare = line.trim();
  if (bare.length > longest || isPlain(line) || tower.test(line)) return bare;
  let folded = line.normalize("NFC");
  for (const [from, to] of lookAlikes) folded = folded.replace(from, to);
  return folded.trim();
}

/** Characters that folding leaves alone in any context: the common letters of most scripts. */
function isInert(code: number): boolean {
  return (
    code < 0x80 ||
    (code >= 0xc0 && code < 0x250) ||
    (code >= 0x400 && code < 0x483) ||
    (code >= 0x4e00 && code < 0xa000) ||
    (code >= 0xac00 && code < 0xd7a4) ||
    (code >= 0x3041 && code < 0x3097) ||
    (code >= 0x30a1 && code < 0x30fb)
  );
}

function isPlain(line: string): boolean {
  for (let at = 0; at < line.length; at++) if (!isInert(line.charCodeAt(at))) return false;
  return true;
}

/** The hash of a line of white space. */
export const blankHash = 0x811c9dc5 | 0;

export function hashOf(line: string): number {
  return foldedHash(line, 0, line.length);
}

/** The hash of `fold(text.slice(start, end))`, computed without creating that string for ordinary lines. */
export function foldedHash(text: string, start: number, end: number): number {
  let [first, last] = [start, end];
  while (first < last && isSpace(text.charCodeAt(first))) first += 1;
  while (first < last && isSpace(text.charCodeAt(last - 1))) last -= 1;
  let hash = blankHash;
  for (let at = first; at < last; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x80 && !isInert(code)) return plainHash(fold(text.slice(start, end)));
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash;
}

const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);

function plainHash(line: string): number {
  let hash = blankHash;
  for (let at = 0; at < line.length; at++) hash = Math.imul(hash ^ line.charCodeAt(at), 0x01000193);
  return hash;
}

/** A removed line of the patch and the line of the file that it matched, both without their indentation. */
interface Spelled {
  readonly patch: string;
  readonly file: string;
}

/**
 * Limit of the table's cells, characters before times characters after; beyond it the comparison would take too long.
 */
const maxCells = 400_000;
/** Even splitting a longer line into characters takes too long. */
const isTooLong = (line: string): boolean => line.length > 20_000;
/** A kept character must be in a kept run of at least this length; a shorter run may be a coincidence. */
const shortest = 3;

/** A run of characters of the patch and how the file spells it. */
interface Segment {
  readonly first: number;
  readonly last: number;
  readonly file: string;
  readonly isOther: boolean;
}

export function isRespelled({ patch, file }: Spelled): boolean {
  return patch.trim() !== file.trim();
}

/**
 * Rewrites changed lines that matched the file by look-alikes only: the difference within the patch is applied to the
 * file's characters, so that no character changes that the patch did not change. If there are several equally small
 * differences, all must give the same text; otherwise the result is undefined.
 */
export function respell(removed: readonly Spelled[], added: readonly string[]): string[] | undefined {
  const before: string[] = [];
  const segments: Segment[] = [];
  for (const line of removed) {
    if (isTooLong(line.patch) || before.length * added.length > maxCells) return undefined;
    const own = segmentsOf(line, before);
    if (own === undefined) return undefined;
    for (const each of own) segments.push(each);
  }
  const after: string[] = [];
  for (const line of added) {
    if (isTooLong(line) || before.length * after.length > maxCells) return undefined;
    for (const char of charsOf(line.trimEnd())) after.push(char);
    after.push(endOf(line));
  }
  if (before.length * after.length > maxCells) return undefined;
  const written = applied({ before, after, segments });
  return written?.split("\n").slice(0, -1);
}

/** Made when it is first needed, which takes some milliseconds. */
let graphemes: Intl.Segmenter | undefined;

function charsOf(text: string): string[] {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

function endOf(line: string): string {
  return `${line.slice(line.trimEnd().length)}\n`;
}

/**
 * Appends the line's characters to `before` and returns how the file spells each. A segment is as short as possible.
 */
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
    // Zero-width characters belong to the one before them.
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

/** Adds a dot on both sides, so that white space and marks at the edges are included. */
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

/** Applies the patch's difference to the file's characters. */
function applied(difference: Difference): string | undefined {
  const { after, segments } = difference;
  const destinations = destinationsOf(difference);
  const written: (string | undefined)[] = [...after];
  let isLost = false;
  for (const { first, last, file, isOther } of segments) {
    const targets = destinations.slice(first, last);
    const isGone = targets.every((destination) => destination.length === 0);
    // A zero-width character is removed or kept together with its neighbour.
    if (isLost && !isGone) return undefined;
    isLost = isOther && isGone && last - first === 1 && file.length > 1 && /\p{Cf}$/u.test(file);
    if (!isOther || isGone) continue;
    const [to] = targets[0] ?? [];
    const isKept = targets.every(
      (destination, step) => destination.length === 1 && destination[0] === (to ?? 0) + step,
    );
    if (to === undefined || !isKept || !isRooted(difference, first, last, to)) return undefined;
    written.fill("", to, to + last - first);
    written[to] = file;
  }
  return written.join("");
}

/** Whether it is kept together with enough of its neighbours. */
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
 * For each character before: the characters after that it may correspond to in a smallest difference; including -1 if
 * another smallest difference drops it.
 */
function destinationsOf({ before, after }: Difference): number[][] {
  const columns = after.length;
  const width = columns + 1;
  const above = keptAbove(before, after);
  const below = keptAbove([...before].reverse(), [...after].reverse()).reverse();
  const best = below[0] ?? 0;
  const destinations: number[][] = before.map(() => []);
  for (const [row, own] of destinations.entries()) {
    let canGo = false;
    for (let column = 0; column <= columns; column++) {
      const at = row * width + column;
      if ((above[at] ?? 0) + (below[at + width] ?? 0) === best) canGo = true;
      const isSame = column < columns && before[row] === after[column];
      if (isSame && (above[at] ?? 0) + 1 + (below[at + width + 1] ?? 0) === best) own.push(column);
    }
    if (canGo && own.length > 0) own.push(-1);
  }
  return destinations;
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
