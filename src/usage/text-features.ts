// Features of a text or request that determine its token count, as a few sums. The sums of two pieces add up to those
// of the whole if the cut is at the beginning of a line, which makes them incremental.
import { createYieldPoint } from "../util/concurrency.ts";

/** The order must not change, because calibrations are stored by position. */
export const featureNames = [
  // For text (`scanText`): the weight of each kind of character in a common vocabulary, in hundredths.
  "words",
  "numbers",
  "marks",
  "blanks",
  "casedLetters",
  "ideographs",
  "syllables",
  "otherLetters",
  // Counts of what surrounds the text.
  "messages",
  "images",
] as const;

export type FeatureName = (typeof featureNames)[number];

/** One number per name. */
export type Features = Float64Array;

export const featureCount: number = featureNames.length;

export const noFeatures = (): Features => new Float64Array(featureCount);

export const featureOf = (features: Features, name: FeatureName): number =>
  features[featureNames.indexOf(name)] ?? 0;

export function withFeature(features: Features, name: FeatureName, count: number): Features {
  const changed = features.slice();
  changed[featureNames.indexOf(name)] = count;
  return changed;
}

/** Adds to `sum` in place. */
export function addFeatures(sum: Features, more: Features, times = 1): Features {
  for (let at = 0; at < featureCount; at += 1) sum[at] = (sum[at] ?? 0) + times * (more[at] ?? 0);
  return sum;
}

// A text is scanned once to sum up the weights of its characters, by kind, in tokens of a common vocabulary. Two
// look-ups per character without branches make it fast. Independent of the model; local-estimate.ts adapts it.

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

/** First and last code unit; later rows take precedence, and code units in no row are symbols. */
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
 * A character's weight depends on its context. Each state of the scanner has what entering it adds, in hundredths of a
 * token (whole numbers, so that adding and subtracting is exact), and where each class leads from it.
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
  // Must be first, because a text begins a line.
  line: { counts: "blanks", hundredths: 50, next: { newline: "lines", blank: "indent" } },
  lines: { counts: "blanks", hundredths: 10, next: { newline: "lines", blank: "indent" } },
  indent: { counts: "blanks", hundredths: 50, next: { blank: "indents" } },
  indents: { counts: "blanks", hundredths: 2, next: { blank: "indents" } },
  blank: { counts: "blanks", hundredths: 3, next: { blank: "two blanks" } },
  "two blanks": { counts: "blanks", hundredths: 89, next: { blank: "blanks" } },
  blanks: { counts: "blanks", hundredths: 2, next: { blank: "blanks" } },
  word: { counts: "words", hundredths: 102, next: { ...inWord, lower: "small 2" } },
  /** A lower-case letter after a capital. */
  "small 1": small("small 2"),
  "small 2": small("small 3"),
  "small 3": small("small 4"),
  "small 4": small("small 5"),
  "small 5": small("small 6"),
  "small 6": small("small 7"),
  /** Long words take several tokens. */
  "small 7": { counts: "words", hundredths: 12, next: { ...inWord, lower: "small 7" } },
  "capital word": { counts: "words", hundredths: 102, next: afterCapital },
  /** A capital within a word, as in `camelCase`. */
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

/** The next state where the current one does not define it. */
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

/** Built when the first text is scanned, because the file is loaded at activation, when there is none. */
let built: { readonly classOf: Uint8Array; readonly nextState: Uint8Array } | undefined;

function buildTables() {
  const classOf = new Uint8Array(0x10000).fill(classes.indexOf("symbol"));
  for (const [first, last, name] of ranges) classOf.fill(classes.indexOf(name), first, last + 1);

  // Sixteen entries per state, indexed by `state << 4 | class`.
  const nextState = new Uint8Array(stateNames.length << 4);
  for (const [at, name] of stateNames.entries())
    for (const [number, each] of classes.entries())
      nextState[(at << 4) | number] = stateNames.indexOf(states[name]?.next?.[each] ?? fresh[each]);
  return { classOf, nextState };
}

