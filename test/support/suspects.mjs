// Tests in which the product computed for too long without a pause. They are run again: only what repeats is believed.

/** @returns {Map<string, { test: string, ms: number, where: string }>} */
export const lastOfEach = (long) => new Map(long.map((stretch) => [stretch.test, stretch]));

/** The pattern of a name. */
export const exactly = (name) => `^${name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}$`;

export const tooLong = ({ test, ms, where }) =>
  `\n✖ ${test}\n  The product computed for ${ms} ms without a pause, twice, mostly in ${where}.\n`;

/** @param {number[]} all */
export function percentiles(all) {
  const sorted = all.toSorted((one, other) => one - other);
  const at = (share) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0);
  return `Own stretches of the extension host: ${all.length}, p99 ${at(0.99)} ms, most ${at(1)} ms of processor time.\n`;
}
