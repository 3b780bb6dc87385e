// What the page itself remembers while it is away: the place in the text, what was opened by hand, what was being written in
// the place of earlier questions. The draft is the host's.
// VS Code keeps it; what comes back is parsed like any other message, since an older version may have written it.
import * as z from "zod/mini";
import type { Rewrite } from "./rewrites.ts";
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
  setPlace(place: Place | undefined): void;
  /** Of every conversation. */
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
  let waiting: Partial<Saved> = {};

  const save = (changes: Partial<Saved>) => {
    clearTimeout(resting);
    saved = { ...saved, ...waiting, ...changes };
    waiting = {};
    store.setState(saved);
  };

  /** Scrolling and typing change something all the time: it is saved when the reader comes to rest. */
  const saveSoon = (changes: Partial<Saved>) => {
    waiting = { ...waiting, ...changes };
    clearTimeout(resting);
    resting = setTimeout(() => save({}), rest);
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
    setPlace: (place) => saveSoon({ place }),
    rewrites: saved.rewrites ?? [],
    setRewrites: (all) => saveSoon({ rewrites: [...all] }),
    open(conversation) {
      if (saved.conversation === conversation) return;
      choices.clear();
      save({ conversation, choices: [], place: undefined });
    },
  };
}
