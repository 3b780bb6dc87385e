// A table of paths and their items, compact enough to scan completely at every keystroke: all characters are in one
// buffer, in lower case, and a bit set at the start of each row excludes most paths early. Rows never move; deleting
// leaves an empty one.
import { isWordStart, lowered } from "./fuzzy-match.ts";

/** A query, prepared for comparison. */
export interface Query {
  readonly text: string;
  readonly codes: Uint16Array;
  /** A bit set of the letters it contains. */
  readonly letters: number;
  readonly isPath: boolean;
}

/** Columns of a row. */
const [startAt, nameStartAt, endAt, lettersAt, nameLettersAt] = [0, 1, 2, 3, 4];
const width = 5;

export class PathTable<Item> {
  readonly #rowOf = new Map<string, number>();
  readonly #items: (Item | undefined)[] = [];
  #rows: Int32Array;
  #codes: Uint16Array;
  #isWordStart: Uint8Array;
  #used = 0;

  /** `count` is the expected number of paths; the table grows as needed. */
  constructor(count = 1024) {
    this.#rows = new Int32Array(width * Math.max(1, count));
    this.#codes = new Uint16Array(64 * Math.max(1, count));
    this.#isWordStart = new Uint8Array(64 * Math.max(1, count));
  }

  /** The number of rows, including empty ones. */
  get size(): number {
    return this.#items.length;
  }

