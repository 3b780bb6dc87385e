// The scanner's automaton: where a character stands decides what it counts as, and where it stands follows from the
// state before it and from its class. How often each state was entered is everything that is counted.
import { type CharacterClass, characterClass } from "./character-classes.ts";

const states = [
  /** The first small letter of a word, then the second to the sixth, and all that follow. */
  "word",
  "small 2",
  "small 3",
  "small 4",
  "small 5",
  "small 6",
  "small 7",
  /** The first capital of a word, one after a small letter, one after another. */
  "capital word",
  "hump",
  "capitals",
  /** A small letter after a capital. */
  "small 1",
  "digit",
  "digits",
  "mark",
  "marks",
  "blank",
  "two blanks",
  "blanks",
  "indent",
  "indents",
  "line",
  "lines",
  "cased",
  "ideograph",
  "syllable",
  "letter",
  "half",
  "symbol",
] as const;

export type ScanState = (typeof states)[number];

export const stateCount: number = states.length;

export const stateOf = (state: ScanState): number => states.indexOf(state);

/** A text begins a line. */
export const lineStart: number = stateOf("line");

/** What a class leads to when the state before says nothing about it. */
const fresh: Readonly<Record<CharacterClass, ScanState>> = {
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

const inWord: Partial<Record<CharacterClass, ScanState>> = { upper: "hump" };
const afterCapital: Partial<Record<CharacterClass, ScanState>> = { lower: "small 1", upper: "capitals" };

const continued: Partial<Record<ScanState, Partial<Record<CharacterClass, ScanState>>>> = {
  word: { ...inWord, lower: "small 2" },
  "small 1": { ...inWord, lower: "small 2" },
  "small 2": { ...inWord, lower: "small 3" },
  "small 3": { ...inWord, lower: "small 4" },
  "small 4": { ...inWord, lower: "small 5" },
  "small 5": { ...inWord, lower: "small 6" },
  "small 6": { ...inWord, lower: "small 7" },
  "small 7": { ...inWord, lower: "small 7" },
  "capital word": afterCapital,
  hump: afterCapital,
  capitals: afterCapital,
  digit: { digit: "digits" },
  digits: { digit: "digits" },
  mark: { mark: "marks" },
  marks: { mark: "marks" },
  blank: { blank: "two blanks" },
  "two blanks": { blank: "blanks" },
  blanks: { blank: "blanks" },
  indent: { blank: "indents" },
  indents: { blank: "indents" },
  line: { newline: "lines", blank: "indent" },
  lines: { newline: "lines", blank: "indent" },
};

/** Sixteen places per state: by `state << 4 | class`. */
export const nextState: Uint8Array = makeNext();

function makeNext(): Uint8Array {
  const next = new Uint8Array(states.length << 4);
  for (const [at, state] of states.entries())
    for (const [kind, number] of Object.entries(characterClass) as [CharacterClass, number][])
      next[(at << 4) | number] = stateOf(continued[state]?.[kind] ?? fresh[kind]);
  return next;
}
