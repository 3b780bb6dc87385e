// How many times slower than usual this machine computes just now: one that is shared, or saves power, may take several
// times the processor time for the same work, and a limit in milliseconds means nothing on it.

/** Milliseconds of processor time that the work below takes on a quiet machine of the usual kind. */
const usual = 10;
const runs = 8;
/** Beyond it a measure says nothing any more, and a limit that grows further would let everything pass. */
const atMost = 8;

/** At least 1: a faster machine has the same limits. */
export function slowness() {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage();
    computeAsUsual();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return Math.min(Math.max(least / usual, 1), atMost);
}

/** A mixture of what the product does most: texts put together and taken apart, a map, JSON. */
function computeAsUsual() {
  const words = Array.from({ length: 20_000 }, (_, at) => `w${(at * 7919) % 10_007}`);
  const counts = new Map();
  for (const word of words.join(" ").split(" ")) counts.set(word, (counts.get(word) ?? 0) + 1);
  return JSON.parse(JSON.stringify([...counts]));
}
