// A JavaScript regular expression in the language of ripgrep, as something that finds every line the original finds and
// perhaps some more: which files are worth reading, never what is in them. What the two mean differently – anchors at
// odd line ends, look-around, classes of Unicode, bytes that are no UTF-8 – becomes "anything". Pure.

export interface RoughOptions {
  /** The expression has the flag `u`: a character is a code point, not half of one. */
  readonly unicode: boolean;
  /** Characters beyond ASCII stand in the files as UTF-8. */
  readonly utf8: boolean;
}

/** `undefined` where it cannot be told: then every file is worth reading. */
export function roughPattern(source: string, options: RoughOptions): string | undefined {
  try {
    return new Reader(source, options).read();
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

/** Letters that are the same but for case, beyond ASCII: of two bytes each, the lower one first. */
const farCase: Readonly<Record<string, string>> = { k: "\\x2A\\x21", s: "\\x7F\\x01" };

/**
 * A text as it stands in files whose characters take two bytes. `undefined` where it holds more than ASCII, does not
 * stand in one line, or would be longer than a command may be: then each such file is worth reading.
 */
export function widePattern(text: string): string | undefined {
  if (!/^[\t -~]{1,300}$/.test(text)) return undefined;
  const orders = [false, true].map((isSwapped) =>
    [...text].map((letter) => wideLetter(letter, isSwapped)).join(""),
  );
  return `(?-u:${orders.join("|")})`;
}

function wideLetter(letter: string, isSwapped: boolean): string {
  const near = isSwapped ? `\\x00${code(letter)}` : `${code(letter)}\\x00`;
  const far = farCase[letter.toLowerCase()];
  if (far === undefined) return near;
  return `(?:${near}|${isSwapped ? far.slice(4) + far.slice(0, 4) : far})`;
}

class Unknown extends Error {}

/** What one term matches: text of the other language, or so many bytes of anything. */
type Atom = { readonly text: string } | { readonly bytes: readonly [least: number, most: number] };

const anyByte = "(?-u:[^\\n])";
const anything: Atom = { bytes: [0, Number.POSITIVE_INFINITY] };
const nothing: Atom = { text: "" };
const word = "0-9A-Za-z_\\x{17F}\\x{212A}";
const space = "\\s\\x{FEFF}";
/** A group of letters, digits and what repeats them: what it has matched it would match again anywhere. */
const isRepeatable = /^(?:[A-Za-z0-9_ |.*+?{},-]|\\[dws])+$/;
/** References are many, and each would be as long. */
const longestGroup = 100;
/** Deeper nesting is nobody's query. */
const maxDepth = 50;
/** More repetitions make a large machine, and "at least so many" finds the same and more. */
const maxTimes = 100;

class Reader {
  readonly #source: string;
  readonly #letters: readonly string[];
  /** Where each letter begins in the source; some take two characters of it. */
  readonly #starts: readonly number[];
  readonly #unicode: boolean;
  readonly #utf8: boolean;
  /** What a backward reference to a group may match: `undefined` where that is anything. */
  readonly #groups: (string | undefined)[] = [];
  readonly #namedGroups = new Map<string, string | undefined>();
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
    // The old dialect sees two characters where these files hold one.
    if (!unicode && this.#letters.some((letter) => /[\ud800-\udfff]/.test(letter))) throw new Unknown();
  }

  read(): string {
    const text = this.#choices();
    if (this.#at < this.#letters.length) throw new Unknown();
    return text;
  }

  #choices(): string {
    if (++this.#depth > maxDepth) throw new Unknown();
    const choices = [this.#sequence()];
    while (this.#skip("|")) choices.push(this.#sequence());
    this.#depth--;
    return choices.length === 1 ? (choices[0] ?? "") : `(?:${choices.join("|")})`;
  }

  #sequence(): string {
    let text = "";
    while (this.#at < this.#letters.length && this.#peek() !== "|" && this.#peek() !== ")")
      text += this.#quantified(this.#atom());
    return text;
  }

  #quantified(atom: Atom): string {
    const [least, most] = this.#times();
    if ("text" in atom)
      return atom.text === "" || (least === 1 && most === 1)
        ? atom.text
        : repeated(`(?:${atom.text})`, least, most);
    const [fewest, maxBytes] = atom.bytes;
    return repeated(anyByte, fewest * least, most === 0 ? 0 : maxBytes * most);
  }

  #times(): readonly [number, number] {
    const simple = {
      "*": [0, Number.POSITIVE_INFINITY],
      "+": [1, Number.POSITIVE_INFINITY],
      "?": [0, 1],
    } as const;
    const letter = this.#peek();
    if (letter === "*" || letter === "+" || letter === "?") {
      this.#at++;
      this.#skip("?");
      return simple[letter];
    }
    if (letter !== "{") return [1, 1];
    const counted = this.#match(/^\{(\d{1,9})(,?)(\d{0,9})\}/);
    if (counted === undefined) return [1, 1];
    this.#skip("?");
    const [, least = "0", comma, most = ""] = counted;
    if (comma === "") return [Number(least), Number(least)];
    return [Number(least), most === "" ? Number.POSITIVE_INFINITY : Number(most)];
  }

  #atom(): Atom {
    const letter = this.#next();
    switch (letter) {
      case ".":
        return this.#anyCharacter();
      case "^":
        return { text: "^" };
      case "$":
        return { text: "(?:\\r*$)" };
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
    const text = this.#choices();
    const source = this.#source.slice(this.#starts[from], this.#starts[this.#at]);
    if (!this.#skip(")")) throw new Unknown();
    // A group that does not take part is repeated as nothing, and so is one that matched at a place only.
    const again = isRepeatable.test(source) && text.length <= longestGroup ? `(?:${text})?` : undefined;
    if (counts) this.#groups[number] = again;
    if (name !== undefined) this.#namedGroups.set(name, this.#namedGroups.has(name) ? undefined : again);
    return looks ? nothing : { text: `(?:${text})` };
  }

  /** One to a group that is not closed yet may be anything: it is told by what follows. */
  #reference(letter: string): Atom {
    const name = letter === "k" ? this.#match(/^<([^>]*)>/)?.[1] : undefined;
    const digits = letter === "k" ? "" : letter + (this.#match(/^\d+/)?.[0] ?? "");
    const text =
      name === undefined ? this.#groups[Number(digits || Number.NaN)] : this.#namedGroups.get(name);
    return text === undefined ? anything : { text };
  }

  /** Sets of ASCII are kept; any other may be anything. */
  #set(): Atom {
    const inverted = this.#skip("^");
    const parts: (string | undefined)[] = [];
    while (!this.#skip("]")) {
      if (this.#at >= this.#letters.length) throw new Unknown();
      parts.push(this.#setPart());
    }
    if (inverted || parts.length === 0 || parts.includes(undefined)) return this.#anyCharacter();
    return { text: `[${parts.join("")}]` };
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
    if (escaped === "d") return "0-9";
    if (escaped === "w") return word;
    if (escaped === "s") return space;
    return /[A-Za-z0-9]/.test(escaped) || escaped > "\x7f" ? this.#longEscape(escaped) : code(escaped);
  }

  /** Reads to its end what it does not understand further. */
  #longEscape(letter: string): undefined {
    if (letter === "x") this.#match(/^[0-9A-Fa-f]{2}/);
    if (letter === "u") this.#match(/^(?:[0-9A-Fa-f]{4}|\{[0-9A-Fa-f]+\})/);
    if (letter === "c") this.#match(/^[A-Za-z]/);
    if (letter === "p" || letter === "P") this.#match(/^\{[^}]*\}/);
    return undefined;
  }

  #escape(): Atom {
    const letter = this.#next();
    if (letter === "d") return { text: "[0-9]" };
    if (letter === "w") return { text: `[${word}]` };
    if (letter === "s") return { text: `[${space}]` };
    if (letter === "b" || letter === "B") return nothing;
    if (letter === "t") return { text: "\\x{9}" };
    if (letter === "k" || (letter >= "0" && letter <= "9")) return this.#reference(letter);
    if (!/[A-Za-z]/.test(letter)) return this.#literal(letter);
    // What stands for a character in one dialect is several letters in the other.
    if (!this.#unicode && !/[DSWfnrv]/.test(letter)) {
      this.#longEscape(letter);
      return anything;
    }
    this.#longEscape(letter);
    // No line holds its own end.
    return letter === "n" || letter === "r" ? anything : this.#anyCharacter();
  }

  #literal(letter: string): Atom {
    if (letter === "\n" || letter === "\r") return anything;
    if (letter > "\x7f" && (!this.#utf8 || letter === "\ufffd" || /^[\ud800-\udfff]$/.test(letter)))
      return anything;
    return { text: code(letter) };
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

  /** At what comes next; the longest escape or counted quantifier is short. */
  #match(pattern: RegExp): readonly string[] | undefined {
    const start = this.#starts[this.#at] ?? this.#source.length;
    const found = pattern.exec(this.#source.slice(start, start + 200));
    if (found === null) return undefined;
    this.#at += [...found[0]].length;
    return found;
  }
}

function repeated(text: string, least: number, most: number): string {
  const from = Math.min(least, maxTimes);
  if (most > maxTimes) return `${text}{${from},}`;
  return most === 0 ? "" : `${text}{${from},${most}}`;
}

const code = (letter: string): string => `\\x{${(letter.codePointAt(0) ?? 0).toString(16)}}`;
