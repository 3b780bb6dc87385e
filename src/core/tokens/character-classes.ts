// Every UTF-16 code unit has one class. The table is filled once, so that the scanner looks up and never decides.

export const characterClass = {
  lower: 0,
  upper: 1,
  digit: 2,
  /** Space, tab, and other white space within a line. */
  blank: 3,
  newline: 4,
  /** ASCII punctuation. */
  mark: 5,
  /** Letters beyond ASCII of scripts that have cases: accented Latin, Greek, Cyrillic. */
  cased: 6,
  /** Ideographs. */
  ideograph: 7,
  /** Kana and Hangul. */
  syllable: 8,
  /** Letters of the other scripts. */
  letter: 9,
  /** Half a surrogate pair: emoji, rare ideographs. */
  half: 10,
  symbol: 11,
} as const;

export type CharacterClass = keyof typeof characterClass;

const { lower, upper, digit, blank, newline, mark, cased, ideograph, syllable, letter, half, symbol } =
  characterClass;

/** First and last code unit, class; later rows win. */
const ranges: readonly (readonly [number, number, number])[] = [
  [0x0021, 0x007e, mark],
  [0x0061, 0x007a, lower],
  [0x0041, 0x005a, upper],
  [0x0030, 0x0039, digit],
  [0x0009, 0x0009, blank],
  [0x000b, 0x000c, blank],
  [0x0020, 0x0020, blank],
  [0x00a0, 0x00a0, blank],
  [0x000a, 0x000a, newline],
  [0x000d, 0x000d, newline],
  [0x00c0, 0x024f, cased],
  [0x00d7, 0x00d7, symbol],
  [0x00f7, 0x00f7, symbol],
  [0x0250, 0x036f, letter],
  [0x0370, 0x058f, cased],
  [0x0590, 0x1fff, letter],
  [0x1e00, 0x1fff, cased],
  [0x2c00, 0x2dff, letter],
  [0x3040, 0x30ff, syllable],
  [0x3130, 0x318f, syllable],
  [0x3400, 0x4dbf, ideograph],
  [0x4e00, 0x9fff, ideograph],
  [0xa000, 0xabff, letter],
  [0xac00, 0xd7af, syllable],
  [0xd800, 0xdfff, half],
  [0xf900, 0xfaff, ideograph],
  [0xfb00, 0xfdff, letter],
  [0xfe70, 0xfeff, letter],
];

function makeTable(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(symbol);
  for (const [first, last, kind] of ranges) table.fill(kind, first, last + 1);
  return table;
}

export const classOf: Uint8Array = makeTable();
