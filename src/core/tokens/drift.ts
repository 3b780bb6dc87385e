// How far estimates of one conversation were from what the service then reported, newest last. Used to say ± honestly:
// a conversation whose estimates were off by a tenth is not told to be exact to a hundredth (requirements I9).

export interface Drift {
  /** `input_tokens − estimate`, as a share of the former. */
  readonly shares: readonly number[];
}

export const noDrift: Drift = { shares: [] };

const remembered = 8;

export function addDrift(drift: Drift, estimate: number, reported: number): Drift {
  if (!(reported > 0)) return drift;
  return { shares: [...drift.shares, (reported - estimate) / reported].slice(-remembered) };
}

/** The margin of the next estimate: never narrower than what has been seen. */
export function widened(margin: number, { shares }: Drift): number {
  return Math.min(
    1,
    shares.reduce((widest, share) => Math.max(widest, Math.abs(share)), margin),
  );
}
