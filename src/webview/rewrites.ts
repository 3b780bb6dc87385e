// What a person writes in the place of an earlier question, until it is sent or given up. It outlives the view in which it is
// written: that goes when the reader is far away, or in another conversation. Knows no DOM.
import type { Projection } from "./projection.ts";

export interface Rewrites {
  get(turn: string): string | undefined;
  /** `undefined`: there is nothing to be kept. */
  set(turn: string, words: string | undefined): void;
  /** The conversation is this one now. Answers, once, what was to take the place of questions that are gone from it. */
  open(now: Projection): readonly string[];
}

export function createRewrites(): Rewrites {
  const all = new Map<string, Map<string, string>>();
  let here = new Map<string, string>();
  return {
    get: (turn) => here.get(turn),
    set(turn, words) {
      if (words === undefined) here.delete(turn);
      else here.set(turn, words);
    },
    open({ conversation: { id, turns }, above }) {
      here = all.get(id) ?? new Map();
      all.set(id, here);
      // What is not there may stand above the first one here.
      if (here.size === 0 || above > 0) return [];
      const known = new Set(turns.map((turn) => turn.id));
      const lost = [...here].filter(([turn]) => !known.has(turn));
      for (const [turn] of lost) here.delete(turn);
      return lost.map(([, words]) => words);
    },
  };
}
