// A text as the rules of risk read it, line by line: its code without comments and with numbers for literals, and its
// comments. One walk, linear, in steps. Literals that say the same have the same number on both sides of a change.
import type { Steps } from "../util/breathe.ts";
import type { Language } from "./languages.ts";

export interface Source {
  /** As they stand. */
  readonly lines: readonly string[];
  /** Without comments; what a literal says is its number in quotes. */
  readonly code: readonly string[];
  readonly notes: readonly string[];
  /** The line begins within a literal or a comment. */
  readonly isInside: readonly boolean[];
}

/** What each literal says, to its number. */
export type Literals = Map<string, number>;

/** Longer ones are looked at around their changes only. */
export const longest = 400_000;
const atOnce = 4_000;

interface Signs {
  readonly lineNotes: readonly string[];
  readonly blockNotes: boolean;
  readonly quotes: string;
  /** Quotes that may hold line ends. */
  readonly long: readonly string[];
  /** Both kinds of quotes mean the same. */
  readonly alike: boolean;
}

const cLike: Signs = { lineNotes: ["//"], blockNotes: true, quotes: "\"'", long: [], alike: false };
const hashed: Signs = { lineNotes: ["#"], blockNotes: false, quotes: "\"'", long: [], alike: false };
const signsOf: Readonly<Record<Language, Signs>> = {
  script: { ...cLike, long: ["`"], alike: true },
  python: { ...hashed, long: ['"""', "'''"], alike: true },
  go: { ...cLike, long: ["`"] },
  rust: { ...cLike, quotes: '"', long: ['"'] },
  java: { ...cLike, long: ['"""'] },
  ruby: hashed,
  style: { ...cLike, lineNotes: [], alike: true },
  hash: hashed,
  data: { ...cLike, lineNotes: [], blockNotes: false, quotes: '"' },
  prose: { ...cLike, lineNotes: [], blockNotes: false, quotes: "" },
  other: { ...cLike, lineNotes: [], blockNotes: false, quotes: "" },
};

/** Where a slash begins a pattern and does not divide. */
const beforePattern = /(?:^|[=(,:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|void|delete))\s*$/;

export function* readSource(text: string, language: Language, literals: Literals): Steps<Source> {
  const lines = text.split(/\r?\n/);
  if (text.endsWith("\n")) lines.pop();
  const signs = signsOf[language];
  const code: string[] = [];
  const notes: string[] = [];
  const isInside: boolean[] = [];
  /** What a literal or comment that goes on has said, and by what it ends. */
  let open:
    | { readonly end: string; readonly isNote: boolean; said: string[]; readonly row: number }
    | undefined;

  const numberOf = (quote: string, said: string): string => {
    const isPlain = signs.alike && quote !== "`" && !/["'\\]/.test(said);
    const key = `${isPlain ? '"' : quote}${said}`;
    const known = literals.get(key) ?? literals.size;
    literals.set(key, known);
    return `"${known}"`;
  };

  for (const [row, line] of lines.entries()) {
    if (row % atOnce === 0) yield;
    const made: string[] = [];
    let noted = "";
    let at = 0;
    /** From here on the line is taken over as it stands: in pieces, not sign by sign. */
    let plain = 0;
    const takePlain = () => {
      if (at > plain) made.push(line.slice(plain, at));
    };
    /** What has no end on this line has none further on either. */
    let unended = "";
    isInside.push(open !== undefined);
    while (at < line.length || (open !== undefined && line === "")) {
      if (open !== undefined) {
        const end: number = endOf(line, at, open.end, open.isNote || open.end.length > 1);
        const piece: string = line.slice(at, end < 0 ? line.length : end);
        if (open.isNote) noted += piece;
        else open.said.push(piece);
        if (end < 0) break;
        if (!open.isNote) {
          const number = numberOf(open.end, open.said.join("\n"));
          // It stands where it began.
          if (open.row === row) made.push(number);
          else code[open.row] += number;
        }
        at = end + open.end.length;
        plain = at;
        open = undefined;
        continue;
      }
      const sign = line[at] ?? "";
      if (signs.lineNotes.some((note) => line.startsWith(note, at))) {
        takePlain();
        noted += line.slice(at);
        plain = line.length;
        break;
      }
      if (signs.blockNotes && line.startsWith("/*", at)) {
        takePlain();
        noted += "/*";
        open = { end: "*/", isNote: true, said: [], row };
        at += 2;
        continue;
      }
      const long = signs.long.find((quote) => line.startsWith(quote, at));
      if (long !== undefined) {
        takePlain();
        open = { end: long, isNote: false, said: [], row };
        at += long.length;
        continue;
      }
      if (signs.quotes.includes(sign)) {
        const end = unended.includes(sign) ? -1 : endOf(line, at + 1, sign, false);
        if (end >= 0) {
          takePlain();
          made.push(numberOf(sign, line.slice(at + 1, end)));
          at = end + 1;
          plain = at;
          continue;
        }
        // It is an apostrophe, then.
        if (!unended.includes(sign)) unended += sign;
        at += 1;
        continue;
      }
      if (
        sign === "/" &&
        language === "script" &&
        !unended.includes("/") &&
        beforePattern.test(line.slice(Math.max(0, at - 12), at))
      ) {
        const end = endOfPattern(line, at + 1);
        if (end > 0) {
          takePlain();
          made.push(numberOf("/", line.slice(at + 1, end)));
          at = end + 1;
          plain = at;
          continue;
        }
        unended += "/";
      }
      at += 1;
    }
    if (open === undefined) takePlain();
    code.push(made.join(""));
    notes.push(noted);
  }
  return { lines, code, notes, isInside };
}

/** Where this ends; a backslash takes what follows along. -1: not on this line. */
function endOf(line: string, from: number, end: string, isRaw: boolean): number {
  if (isRaw) return line.indexOf(end, from);
  for (let at = from; at < line.length; at++) {
    if (line[at] === "\\") at += 1;
    else if (line.startsWith(end, at)) return at;
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
