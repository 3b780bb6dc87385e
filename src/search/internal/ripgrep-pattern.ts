// Translates a JavaScript regular expression to a ripgrep pattern that matches every line the original matches and
// perhaps more. The result only selects files worth reading. Whatever the two dialects treat differently (anchors at
// unusual line ends, look-around, Unicode classes, invalid UTF-8) becomes "anything". Pure.

interface RoughOptions {
  /** The expression has the flag `u`: a character is a code point, not a UTF-16 code unit. */
  readonly unicode: boolean;
  /** The files encode characters beyond ASCII as UTF-8. */
  readonly utf8: boolean;
}

interface Rough {
  readonly pattern: string;
  /** ASCII texts of which every match contains one; empty if unknown. */
  readonly words: readonly string[];
  /** The pattern may depend on where lines begin or end. */
  readonly isAnchored: boolean;
}

/** Returns `undefined` if the expression cannot be translated; every file is worth reading then. */
export function roughPattern(source: string, options: RoughOptions): Rough | undefined {
  try {
    return new Reader(source, options).read();
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

/**
 * Matches the words in files with two bytes per character, in either byte order. Returns `undefined` if there are no
 * words, or if the pattern would be too long for a command line; every such file is worth reading then.
 */
export function widePattern(words: readonly string[]): string | undefined {
  if (words.length === 0 || words.join("").length > 300) return undefined;
  const wide = words.map((word) => {
    const letters = [...word].map(code);
    return letters.length > 1 ? letters.join("\\x00") : `${letters}\\x00|\\x00${letters}`;
  });
  return `(?-u:${wide.join("|")})`;
}

class Unknown extends Error {}

/** The translation of some terms, and words of which every match contains one. */
interface Part {
  readonly text: string;
  readonly words: readonly string[];
  /** Set if the part is a single letter. */
  readonly letter?: string;
  /** The number of the group that this part is, 0 for a non-capturing group. */
  readonly group?: number;
}

/** The translation of one term: a part, or a number of arbitrary bytes. */
type Atom = Part | { readonly bytes: readonly [least: number, most: number] };

const anyByte = "(?-u:[^\\n])";
const anything: Atom = { bytes: [0, Number.POSITIVE_INFINITY] };
const plain = (text: string): Part => ({ text, words: [] });
const nothing: Part = plain("");
const classes: Readonly<Record<string, string>> = {
  d: "0-9",
  w: "0-9A-Za-z_\\x{17F}\\x{212A}",
  s: "\\s\\x{FEFF}",
};
/**
 * A group of only letters, digits and quantifiers matches the same text anywhere, so a back-reference can repeat its
 * pattern.
 */
const isRepeatable = /^(?:[A-Za-z0-9_ |.*+?{},-]|\\[dws])+$/;
/** There may be many back-references, and each repeats the group's pattern. */
const longestGroup = 100;
/** Nobody writes a query with deeper nesting. */
const maxDepth = 50;
/** Larger counts make a large automaton; "at least this many" matches the same lines and more. */
const maxTimes = 100;

class Reader {
  readonly #source: string;
  readonly #letters: readonly string[];
  /** Where each letter starts in the source; some letters take two UTF-16 code units. */
  readonly #starts: readonly number[];
  readonly #unicode: boolean;
  readonly #utf8: boolean;
  /** What a back-reference to a group may match; `undefined` if that is anything. */
  readonly #groups: (string | undefined)[] = [];
  readonly #namedGroups = new Map<string, number>();
  /** Groups that have certainly matched wherever the expression continues from here. */
  readonly #surely: number[] = [];
  #isAnchored = false;
  #opened = 0;
  #at = 0;
  #depth = 0;

  constructor(source: string, { unicode, utf8 }: RoughOptions) {
    this.#source = source;
    this.#letters = [...source];
    let start = 0;
    this.#starts = this.#letters.map((letter) => {
      start += letter.length;
      return start - letter.length;
    });
    this.#unicode = unicode;
    this.#utf8 = utf8;
    // Legacy mode sees two code units where the files contain one character.
    if (!unicode && this.#letters.some((letter) => /[\ud800-\udfff]/.test(letter))) throw new Unknown();
  }

  read(): Rough {
    const { text, words } = this.#choices();
    if (this.#at < this.#letters.length) throw new Unknown();
    return { pattern: text, words, isAnchored: this.#isAnchored };
  }

  #choices(): Part {
    if (++this.#depth > maxDepth) throw new Unknown();
    const choices = [this.#sequence()];
    while (this.#skip("|")) choices.push(this.#sequence());
    this.#depth--;
    const texts = choices.map(({ text }) => text).join("|");
    return {
      text: choices.length === 1 ? texts : `(?:${texts})`,
      words: choices.every(({ words }) => words.length > 0) ? choices.flatMap(({ words }) => words) : [],
    };
  }

  #sequence(): Part {
    let [text, run] = ["", ""];
    let words: readonly string[] = [];
    const { length } = this.#surely;
    while (this.#at < this.#letters.length && this.#peek() !== "|" && this.#peek() !== ")") {
      const atom = this.#atom();
      const [least, most] = this.#times();
      text += quantified(atom, least, most);
      if (atom === nothing) continue;
      const { words: own, letter, group = 0 } = "text" in atom && least > 0 ? atom : nothing;
      this.#surely.push(group);
      run = letter && most === 1 ? run + letter : "";
      const found = run ? [run] : own;
      if (meanLength(found) >= meanLength(words)) words = found;
    }
    this.#surely.length = length;
    return { text, words };
  }

  #times(): readonly [number, number] {
    const [sign = "", least, comma, most] = this.#match(/^(?:[*+?]|\{(\d{1,9})(,?)(\d{0,9})\})\??/) ?? [];
    if (sign === "") return [1, 1];
    if (least === undefined) return [sign[0] === "+" ? 1 : 0, sign[0] === "?" ? 1 : 1 / 0];
    return [Number(least), comma === "" ? Number(least) : Number(most || 1 / 0)];
  }

  #atom(): Atom {
    const letter = this.#next();
    switch (letter) {
      case ".":
        return this.#anyCharacter();
      case "^":
      case "$":
        this.#isAnchored = true;
        return plain(letter === "^" ? "^" : "(?:\\r*$)");
      case "(":
        return this.#group();
      case "[":
        return this.#set();
      case "\\":
        return this.#escape();
      default:
        return this.#literal(letter);
    }
  }

  #group(): Atom {
    const looks = this.#match(/^\?<?[=!]/) !== undefined;
    const counts = !looks && this.#match(/^\?:/) === undefined;
    const name = counts ? this.#match(/^\?<([^>]*)>/)?.[1] : undefined;
    if (counts && name === undefined && this.#peek() === "?") throw new Unknown();
    const number = counts ? ++this.#opened : 0;
    const from = this.#at;
    const { text, words } = this.#choices();
    const source = this.#source.slice(this.#starts[from], this.#starts[this.#at]);
    if (!this.#skip(")")) throw new Unknown();
    const isShort = text.length <= longestGroup;
    if (counts) this.#groups[number] = isRepeatable.test(source) && isShort ? `(?:${text})` : undefined;
    // If two groups have the same name, it is unknown which one is meant.
    if (name !== undefined) this.#namedGroups.set(name, this.#namedGroups.has(name) ? 0 : number);
    return looks ? nothing : { text: `(?:${text})`, words, group: number };
  }

  /** A reference to a group that is not closed yet may match anything. */
  #reference(letter: string): Atom {
    const group =
      letter === "k"
        ? (this.#namedGroups.get(this.#match(/^<([^>]*)>/)?.[1] ?? "") ?? 0)
        : Number(letter + (this.#match(/^\d+/)?.[0] ?? ""));
    const text = this.#groups[group];
    if (text === undefined) return anything;
    // A reference to a group that did not participate matches the empty text.
    return plain(this.#surely.includes(group) ? text : `${text}?`);
  }

  /** Keeps sets of ASCII characters; any other set may match anything. */
  #set(): Atom {
    const inverted = this.#skip("^");
    const parts: (string | undefined)[] = [];
    while (!this.#skip("]")) {
      if (this.#at >= this.#letters.length) throw new Unknown();
      parts.push(this.#setPart());
    }
    if (inverted || parts.length === 0 || parts.includes(undefined)) return this.#anyCharacter();
    return plain(`[${parts.join("")}]`);
  }

  #setPart(): string | undefined {
    const from = this.#setLetter();
    if (this.#peek() !== "-" || this.#letters[this.#at + 1] === "]") return from;
    this.#at++;
    const to = this.#setLetter();
    const isRange = from?.startsWith("\\x") === true && to?.startsWith("\\x") === true;
    return isRange ? `${from}-${to}` : undefined;
  }

  #setLetter(): string | undefined {
    const letter = this.#next();
    if (letter !== "\\") return letter > "\x7f" ? undefined : code(letter);
    const escaped = this.#next();
    const known = classes[escaped];
    if (known !== undefined) return known;
    return /[A-Za-z0-9]/.test(escaped) || escaped > "\x7f" ? this.#longEscape(escaped) : code(escaped);
  }

  /** Reads the rest of an escape that is not translated. */
  #longEscape(letter: string): undefined {
    if (letter === "x") this.#match(/^[0-9A-Fa-f]{2}/);
    if (letter === "u") this.#match(/^(?:[0-9A-Fa-f]{4}|\{[0-9A-Fa-f]+\})/);
    if (letter === "c") this.#match(/^[A-Za-z]/);
    if (letter === "p" || letter === "P") this.#match(/^\{[^}]*\}/);
    return undefined;
  }

  #escape(): Atom {
    const letter = this.#next();
    const known = classes[letter];
    if (known !== undefined) return plain(`[${known}]`);
    if (letter === "b" || letter === "B") return nothing;
    if (letter === "t") return plain("\\x{9}");
    if (letter === "k" || (letter >= "0" && letter <= "9")) return this.#reference(letter);
    if (!/[A-Za-z]/.test(letter)) return this.#literal(letter);
    this.#longEscape(letter);
    // No line contains its own line end. Also, one character in one dialect may be several letters in the other.
    const isAnything = /[nr]/.test(letter) || (!this.#unicode && !/[DSWfv]/.test(letter));
    return isAnything ? anything : this.#anyCharacter();
  }

  #literal(letter: string): Atom {
    if (letter === "\n" || letter === "\r") return anything;
    if (letter > "\x7f" && (!this.#utf8 || letter === "\ufffd" || /^[\ud800-\udfff]$/.test(letter)))
      return anything;
    // K and S are excluded: case-insensitively, they also match characters beyond ASCII.
    return { ...plain(code(letter)), ...(/[ -JL-RT-jl-rt-~]/.test(letter) && { letter }) };
  }

  #anyCharacter(): Atom {
    return { bytes: [this.#unicode ? 1 : 0, 4] };
  }

  #peek(): string {
    return this.#letters[this.#at] ?? "";
  }

  #next(): string {
    const letter = this.#letters[this.#at++];
    if (letter === undefined) throw new Unknown();
    return letter;
  }

  #skip(letter: string): boolean {
    if (this.#peek() !== letter) return false;
    this.#at++;
    return true;
  }

  /** Matches at the current position. The longest escape or counted quantifier is short. */
  #match(pattern: RegExp): readonly string[] | undefined {
    const start = this.#starts[this.#at] ?? this.#source.length;
    const found = pattern.exec(this.#source.slice(start, start + 200));
    if (found === null) return undefined;
    this.#at += [...found[0]].length;
    return found;
  }
}

function quantified(atom: Atom, least: number, most: number): string {
  if ("text" in atom)
    return atom.text === "" || (least === 1 && most === 1)
      ? atom.text
      : repeated(`(?:${atom.text})`, least, most);
  const [fewest, maxBytes] = atom.bytes;
  return repeated(anyByte, fewest * least, most === 0 ? 0 : maxBytes * most);
}

/** Longer words occur in fewer files. No words at all are worth nothing. */
const meanLength = (words: readonly string[]): number => words.join("").length / words.length || 0;

function repeated(text: string, least: number, most: number): string {
  const from = Math.min(least, maxTimes);
  if (most > maxTimes) return `${text}{${from},}`;
  return most === 0 ? "" : `${text}{${from},${most}}`;
}

const code = (letter: string): string => `\\x{${(letter.codePointAt(0) ?? 0).toString(16)}}`;
