// Tests that are run again when nothing else runs, because only what repeats is believed: those in which the product
// computed for too long without a pause (beside other tests and windows the same work takes up to twice its processor
// time), and the few that failed: beside other work, on a machine that others use too, a wait takes as long as it likes.

/** A machine that is shared with others disturbs now and then also what runs alone. */
const rounds = 2;

/** More failures than these are no accident, and are told at once. */
const accidents = 3;

/** @typedef {{ test: string, ms: number, where: string }} Stretch */

/** @param {readonly Stretch[]} long */
const lastOfEach = (long) => new Map(long.map((stretch) => [stretch.test, stretch]));

/**
 * A run whose suspects, if it named any, are judged when it is asked `again`. With `secondTry`, the few tests that failed
 * are suspects, too: where one passes alone, the run passes, and names it as unsteady.
 * @template {{ passed: number, failed: number, long: readonly Stretch[], names: readonly string[], output: string }} Run
 * @param {Run} first
 * @param {(tests: string[]) => Promise<{ failed: number, long: readonly Stretch[], isWhole: boolean, output: string }>} runAgain
 * @param {boolean} secondTry
 */
export function judgedLater(first, runAgain, secondTry) {
  const triesAgain = secondTry && first.names.length > 0 && first.names.length <= accidents;
  if (first.long.length === 0 && !triesAgain) return first;
  const again = async () => {
    let suspects = lastOfEach(first.long);
    for (let round = 0; round < rounds && suspects.size > 0; round++) {
      const { long, isWhole } = await runAgain([...suspects.keys()]);
      // What could not be run again stays suspected.
      if (isWhole) suspects = new Map([...lastOfEach(long)].filter(([test]) => suspects.has(test)));
    }
    const second = triesAgain ? await tryAgain(first, runAgain) : { passed: 0, failed: 0, output: "" };
    return {
      ...second,
      failed: second.failed + suspects.size,
      output: second.output + [...suspects.values()].map(tooLong).join(""),
    };
  };
  return { ...first, ...(triesAgain && { failed: 0 }), again };
}

async function tryAgain({ failed, names }, runAgain) {
  const { isWhole, output, failed: stillFailed } = await runAgain([...names]);
  const passes = isWhole && stillFailed === 0;
  return {
    passed: passes ? failed : 0,
    failed: passes ? 0 : failed,
    output: passes ? "" : output,
    unsteady: passes ? names : [],
  };
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
