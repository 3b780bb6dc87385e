// Texts that nobody would think of, the same ones in every run.

export type Pick = (below: number) => number;

/** A small generator of numbers (mulberry32); the seed is part of the test. */
export function random(seed: number): Pick {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const words = ["a", "b", "same", "other", "", "  ", "}", "end"] as const;

/** Up to a dozen lines of few words, so that many are equal; the last may be open. */
export function randomText(pick: Pick): string {
  const lines = Array.from({ length: pick(12) }, () => words[pick(words.length)] ?? "");
  return lines.map((line) => `${line}\n`).join("") + (pick(2) === 0 ? "" : "open");
}
