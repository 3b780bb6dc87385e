// Whether work grows with its input or faster: 1×, 2× and 4× of it by the processor time of this thread, the least of
// several runs each. What takes no time worth measuring grows well.
import { leastTime } from "./thread-time.ts";

/** Per doubling. Twice is linear; sorting and collecting garbage come on top of it. */
const maxGrowth = 2.3;
/**
 * Too steep may also be a heap that just had to grow, what no longer fits into a cache, or a search that looks so far ahead
 * and no further. Four or sixteen times as large none of them is any longer, and a square still is. Each is tried where that
 * takes a moment only.
 */
const maxGrowthOfLarger = 2.6;
const largerBy = [4, 16];
const usuallyAMoment = 500;
/** Milliseconds for four times the input: below it noise is measured. */
const usuallyNegligible = 8;
const rounds = 8;

export interface Growth {
  /** Milliseconds for 1×, 2× and 4×. */
  readonly times: readonly [number, number, number];
  readonly perDoubling: number;
  readonly isLinear: boolean;
}

export function growthOf(
  run: (size: number) => () => unknown,
  size: number,
  negligible = usuallyNegligible,
  aMoment = usuallyAMoment,
): Growth {
  let best = measure(run, size, negligible);
  // On a busy machine a round may be unlucky; work that grows too fast does so in each.
  for (let round = 1; round < rounds && !best.isLinear; round++) {
    const next = measure(run, size, negligible);
    if (next.perDoubling < best.perDoubling) best = next;
  }
  let last = best;
  for (const times of largerBy) {
    if (last.isLinear || last.times[2] > aMoment) break;
    const larger = measure(run, size * times, negligible);
    last = { ...larger, isLinear: larger.perDoubling <= maxGrowthOfLarger };
  }
  return last.isLinear ? last : best;
}

function measure(run: (size: number) => () => unknown, size: number, negligible: number): Growth {
  const [one = 0, two = 0, four = 0] = [1, 2, 4].map((times) => leastTime(3, run(size * times)));
  const perDoubling = Math.sqrt(four / Math.max(one, 0.001));
  return { times: [one, two, four], perDoubling, isLinear: four < negligible || perDoubling <= maxGrowth };
}

export const toldGrowth = ({ times, perDoubling }: Growth): string =>
  `${times.map((time) => time.toFixed(2)).join(", ")} ms: ${perDoubling.toFixed(2)} × per doubling`;