/** The text must begin a line. */
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

/** Takes about two milliseconds to scan and a few more to fetch. */
export const pieceLength = 256 * 1024;

/**
 * Scans a long text as one message, piece by piece, so that the thread is not blocked. `undefined` when aborted in
 * favour of a newer one.
 */
export async function scanSlowly(
  pieces: Iterable<string>,
  signal: AbortSignal,
): Promise<Features | undefined> {
  const sum = noFeatures();
  const nextStep = createYieldPoint();
  // Each piece should begin a line; pieces are fetched one at a time.
  for (const piece of pieces) {
    await nextStep();
    if (signal.aborted) return undefined;
    addFeatures(sum, scanText(piece));
  }
  return signal.aborted ? undefined : withFeature(sum, "messages", 1);
}

interface Piece {
  readonly text: string;
  readonly features: Features;
}

/** In characters; a longer line becomes a longer piece. */
const editedPieceLength = 4096;

/**
 * The features of a text that is being edited. It is kept in pieces that begin lines, so that a keystroke scans only
 * one piece; comparing the rest is much faster.
 */
export class TextCounter {
  #pieces: readonly Piece[] = [];
  #sum: Features = noFeatures();
  /** The number of characters scanned so far, for tests of the incremental behaviour. */
  scanned = 0;

  get features(): Features {
    return this.#sum.slice();
  }

  /** Sets the current text. */
  update(text: string): Features {
    const { head, tail, from, to } = this.#unchanged(text);
    const changed = cutPieces(text.slice(from, to));
    this.scanned += to - from;
    const fresh = changed.map((piece) => ({ text: piece, features: scanText(piece) }));
    for (const { features } of this.#pieces.slice(head, this.#pieces.length - tail))
      addFeatures(this.#sum, features, -1);
    for (const { features } of fresh) addFeatures(this.#sum, features);
    this.#pieces = [
      ...this.#pieces.slice(0, head),
      ...fresh,
      ...this.#pieces.slice(this.#pieces.length - tail),
    ];
    return this.features;
  }

  /** How many pieces at the beginning and at the end are unchanged, and the range of the text between them. */
  #unchanged(text: string): { head: number; tail: number; from: number; to: number } {
    const pieces = this.#pieces;
    let head = 0;
    let from = 0;
    for (const piece of pieces) {
      if (!stands(piece, text, from)) break;
      head += 1;
      from += piece.text.length;
    }
    let tail = 0;
    let to = text.length;
    while (tail < pieces.length - head) {
      const piece = pieces[pieces.length - 1 - tail];
      if (piece === undefined || to - piece.text.length < from) break;
      if (!stands(piece, text, to - piece.text.length)) break;
      tail += 1;
      to -= piece.text.length;
    }
    // The last unchanged piece may have ended the text; what follows now could belong to its last line.
    if (head > 0 && (from < to || tail > 0) && !isCut(text, from)) {
      head -= 1;
      from -= pieces[head]?.text.length ?? 0;
    }
    if (tail > 0 && !isCut(text, to)) {
      to += pieces[pieces.length - tail]?.text.length ?? 0;
      tail -= 1;
    }
    return { head, tail, from, to };
  }
}

/** Comparing two strings compares memory; `startsWith` goes through the characters one by one. */
const stands = (piece: Piece, text: string, at: number): boolean =>
  text.slice(at, at + piece.text.length) === piece.text;

/** Cuts only after a whole run of line ends. */
const isCut = (text: string, at: number): boolean =>
  at === 0 || at === text.length || (isEnd(text, at - 1) && !isEnd(text, at));

const isEnd = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit === 10 || unit === 13;
};

function cutPieces(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = text.indexOf("\n", start + editedPieceLength) + 1;
    if (end <= 0) end = text.length;
    while (end < text.length && isEnd(text, end)) end += 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}
