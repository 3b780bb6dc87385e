// What each file of tests took, told by `npm test -- --times …`: the slowest in a few lines, all of them in a file.
import { mkdirSync, writeFileSync } from "node:fs";

const shown = 10;
const wholeTable = ".build/times.txt";

/**
 * @typedef {object} FileTime
 * @property {string} file
 * @property {number} tests
 * @property {number} seconds By the clock.
 * @property {number} processor Seconds of it.
 * @property {{ name: string, processor: number }} slowest The test that computes longest.
 */

/** Whether the processes of tests are to take the time of each. */
export const takesTimes = () => process.env.PATCHBAY_TIMES !== undefined;

/**
 * @param {Map<string, FileTime>} sums
 * @param {string} file
 * @param {string} name
 * @param {{ seconds: number, processor: number }} took
 */
export function addTime(sums, file, name, took) {
  const sum = sums.get(file) ?? { file, tests: 0, seconds: 0, processor: 0, slowest: { name, processor: 0 } };
  // A child that ended without being waited for takes its time with it.
  const processor = Math.max(took.processor, 0);
  sums.set(file, {
    file,
    tests: sum.tests + 1,
    seconds: sum.seconds + took.seconds,
    processor: sum.processor + processor,
    slowest: processor > sum.slowest.processor ? { name, processor } : sum.slowest,
  });
}

/** @param {readonly FileTime[]} times */
export function tellTimes(times) {
  const sorted = times.toSorted((one, other) => other.processor - one.processor);
  const lines = sorted.map(
    ({ file, tests, seconds, processor, slowest }) =>
      `${inSeconds(processor)} of the processor, ${inSeconds(seconds)} by the clock, ${String(tests).padStart(4)} tests: ${file}, ${inSeconds(slowest.processor).trim()} of it in “${slowest.name}”\n`,
  );
  const all = sorted.reduce((sum, { processor }) => sum + processor, 0);
  mkdirSync(".build", { recursive: true });
  writeFileSync(wholeTable, lines.join(""));
  console.log(`\nThe slowest of ${sorted.length} files, which took ${all.toFixed(0)} s of the processor:`);
  console.log(`${lines.slice(0, shown).join("")}All of them are in ${wholeTable}.`);
}

const inSeconds = (seconds) => `${seconds.toFixed(1).padStart(7)} s`;
