// What a person writes in the place of an earlier question, until it is sent or given up. It outlives the view in which it is
// written, which goes when the reader is far away or in another conversation, and the page. Knows no DOM.
import type { Projection } from "./projection.ts";

export type Rewrite = readonly [conversation: string, turn: string, words: string];

export interface Rewrites {
  get(turn: string): string | undefined;
  /** `undefined`: there is nothing to be kept. */
  set(turn: string, words: string | undefined): void;
  /** The conversation is this one now. Answers, once, what was to take the place of questions that are gone from it. */
  open(now: Projection): readonly string[];
}

/** `kept`: those of the page before. `keep` hears of all of the conversation that is open, whenever one may have changed. */
export function createRewrites(
  kept: readonly Rewrite[],
  keep: (rewrites: readonly Rewrite[]) => void,
): Rewrites {
  let all = kept;
  let here = "";
  const isHere = ([conversation]: Rewrite) => conversation === here;
  const isOf = (turn: string) => (each: Rewrite) => isHere(each) && each[1] === turn;
  const change = (next: readonly Rewrite[]) => {
    if (next.length === 0 && all.length === 0) return;
    all = next;
    keep(all.filter(isHere));
  };
  return {
    get: (turn) => all.find(isOf(turn))?.[2],
    set(turn, words) {
      const others = all.filter((each) => !isOf(turn)(each));
      change(words === undefined ? others : [...others, [here, turn, words]]);
    },
    open({ conversation: { id, turns }, above }) {
      here = id;
      const known = new Set(turns.map((turn) => turn.id));
      // What is not there may stand above the first one here.
      const lost = above > 0 ? [] : all.filter((each) => isHere(each) && !known.has(each[1]));
      change(all.filter((each) => !lost.includes(each)));
      return lost.map(([, , words]) => words);
    },
  };
}