  get paths(): readonly string[] {
    return [...this.#rowOf.keys()];
  }

  at(row: number): Item | undefined {
    return this.#items[row];
  }

  find(path: string): Item | undefined {
    const row = this.#rowOf.get(path);
    return row === undefined ? undefined : this.#items[row];
  }

  has(path: string): boolean {
    return this.#rowOf.has(path);
  }

  /** A folder's path ends with "/". */
  add(path: string, item: Item): void {
    this.delete(path);
    const row = this.#items.push(item) - 1;
    this.#rowOf.set(path, row);
    this.#makeRoom(row, path.length);
    const nameAt = path.lastIndexOf("/", path.length - 2) + 1;
    const start = this.#used;
    const above = this.#write(path, lowered(path), 0, nameAt);
    const named = this.#write(path, lowered(path), nameAt, path.length);
    this.#rows.set([start, start + nameAt, this.#used, above | named, named], row * width);
  }

  delete(path: string): boolean {
    const row = this.#rowOf.get(path);
    if (row === undefined) return false;
    this.#rowOf.delete(path);
    this.#items[row] = undefined;
    return true;
  }

  lengthOf(row: number): number {
    return this.#column(row, endAt) - this.#column(row, startAt);
  }

  /** Whether the row is not empty and its path may contain these letters: a cheap test before the exact one. */
  mayFit(row: number, { letters }: Query): boolean {
    return (this.#column(row, lettersAt) & letters) === letters && this.#items[row] !== undefined;
  }

  /** From 0, the best, to 6; `undefined` where the last segment alone does not contain the letters. */
  rankInName(row: number, query: Query): number | undefined {
    if (query.isPath || (this.#column(row, nameLettersAt) & query.letters) !== query.letters)
      return undefined;
    const [from, to] = [this.#column(row, nameStartAt), this.#column(row, endAt)];
    if (query.codes.length === 0) return 1;
    const at = this.#indexOf(query.codes, from, to);
    if (at === from) return this.#isWhole(query.codes, row) ? 0 : 1;
    const initials = query.codes.length > 1 ? this.#initials(query.codes, from, to) : undefined;
    if (initials === "first") return 2;
    if (at > 0) return this.#isWordStart[at] === 1 ? 3 : 4;
    if (initials === "some") return 5;
    return this.#isSpreadOver(query.codes, from, to) ? 6 : undefined;
  }

  /**
   * 0, or from 7 to 10; `undefined` where the path does not contain the letters. The name is not considered separately.
   */
  rankInPath(row: number, query: Query): number | undefined {
    const [from, to] = [this.#column(row, startAt), this.#column(row, endAt)];
    if (!this.#isSpreadOver(query.codes, from, to)) return undefined;
    if (query.isPath && this.#isWhole(query.codes, row)) return 0;
    const at = this.#indexOf(query.codes, from, to);
    if (at === from) return 7;
    if (at > 0) return this.#codes[at - 1] === slash ? 8 : 9;
    return 10;
  }

  /**
   * Whether the query is the name or a trailing part of the path from some folder on, with or without its extension.
   */
  #isWhole(query: Uint16Array, row: number): boolean {
    const [from, nameFrom] = [this.#column(row, startAt), this.#column(row, nameStartAt)];
    const to = this.#column(row, endAt);
    const ending = this.#codes.lastIndexOf(dot, to - 1);
    const stemTo = this.#codes[to - 1] === slash ? to - 1 : ending > nameFrom ? ending : to;
    return this.#endsWith(query, from, to) || (stemTo < to && this.#endsWith(query, from, stemTo));
  }

  /** Whether the query ends here and begins at the start of the path or of a segment. */
  #endsWith(query: Uint16Array, from: number, end: number): boolean {
    const at = end - query.length;
    if (at < from || (at > from && this.#codes[at - 1] !== slash)) return false;
    let same = 0;
    while (same < query.length && this.#codes[at + same] === query[same]) same++;
    return same === query.length;
  }

  #column(row: number, column: number): number {
    return this.#rows[row * width + column] ?? 0;
  }

  #makeRoom(row: number, letters: number): void {
    if ((row + 1) * width > this.#rows.length)
      this.#rows = copied(new Int32Array(this.#rows.length * 2), this.#rows);
    const needed = this.#used + letters;
    if (needed <= this.#codes.length) return;
    const length = Math.max(needed, this.#codes.length * 2);
    this.#codes = copied(new Uint16Array(length), this.#codes);
    this.#isWordStart = copied(new Uint8Array(length), this.#isWordStart);
  }

  /** Returns a bit set of the letters. */
  #write(path: string, lower: string, from: number, to: number): number {
    let letters = 0;
    for (let at = from; at < to; at++) {
      const code = lower.charCodeAt(at);
      letters |= letterOf(code);
      this.#codes[this.#used] = code;
      this.#isWordStart[this.#used] = isWordStart(path, at) ? 1 : 0;
      this.#used++;
    }
    return letters;
  }

  #indexOf(query: Uint16Array, from: number, to: number): number {
    const [codes, first, last] = [this.#codes, query[0], to - query.length];
    for (let at = from; at <= last; at++) {
      if (query.length > 0 && codes[at] !== first) continue;
      let same = 1;
      while (same < query.length && codes[at + same] === query[same]) same++;
      if (same >= query.length) return at;
    }
    return -1;
  }

  /** Whether the letters are the initials of its words: of the first ones, or of some. */
  #initials(query: Uint16Array, from: number, to: number): "first" | "some" | undefined {
    let [found, skipped] = [0, 0];
    for (let at = from; at < to && found < query.length; at++) {
      if (this.#isWordStart[at] === 0) continue;
      if (this.#codes[at] === query[found]) found++;
      else skipped++;
    }
    if (found < query.length) return undefined;
    return skipped === 0 ? "first" : "some";
  }

  /** Whether all letters occur in order, possibly with others between them. */
  #isSpreadOver(query: Uint16Array, from: number, to: number): boolean {
    const codes = this.#codes;
    let found = 0;
    for (let at = from; at < to && found < query.length; at++) if (codes[at] === query[found]) found++;
    return found === query.length;
  }
}

/** The number of ranks. */
export const rankCount = 11;

/**
 * Maps ranks to classes of equal quality: the query is the name; the name begins with it; the name contains it, or its
 * words have these initials; its letters are scattered over the name; the folders above contain it; its letters are
 * scattered over the path.
 */
const classes = [0, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5] as const;

export const fitOf = (rank: number): number => classes[rank] ?? classes.length;

export function queryOf(typed: string): Query {
  const text = lowered(typed);
  const codes = Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return {
    text,
    codes,
    letters: codes.reduce((all, code) => all | letterOf(code), 0),
    isPath: text.includes("/"),
  };
}

const codeOfA = 97;
const slash = 47;
const dot = 46;

/** One bit for each of a–z; all others share the remaining six. */
function letterOf(code: number): number {
  const letter = code - codeOfA;
  return 1 << (letter >= 0 && letter < 26 ? letter : 26 + (code % 6));
}

function copied<To extends { set(from: From): void }, From>(to: To, from: From): To {
  to.set(from);
  return to;
}
