// How far estimates of one conversation were from what the service then reported. Used to say ± honestly: a conversation
// whose estimates were off by a tenth is not told to be exact to a hundredth (requirements I9). Read from its figures,
// which the journal keeps, so that another window knows it, too.
import type { Turn } from "../conversation/state.ts";

const looksBack = 8;

/** The margin of the next estimate in a conversation: never narrower than what its latest requests have shown. */
export function widened(margin: number, turns: readonly Turn[]): number {
  let [widest, left] = [margin, looksBack];
  for (let at = turns.length - 1; at >= 0 && left > 0; at -= 1)
    for (const share of sharesOf(turns[at]).slice(-left)) {
      widest = Math.max(widest, share);
      left -= 1;
    }
  return Math.min(1, widest);
}

/** `input_tokens − estimate`, as a share of the former, whatever its sign. */
const sharesOf = (turn: Turn | undefined): number[] =>
  (turn?.usage ?? []).flatMap(({ input = 0, estimate }) =>
    estimate === undefined || !(input > 0) ? [] : [Math.abs(input - estimate) / input],
  );
