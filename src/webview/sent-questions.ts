// Questions that have left the box and of which the host has not said yet that they are on the disk: should it die before
// that, they stand in the box again. A question is on the disk when its turn is shown. Knows neither the DOM nor where the
// page's state lies.
import type { Turn } from "../core/conversation/state.ts";

export interface SentQuestion {
  readonly text: string;
  /** The last turn there was. */
  readonly after: string;
}

export interface SentQuestions {
  add(text: string, last: Turn | undefined): void;
  /** The last turn as it is now: they are asked in the order in which they were sent. */
  see(last: Turn | undefined): void;
  /** One that waited was taken back. */
  remove(text: string): void;
  /** They stand in the box again. */
  clear(): void;
  /** To a page that has just come to be: what is in none of the turns. From here on nothing is waited for. */
  lost(turns: readonly Turn[]): readonly string[];
}

export function sentQuestions(
  kept: readonly SentQuestion[],
  changed: (list: readonly SentQuestion[]) => void,
): SentQuestions {
  let list = kept;
  let seen: string | undefined;
  const set = (next: readonly SentQuestion[]) => {
    if (next.length === list.length) return;
    list = next;
    changed(list);
  };
  return {
    add: (text, last) => set([...list, { text, after: last?.id ?? "" }]),
    see(last) {
      if (list.length === 0 || last === undefined || last.id === seen) return;
      seen = last.id;
      if (list[0]?.after !== last.id) set(list.slice(1));
    },
    remove(text) {
      const at = list.findLastIndex((each) => each.text === text);
      set(list.filter((_, index) => index !== at));
    },
    clear: () => set([]),
    lost(turns) {
      const missing = list.filter(({ text, after }) => {
        const since = turns.slice(turns.findIndex(({ id }) => id === after) + 1);
        return !since.some(({ prompt }) => prompt.trim() === text);
      });
      set([]);
      return missing.map(({ text }) => text);
    },
  };
}
