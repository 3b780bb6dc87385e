// Paths, each with what belongs to it, so that all of them can be gone through at every key: their letters lie in one
// piece of memory, in lower case, and what a row begins with tells of most that they do not fit. Rows never move; what is
// deleted leaves an empty one.

/** What was typed, as it is compared. */
export interface Query {
  readonly text: string;
  readonly codes: Uint16Array;
  /** Which letters are in it. */
  readonly letters: number;
  readonly isPath: boolean;
}

/** Columns of a row. */
const [startAt, nameStartAt, endAt, lettersAt, nameLettersAt] = [0, 1, 2, 3, 4];
const width = 5;

export class PathTable<Item> {
  readonly #rowOf = new Map<string, number>();
  readonly #items: (Item | undefined)[] = [];
  #rows = new Int32Array(width * 1024);
  #codes = new Uint16Array(65_536);
  #isWordStart = new Uint8Array(65_536);
  #used = 0;

  /** How many rows there are, empty ones too. */
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

  /** Whether a path may have these letters: much cheaper than to know. */
  mayFit(row: number, { letters }: Query): boolean {
    return (this.#column(row, lettersAt) & letters) === letters;
  }

  /** From 0, the best, to 5; `undefined` where the last name alone does not have these letters. */
  rankInName(row: number, query: Query): number | undefined {
    if (query.isPath || (this.#column(row, nameLettersAt) & query.letters) !== query.letters)
      return undefined;
    const [from, to] = [this.#column(row, nameStartAt), this.#column(row, endAt)];
    const at = this.#indexOf(query.codes, from, to);
    if (at === from) return 0;
    const initials = query.codes.length > 1 ? this.#initials(query.codes, from, to) : undefined;
    if (initials === "first") return 1;
    if (at > 0 && isSeparator(this.#codes[at - 1] ?? 0)) return 2;
    if (initials === "some") return 3;
    if (at > 0) return 4;
    return this.#isSpreadOver(query.codes, from, to) ? 5 : undefined;
  }

  /** From 6 to 9; `undefined` where the path does not have these letters. A name is not looked at for itself. */
  rankInPath(row: number, query: Query): number | undefined {
    const [from, to] = [this.#column(row, startAt), this.#column(row, endAt)];
    if (!this.#isSpreadOver(query.codes, from, to)) return undefined;
    const at = this.#indexOf(query.codes, from, to);
    if (at === from) return 6;
    if (at > 0) return this.#codes[at - 1] === slash ? 7 : 8;
    return 9;
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

  /** Answers which letters there were. */
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

  /** Whether these are the first letters of its words: of the first ones, or of some. */
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

  /** All letters, in order, with others between them. */
  #isSpreadOver(query: Uint16Array, from: number, to: number): boolean {
    const codes = this.#codes;
    let found = 0;
    for (let at = from; at < to && found < query.length; at++) if (codes[at] === query[found]) found++;
    return found === query.length;
  }
}

/** How many ranks there are. */
export const rankCount = 10;

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

/** In lower case, letter for letter: a few letters grow by it, and then places would not fit any more. */
export function lowered(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

const codeOfA = 97;
const slash = 47;

/** A bit for each of a–z; all else shares the six others. */
function letterOf(code: number): number {
  const letter = code - codeOfA;
  return 1 << (letter >= 0 && letter < 26 ? letter : 26 + (code % 6));
}

const separators = Uint8Array.from({ length: 128 }, (_, code) =>
  "/\\-_. :+()[]".includes(String.fromCharCode(code)) ? 1 : 0,
);

export const isSeparator = (code: number): boolean => separators[code] === 1;

export function isWordStart(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (isSeparator(code)) return false;
  if (at === 0) return true;
  const previous = text.charCodeAt(at - 1);
  return isSeparator(previous) || (isUpper(code) && !isUpper(previous));
}

/** A–Z. */
const isUpper = (code: number): boolean => code >= 65 && code <= 90;

function copied<To extends { set(from: From): void }, From>(to: To, from: From): To {
  to.set(from);
  return to;
}
