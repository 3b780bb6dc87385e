// One pass over a text: what its characters weigh, by kind of character, in tokens of a common vocabulary. Two look-ups
// per character and no decision is what makes it fast. It does not know any model; calibration.ts does.
import { addFeatures, type Features, featureNames, noFeatures, withFeature } from "./text-features.ts";

/** Every UTF-16 code unit has one class. */
const classes = [
  "lower",
  "upper",
  "digit",
  /** Space, tab, and other white space within a line. */
  "blank",
  "newline",
  /** ASCII punctuation. */
  "mark",
  /** Letters beyond ASCII of scripts that have cases: accented Latin, Greek, Cyrillic. */
  "cased",
  "ideograph",
  /** Kana and Hangul. */
  "syllable",
  /** Letters of the other scripts. */
  "letter",
  /** Half a surrogate pair: emoji, rare ideographs. */
  "half",
  "symbol",
] as const;
type CharacterClass = (typeof classes)[number];

/** First and last code unit; later rows win, and what is in none is a symbol. */
const ranges: readonly (readonly [first: number, last: number, of: CharacterClass])[] = [
  [0x0021, 0x007e, "mark"],
  [0x0061, 0x007a, "lower"],
  [0x0041, 0x005a, "upper"],
  [0x0030, 0x0039, "digit"],
  [0x0009, 0x0009, "blank"],
  [0x000b, 0x000c, "blank"],
  [0x0020, 0x0020, "blank"],
  [0x00a0, 0x00a0, "blank"],
  [0x000a, 0x000a, "newline"],
  [0x000d, 0x000d, "newline"],
  [0x00c0, 0x024f, "cased"],
  [0x00d7, 0x00d7, "symbol"],
  [0x00f7, 0x00f7, "symbol"],
  [0x0250, 0x036f, "letter"],
  [0x0370, 0x058f, "cased"],
  [0x0590, 0x1fff, "letter"],
  [0x1e00, 0x1fff, "cased"],
  [0x2c00, 0x2dff, "letter"],
  [0x3040, 0x30ff, "syllable"],
  [0x3130, 0x318f, "syllable"],
  [0x3400, 0x4dbf, "ideograph"],
  [0x4e00, 0x9fff, "ideograph"],
  [0xa000, 0xabff, "letter"],
  [0xac00, 0xd7af, "syllable"],
  [0xd800, 0xdfff, "half"],
  [0xf900, 0xfaff, "ideograph"],
  [0xfb00, 0xfdff, "letter"],
  [0xfe70, 0xfeff, "letter"],
];

type TextFeature = Exclude<(typeof featureNames)[number], "messages" | "images">;

/**
 * Where a character stands decides what it weighs: the states of the scanner, each with what entering it adds, in
 * hundredths of a token (whole numbers, so that adding and taking away is exact), and where classes lead from it.
 */
interface State {
  readonly counts: TextFeature;
  readonly hundredths: number;
  readonly next?: Partial<Record<CharacterClass, string>>;
}

const inWord = { upper: "hump" };
const afterCapital = { lower: "small 1", upper: "capitals" };
const small = (next: string): State => ({
  counts: "words",
  hundredths: 0,
  next: { ...inWord, lower: next },
});

