// What the page itself remembers while it is away: the place in the text, what was opened by hand, what was being written in
// the place of earlier questions. The draft is the host's.
// VS Code keeps it; what comes back is parsed like any other message, since an older version may have written it.
import * as z from "zod/mini";
import type { Rewrite } from "./question-rewrites.ts";
import type { Choices } from "./turn-context.ts";
import type { Place } from "./view/transcript.ts";

const Saved = z.object({
  conversation: z.string(),
  choices: z.array(z.tuple([z.string(), z.string()])),
  place: z.optional(z.object({ turn: z.string(), offset: z.number() })),
  rewrites: z.optional(z.array(z.readonly(z.tuple([z.string(), z.string(), z.string()])))),
});
type Saved = z.infer<typeof Saved>;

export interface StateStore {
  getState(): unknown;
  setState(state: unknown): void;
}

export interface PageState {
  readonly choices: Choices;
  readonly place: Place | undefined;
  /** Scrolling changes it all the time; it is kept when the reader comes to rest. */
  setPlace(place: Place | undefined): void;
  readonly rewrites: readonly Rewrite[];
  setRewrites(all: readonly Rewrite[]): void;
  /** Another conversation: what was remembered belongs to the old one. */
  open(conversation: string): void;
}

/** Oldest choices are forgotten first. */
const maxChoices = 400;
const rest = 200;

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
