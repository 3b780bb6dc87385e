// What the page itself keeps while it is hidden or reloaded: the reading position, what was opened by hand, and unsent
// rewrites of earlier questions. The host keeps the draft.
import * as z from "zod/mini";
import type { Projection } from "./projection.ts";
import type { Choices } from "./render-context.ts";
import type { ReadingPlace } from "./view/transcript/conversation-view.ts";

const Saved = z.object({
  conversation: z.string(),
  choices: z.array(z.tuple([z.string(), z.string()])),
  place: z.optional(z.object({ turn: z.string(), offset: z.number() })),
  rewrites: z.optional(z.array(z.readonly(z.tuple([z.string(), z.string(), z.string()])))),
});
type Saved = z.infer<typeof Saved>;

interface StateStore {
  getState(): unknown;
  setState(state: unknown): void;
}

export interface PageState {
  readonly choices: Choices;
  readonly place: ReadingPlace | undefined;
  /** Called on every scroll event; the position is stored when scrolling stops. */
  setPlace(place: ReadingPlace | undefined): void;
  readonly rewrites: readonly Rewrite[];
  setRewrites(all: readonly Rewrite[]): void;
  /** Switches to another conversation and discards what was kept for the previous one. */
  open(conversation: string): void;
}

/** When there are more, the oldest are discarded. */
const maxChoices = 400;
const rest = 200;

/**
 * Reads and stores the state in VS Code. When read, it is parsed like any other message, since an older version may
 * have written it.
 */
export function pageState(store: StateStore): PageState {
  const parsed = Saved.safeParse(store.getState());
  let saved: Saved = parsed.success ? parsed.data : { conversation: "", choices: [] };
  const choices = new Map(saved.choices);

  let resting: ReturnType<typeof setTimeout> | undefined;

  const save = (changes: Partial<Saved>) => {
    saved = { ...saved, ...changes };
    store.setState(saved);
  };

  return {
    choices: {
      get: (key) => choices.get(key),
      set(key, value) {
        choices.delete(key);
        choices.set(key, value);
        save({ choices: [...choices].slice(-maxChoices) });
      },
    },
    get place() {
      return saved.place;
    },
    setPlace(place) {
      clearTimeout(resting);
      resting = setTimeout(() => save({ place }), rest);
    },
    rewrites: saved.rewrites ?? [],
    setRewrites: (all) => save({ rewrites: [...all] }),
    open(conversation) {
      if (saved.conversation === conversation) return;
      choices.clear();
      clearTimeout(resting);
      save({ conversation, choices: [], place: undefined, rewrites: [] });
    },
  };
}

type Rewrite = readonly [conversation: string, turn: string, words: string];

export interface Rewrites {
  get(turn: string): string | undefined;
  /** `undefined` discards the rewrite. */
  set(turn: string, words: string | undefined): void;
  /** Sets the open conversation. Returns, once, the rewrites of questions that no longer exist in it. */
  open(now: Projection): readonly string[];
}

/**
 * Unsent rewrites of earlier questions. They outlive the view in which they are written, which is removed when the
 * reader scrolls far away or opens another conversation, and they outlive the page. Does not use the DOM. `kept` are
 * the rewrites saved by a previous page. `keep` is called with all rewrites of the open conversation whenever one may
 * have changed.
 */
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
      const isOther = id !== here;
      here = id;
      const known = new Set(turns.map((turn) => turn.id));
      // A question that is missing may be above the loaded turns.
      const lost = above > 0 ? [] : all.filter((each) => isHere(each) && !known.has(each[1]));
      // Called with every drawing, so it stores only what has changed.
      if (isOther || lost.length > 0) change(all.filter((each) => !lost.includes(each)));
      return lost.map(([, , words]) => words);
    },
  };
}
