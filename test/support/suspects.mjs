// Tests in which the product computed for too long without a pause. They are run again: only what repeats is believed.

/** @returns {Map<string, { test: string, ms: number, where: string }>} */
export const lastOfEach = (long) => new Map(long.map((stretch) => [stretch.test, stretch]));

/** The pattern of a name. */
export const exactly = (name) => `^${name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}$`;

export const tooLong = ({ test, ms, where }) =>
  `\n✖ ${test}\n  The product computed for ${ms} ms without a pause, twice, mostly in ${where}.\n`;

/**
 * @param {number[]} all
 * @param {{ test: string, ms: number, where: string }} longest
 */
export function inShort(all, { test, ms, where }) {
  const p99 = all.toSorted((one, other) => one - other)[Math.floor(all.length * 0.99)] ?? 0;
  const figures = `${all.length}, p99 ${p99.toFixed(0)} ms of processor time`;
  return `Own stretches of the extension host: ${figures}; the longest ${ms} ms in ${where}, in “${test}”.\n`;
}
