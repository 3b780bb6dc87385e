// Tests in which the product computed for too long without a pause. They are run again, when nothing else runs: beside
// other tests and windows the same work takes up to twice its processor time. Only what repeats is believed.

/** A machine that is shared with others disturbs now and then also what runs alone. */
const rounds = 2;

/** @typedef {{ test: string, ms: number, where: string }} Stretch */

/** @param {readonly Stretch[]} long */
const lastOfEach = (long) => new Map(long.map((stretch) => [stretch.test, stretch]));

/**
 * A run whose suspects, if it named any, are judged when it is asked `again`.
 * @template {{ long: readonly Stretch[] }} Run
 * @param {Run} first
 * @param {(tests: string[]) => Promise<{ long: readonly Stretch[], isWhole: boolean }>} runAgain
 */
export function judgedLater(first, runAgain) {
  if (first.long.length === 0) return first;
  const again = async () => {
    let suspects = lastOfEach(first.long);
    for (let round = 0; round < rounds && suspects.size > 0; round++) {
      const { long, isWhole } = await runAgain([...suspects.keys()]);
      // What could not be run again stays suspected.
      if (isWhole) suspects = new Map([...lastOfEach(long)].filter(([test]) => suspects.has(test)));
    }
    return { passed: 0, failed: suspects.size, output: [...suspects.values()].map(tooLong).join("") };
  };
  return { ...first, again };
}

/**
 * The same at once, for a run beside which nothing else has to end.
 * @param {import("./jobs.mjs").Result} result
 * @returns {Promise<import("./jobs.mjs").Result>}
 */
export async function judgedNow({ again, ...first }) {
  const second = await again?.();
  if (second === undefined) return first;
  return { ...first, failed: first.failed + second.failed, output: first.output + second.output };
}

/** The pattern of a name. */
export const exactly = (name) => `^${name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}$`;

const tooLong = ({ test, ms, where }) =>
  `\n✖ ${test}\n  The product computed for ${ms} ms without a pause, each time it was run, mostly in ${where}.\n`;

/**
 * @param {number[]} all
 * @param {{ test: string, ms: number, where: string }} longest
 */
export function inShort(all, { test, ms, where }) {
  const p99 = all.toSorted((one, other) => one - other)[Math.floor(all.length * 0.99)] ?? 0;
  const figures = `${all.length}, p99 ${p99.toFixed(0)} ms of processor time`;
  return `Own stretches of the extension host: ${figures}; the longest ${ms} ms in ${where}, in “${test}”.\n`;
}
