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

/** `kept`: those of the page before. `keep` hears of all of them whenever one has changed. */
export function createRewrites(kept: readonly Rewrite[], keep: (all: readonly Rewrite[]) => void): Rewrites {
  let all = kept;
  let here = "";
  const change = (next: readonly Rewrite[]) => {
    if (next.length === 0 && all.length === 0) return;
    all = next;
    keep(all);
  };
  const isOf = (turn: string) => (each: Rewrite) => each[0] === here && each[1] === turn;
  return {
    get: (turn) => all.find(isOf(turn))?.[2],
    set(turn, words) {
      const others = all.filter((each) => !isOf(turn)(each));
      change(words === undefined ? others : [...others, [here, turn, words]]);
    },
    open({ conversation: { id, turns }, above }) {
      here = id;
      const mine = all.filter(([conversation]) => conversation === here);
      // What is not there may stand above the first one here.
      if (mine.length === 0 || above > 0) return [];
      const known = new Set(turns.map((turn) => turn.id));
      const lost = mine.filter(([, turn]) => !known.has(turn));
      change(all.filter((each) => !lost.includes(each)));
      return lost.map(([, , words]) => words);
    },
  };
}
