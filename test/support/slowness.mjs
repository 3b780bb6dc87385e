// How many times slower than usual this machine computes just now: one that is shared, or saves power, may take several
// times the processor time for the same work, and a limit in milliseconds means nothing on it.

/** Milliseconds of processor time that the work below takes on a quiet machine of the usual kind. */
const usual = 10;
/** The same for memory that the process has not used before. */
const usualOfMemory = 4;
const megabytes = 10;
const runs = 8;
/** Beyond it a measure says nothing any more, and a limit that grows further would let everything pass. */
const atMost = 8;

/** At least 1: a faster machine has the same limits. */
export function slowness() {
  const slower = Math.max(leastTime(computeAsUsual) / usual, leastTime(touchMemory) / usualOfMemory);
  return Math.min(Math.max(slower, 1), atMost);
}

function leastTime(work) {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** Where the system is short of memory, or takes it back from whoever rests, what is new to a program costs many times more. */
const touchMemory = () => Buffer.alloc(megabytes * 1024 * 1024, 1);

/** A mixture of what the product does most: texts put together and taken apart, a map, JSON. */
function computeAsUsual() {
  const words = Array.from({ length: 20_000 }, (_, at) => `w${(at * 7919) % 10_007}`);
  const counts = new Map();
  for (const word of words.join(" ").split(" ")) counts.set(word, (counts.get(word) ?? 0) + 1);
  return JSON.parse(JSON.stringify([...counts]));
}
