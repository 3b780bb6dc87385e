// A text as the rules of risk read it, line by line: its code without comments and with numbers for literals, and its
// comments. One walk, linear, in steps. Literals that say the same have the same number on both sides of a change.
import type { Steps } from "../util/yield-to-event-loop.ts";
import type { Language } from "./languages.ts";

export interface Source {
  /** As they stand. */
  readonly lines: readonly string[];
  /** Without comments; what a literal says is its number in quotes. */
  readonly code: readonly string[];
  readonly notes: readonly string[];
  /** 1: the line begins within a literal or a comment. */
  readonly isInside: Uint8Array;
}

/** What each literal says, to its number. */
export type Literals = Map<string, number>;

/** Longer ones are looked at around their changes only. */
export const longest = 400_000;
const atOnce = 4_000;

interface Signs {
  /** Empty: there are none. */
  readonly lineNote: string;
  readonly blockNotes: boolean;
  readonly quotes: string;
  /** Quotes that may hold line ends. */
  readonly long: readonly string[];
  /** Both kinds of quotes mean the same. */
  readonly alike: boolean;
  /** Where something else than plain code may begin: all other characters are passed over, and most lines have none. */
  readonly begins: RegExp;
}

const cLike: Signs = {
  ...{ lineNote: "//", blockNotes: true, quotes: "\"'", long: [], alike: false },
  begins: /["'/]/g,
};
const hashed: Signs = { ...cLike, lineNote: "#", blockNotes: false, begins: /["'#]/g };
const plain: Signs = { ...cLike, lineNote: "", blockNotes: false, quotes: "", begins: /(?!)/g };
const signsOf: Readonly<Record<Language, Signs>> = {
  script: { ...cLike, long: ["`"], alike: true, begins: /["'`/]/g },
  python: { ...hashed, long: ['"""', "'''"], alike: true },
  go: { ...cLike, long: ["`"], begins: /["'`/]/g },
  rust: { ...cLike, quotes: '"', long: ['"'], begins: /["/]/g },
  java: { ...cLike, long: ['"""'] },
  ruby: hashed,
  style: { ...cLike, lineNote: "", alike: true },
  hash: hashed,
  data: { ...plain, quotes: '"', begins: /"/g },
  prose: plain,
  other: plain,
};

/** Where a slash begins a pattern and does not divide. */
const beforePattern = /(?:^|[=(,:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|void|delete))\s*$/;

export function* readSource(text: string, language: Language, literals: Literals): Steps<Source> {
  const lines = text.split(text.includes("\r") ? /\r?\n/ : "\n");
  if (text.endsWith("\n")) lines.pop();
  const reader = new Reader(lines, language, literals);
  for (let row = 0; row < lines.length; row++) {
    if (row % atOnce === 0) yield;
    reader.take(row);
  }
  const { code, notes, isInside } = reader;
  return { lines, code, notes, isInside };
}

/** A literal or comment that goes on: what it has said, and by what it ends. */
interface Open {
  readonly end: string;
  readonly isNote: boolean;
  readonly lines: string[];
  readonly row: number;
}

class Reader {
  /** Most lines are nothing but code, and stand for themselves. */
  readonly code: string[];
  readonly notes: string[];
  readonly isInside: Uint8Array;
  readonly #language: Language;
  readonly #literals: Literals;
  readonly #signs: Signs;
  #open: Open | undefined;

  constructor(lines: readonly string[], language: Language, literals: Literals) {
    this.code = [...lines];
    this.notes = new Array<string>(lines.length).fill("");
    this.isInside = new Uint8Array(lines.length);
    this.#language = language;
    this.#literals = literals;
    this.#signs = signsOf[language];
  }

  take(row: number): void {
    const line = this.code[row] ?? "";
    if (this.#open !== undefined) this.isInside[row] = 1;
    else {
      const { lineNote } = this.#signs;
      const first = this.#nextIn(line, 0);
      if (first < 0) return;
      if (lineNote !== "" && line.startsWith(lineNote, first)) {
        this.code[row] = line.slice(0, first);
        this.notes[row] = line.slice(first);
        return;
      }
    }
    this.#takeApart(line, row);
  }

  #takeApart(line: string, row: number): void {
    const { lineNote, blockNotes, long, quotes } = this.#signs;
    const made: string[] = [];
    let noted = "";
    let at = 0;
    /** From here on the line is taken over as it stands: in pieces, not sign by sign. */
    let plain = 0;
    /** What has no end on this line has none further on either. */
    let unended = "";
    while (at < line.length || (this.#open !== undefined && line === "")) {
      if (this.#open !== undefined) {
        const { end: sign, isNote, lines, row: begun } = this.#open;
        const end = isNote || sign.length > 1 ? line.indexOf(sign, at) : endOfQuote(line, at, sign);
        const piece = line.slice(at, end < 0 ? line.length : end);
        if (isNote) noted += piece;
        else lines.push(piece);
        if (end < 0) break;
        if (!isNote) {
          const number = this.#numberOf(sign, lines.join("\n"));
          // It stands where it began.
          if (begun === row) made.push(number);
          else this.code[begun] += number;
        }
        at = end + sign.length;
        plain = at;
        this.#open = undefined;
        continue;
      }
      at = this.#nextIn(line, at);
      if (at < 0) break;
      const sign = line.charAt(at);
      if (lineNote !== "" && line.startsWith(lineNote, at)) {
        made.push(line.slice(plain, at));
        noted += line.slice(at);
        plain = line.length;
        break;
      }
      const begins = blockNotes && line.startsWith("/*", at) ? "/*" : longAt(long, line, at);
      if (begins !== undefined) {
        made.push(line.slice(plain, at));
        const isNote = begins === "/*";
        if (isNote) noted += begins;
        this.#open = { end: isNote ? "*/" : begins, isNote, lines: [], row };
        at += begins.length;
        continue;
      }
      const isQuote = quotes.includes(sign);
      if (!unended.includes(sign) && (isQuote || this.#mayBePattern(line, at))) {
        const end = isQuote ? endOfQuote(line, at + 1, sign) : endOfPattern(line, at + 1);
        if (end >= 0) {
          made.push(line.slice(plain, at), this.#numberOf(sign, line.slice(at + 1, end)));
          at = end + 1;
          plain = at;
          continue;
        }
        // It is an apostrophe, then, or divides.
        unended += sign;
      }
      at += 1;
    }
    if (this.#open === undefined) made.push(line.slice(plain));
    this.code[row] = made.join("");
    this.notes[row] = noted;
  }

  /** Where the line may go on with something else than code; -1: nowhere. */
  #nextIn(line: string, from: number): number {
    const { begins } = this.#signs;
    begins.lastIndex = from;
    return begins.exec(line)?.index ?? -1;
  }

  #mayBePattern(line: string, at: number): boolean {
    return (
      this.#language === "script" &&
      line[at] === "/" &&
      beforePattern.test(line.slice(Math.max(0, at - 12), at))
    );
  }

  #numberOf(quote: string, text: string): string {
    const isPlain = this.#signs.alike && quote !== "`" && !/["'\\]/.test(text);
    const key = `${isPlain ? '"' : quote}${text}`;
    let number = this.#literals.get(key);
    if (number === undefined) {
      number = this.#literals.size;
      this.#literals.set(key, number);
    }
    return `"${number}"`;
  }
}

function longAt(long: readonly string[], line: string, at: number): string | undefined {
  for (const quote of long) if (line.startsWith(quote, at)) return quote;
  return undefined;
}

const backslash = "\\".charCodeAt(0);

/** Where this ends; a backslash takes what follows along. -1: not on this line. */
function endOfQuote(line: string, from: number, quote: string): number {
  const end = quote.charCodeAt(0);
  for (let at = from; at < line.length; at++) {
    const sign = line.charCodeAt(at);
    if (sign === backslash) at += 1;
    else if (sign === end) return at;
  }
  return -1;
}

function endOfPattern(line: string, from: number): number {
  let isInClass = false;
  for (let at = from; at < line.length; at++) {
    const sign = line[at];
    if (sign === "\\") at += 1;
    else if (sign === "[") isInClass = true;
    else if (sign === "]") isInClass = false;
    else if (sign === "/" && !isInClass) return at;
  }
  return -1;
}