const states: Readonly<Record<string, State>> = {
  // A text begins a line: this one comes first.
  line: { counts: "blanks", hundredths: 50, next: { newline: "lines", blank: "indent" } },
  lines: { counts: "blanks", hundredths: 10, next: { newline: "lines", blank: "indent" } },
  indent: { counts: "blanks", hundredths: 50, next: { blank: "indents" } },
  indents: { counts: "blanks", hundredths: 2, next: { blank: "indents" } },
  blank: { counts: "blanks", hundredths: 3, next: { blank: "two blanks" } },
  "two blanks": { counts: "blanks", hundredths: 89, next: { blank: "blanks" } },
  blanks: { counts: "blanks", hundredths: 2, next: { blank: "blanks" } },
  word: { counts: "words", hundredths: 102, next: { ...inWord, lower: "small 2" } },
  /** A small letter after a capital. */
  "small 1": small("small 2"),
  "small 2": small("small 3"),
  "small 3": small("small 4"),
  "small 4": small("small 5"),
  "small 5": small("small 6"),
  "small 6": small("small 7"),
  /** Long words are several tokens. */
  "small 7": { counts: "words", hundredths: 12, next: { ...inWord, lower: "small 7" } },
  "capital word": { counts: "words", hundredths: 102, next: afterCapital },
  /** `camelCase`. */
  hump: { counts: "words", hundredths: 75, next: afterCapital },
  capitals: { counts: "words", hundredths: 35, next: afterCapital },
  digit: { counts: "numbers", hundredths: 75, next: { digit: "digits" } },
  digits: { counts: "numbers", hundredths: 30, next: { digit: "digits" } },
  mark: { counts: "marks", hundredths: 80, next: { mark: "marks" } },
  marks: { counts: "marks", hundredths: 35, next: { mark: "marks" } },
  symbol: { counts: "marks", hundredths: 90 },
  cased: { counts: "casedLetters", hundredths: 40 },
  ideograph: { counts: "ideographs", hundredths: 80 },
  half: { counts: "ideographs", hundredths: 90 },
  syllable: { counts: "syllables", hundredths: 80 },
  letter: { counts: "otherLetters", hundredths: 60 },
};

/** Where a class leads when the state before says nothing about it. */
const fresh: Readonly<Record<CharacterClass, string>> = {
  lower: "word",
  upper: "capital word",
  digit: "digit",
  blank: "blank",
  newline: "line",
  mark: "mark",
  cased: "cased",
  ideograph: "ideograph",
  syllable: "syllable",
  letter: "letter",
  half: "half",
  symbol: "symbol",
};

const stateNames = Object.keys(states);

/** Built for the first text: the file is loaded at activation, which has none. */
let built: { readonly classOf: Uint8Array; readonly nextState: Uint8Array } | undefined;

function buildTables() {
  const classOf = new Uint8Array(0x10000).fill(classes.indexOf("symbol"));
  for (const [first, last, name] of ranges) classOf.fill(classes.indexOf(name), first, last + 1);

  // Sixteen places per state: by `state << 4 | class`.
  const nextState = new Uint8Array(stateNames.length << 4);
  for (const [at, name] of stateNames.entries())
    for (const [number, each] of classes.entries())
      nextState[(at << 4) | number] = stateNames.indexOf(states[name]?.next?.[each] ?? fresh[each]);
  return { classOf, nextState };
}

/** Of a text that begins a line. */
export function scanText(text: string): Features {
  built ??= buildTables();
  const { classOf, nextState } = built;
  const visits = new Uint32Array(stateNames.length);
  let state = 0;
  for (let at = 0; at < text.length; at += 1) {
    state = nextState[(state << 4) | (classOf[text.charCodeAt(at)] ?? 0)] ?? 0;
    visits[state] = (visits[state] ?? 0) + 1;
  }
  const sums = noFeatures();
  for (const [at, { counts, hundredths }] of Object.values(states).entries()) {
    const place = featureNames.indexOf(counts);
    sums[place] = (sums[place] ?? 0) + hundredths * (visits[at] ?? 0);
  }
  return sums;
}

/** Two milliseconds of scanning and a few of fetching the text. */
export const pieceLength = 256 * 1024;

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A long text as one message, without holding anybody up: a piece at a time. `undefined`: aborted, for something newer. */
export async function scanSlowly(
  pieces: Iterable<string>,
  signal: AbortSignal,
): Promise<Features | undefined> {
  const sum = noFeatures();
  let scanned = 0;
  // Pieces should begin lines; they are fetched when it is their turn.
  for (const piece of pieces) {
    if (signal.aborted) return undefined;
    addFeatures(sum, scanText(piece));
    scanned += piece.length;
    if (scanned < pieceLength) continue;
    scanned = 0;
    await pause();
  }
  return signal.aborted ? undefined : withFeature(sum, "messages", 1);
}
