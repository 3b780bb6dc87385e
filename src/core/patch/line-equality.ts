// When two lines count as equal, from "the same characters" to "look the same", and a hash that is equal whenever
// the loosest of these says so. Only spelling is folded: no letter is ever taken for another, nothing is "similar".

/** 0 exact, 1 without trailing space, 2 without outer space, 3 look-alikes folded and NFC; 4 different. */
export type Tier = 0 | 1 | 2 | 3 | 4;

export function tierOf(file: string, patch: string): Tier {
  if (file === patch) return 0;
  if (file.trimEnd() === patch.trimEnd()) return 1;
  if (file.trim() === patch.trim()) return 2;
  return fold(file) === fold(patch) ? 3 : 4;
}

const lookAlikes: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/g, "-"],
  [/[\u2018-\u201B\u2032]/g, "'"],
  [/[\u201C-\u201F\u2033]/g, '"'],
  [/[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g, " "],
  [/\u2026/g, "..."],
  [/[\u00AD\u200B\u2060\uFEFF]/g, ""],
];

/** Longer lines, and towers of marks, are nobody's words; to bring them into one form takes more than a moment. */
const longest = 10_000;
const tower = /\p{M}{31}/u;

export function fold(line: string): string {
  const bare = line.trim();
  if (bare.length > longest || isPlain(line) || tower.test(line)) return bare;
  let folded = line.normalize("NFC");
  for (const [from, to] of lookAlikes) folded = folded.replace(from, to);
  return folded.trim();
}

/** Characters that folding leaves alone whatever stands beside them: the common letters of most scripts. */
function isInert(code: number): boolean {
  return (
    code < 0x80 ||
    (code >= 0xc0 && code < 0x250) ||
    (code >= 0x400 && code < 0x483) ||
    (code >= 0x4e00 && code < 0xa000) ||
    (code >= 0xac00 && code < 0xd7a4) ||
    (code >= 0x3041 && code < 0x3097) ||
    (code >= 0x30a1 && code < 0x30fb)
  );
}

function isPlain(line: string): boolean {
  for (let at = 0; at < line.length; at++) if (!isInert(line.charCodeAt(at))) return false;
  return true;
}

/** The hash of a line of white space. */
export const blankHash = 0x811c9dc5 | 0;

export function hashOf(line: string): number {
  return foldedHash(line, 0, line.length);
}

/** The hash of `fold(text.slice(start, end))`, without making that string for ordinary lines. */
export function foldedHash(text: string, start: number, end: number): number {
  let hash = blankHash;
  let settled = blankHash;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x20) {
      if (code >= 0x80 && !isInert(code)) return plainHash(fold(text.slice(start, end)));
      hash = Math.imul(hash ^ code, 0x01000193);
      settled = hash;
    } else if (code !== 0x20 && (code < 0x09 || code > 0x0d)) {
      hash = Math.imul(hash ^ code, 0x01000193);
      settled = hash;
    } else if (hash !== blankHash) hash = Math.imul(hash ^ code, 0x01000193);
  }
  return settled;
}

function plainHash(line: string): number {
  let hash = blankHash;
  for (let at = 0; at < line.length; at++) hash = Math.imul(hash ^ line.charCodeAt(at), 0x01000193);
  return hash;
}
