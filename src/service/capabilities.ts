// What an origin was found to accept. The interface leaves optional fields and tool shapes open, so we learn from a 400
// (adapt-request.ts): something is omitted or changed, the request is sent again, and the finding is kept per origin,
// shown in the connection check and resettable. Never the model, tools or input themselves.
import * as z from "zod/mini";
import { type HistoryForm, historyForms, plainerForm } from "../conversation/events.ts";
import type { Log } from "../util/log.ts";
import { present } from "../util/present.ts";
import {
  type FeatureName,
  features,
  formsOf,
  hasUsualForms,
  plainerForms,
  plainestForms,
  usualForms,
} from "./internal/dialect.ts";

const { patch, namespaces, customOutput, assistantText } = features;
const shapes = {
  patch: z.enum(patch.forms),
  namespaces: z.enum(namespaces.forms),
  customOutput: z.enum(customOutput.forms),
  assistantText: z.enum(assistantText.forms),
} satisfies Record<FeatureName, unknown>;

/**
 * What helped against a refusal that did not say what it was about. `held`: in this window. `suspected`: in an earlier
 * one; the next request is sent in full, and only if that is refused as well is the guess `confirmed`.
 */
const Guess = z.object({
  about: z.enum(["responses", "chat", "results", "history"]),
  state: z.enum(["suspected", "held", "confirmed"]),
  /** When it last helped, in milliseconds since the epoch. */
  at: z.number(),
  /** What it omits, to be restored as soon as the full form is accepted. */
  omitted: z.array(z.string()),
  shapes: z.object(shapes),
  detected: z.optional(z.number()),
});

const Capabilities = z.object({
  /** Optional fields that are omitted, by name or path. */
  refused: z.array(z.string()),
  ...shapes,
  /** How much of its own output the origin accepts back (requirements E11); older saved findings lack this. */
  history: z._default(z.enum(historyForms), "whole"),
  /** Refused values of optional fields; another value is tried. */
  values: z._default(z.array(z.object({ path: z.string(), value: z.string() })), []),
  /** Accepted values for the reasoning effort, the latest first: the interface names none. */
  efforts: z.optional(z.array(z.string())),
  /** Routes on which only what the interface shows is accepted, because nothing tells what else was wrong. */
  plain: z._default(z.array(z.enum(["responses", "chat"])), []),
  guesses: z._default(z.array(Guess), []),
  /** For one request only: another model may accept pictures. */
  pictures: z.optional(z.literal("omitted")),
  /** How many tokens a model accepts, where a refusal said so. */
  windows: z.optional(z.array(z.object({ model: z.string(), tokens: z.number() }))),
  /** When each feature was tested separately (detect-features.ts), in milliseconds since the epoch. */
  detected: z.optional(z.number()),
});
export type Route = "responses" | "chat";
export type Capabilities = Readonly<z.infer<typeof Capabilities>>;
export type Guess = Readonly<z.infer<typeof Guess>>;
export type NamespaceShape = Capabilities["namespaces"];

export const defaultCapabilities: Capabilities = {
  refused: [],
  ...usualForms,
  history: "whole",
  values: [],
  plain: [],
  guesses: [],
};

/** Everything that either of two trials found to be refused. */
export function strictestOf(one: Capabilities, other: Capabilities): Capabilities {
  return {
    refused: [...new Set([...one.refused, ...other.refused])],
    ...plainerForms(one, other),
    history: plainerForm(one.history, other.history),
    values: [...one.values, ...other.values.filter((value) => !isRefusedValue(value, one))],
    plain: [...new Set([...one.plain, ...other.plain])],
    guesses: mergeGuesses(one.guesses, other.guesses),
    ...present({
      efforts: one.efforts ?? other.efforts,
      windows: one.windows ?? other.windows,
      detected: one.detected ?? other.detected,
    }),
  };
}

/** Of two guesses about the same thing the later one counts, and a confirmed one stays confirmed. */
function mergeGuesses(one: readonly Guess[], other: readonly Guess[]): Guess[] {
  const merged = new Map(one.map((guess) => [guess.about, guess]));
  for (const guess of other) {
    const known = merged.get(guess.about);
    const later = known !== undefined && known.at > guess.at ? known : guess;
    const state = known?.state === "confirmed" ? known.state : later.state;
    merged.set(guess.about, { ...later, state });
  }
  return [...merged.values()];
}

export const isRefusedValue = (
  held: Capabilities["values"][number],
  { values }: Pick<Capabilities, "values">,
): boolean => values.some(({ path, value }) => path === held.path && value === held.value);

/**
 * Adds what only a continued conversation can find out to what single requests have found out. What a guess about single
 * requests omitted until now is tried again.
 */
export function withUntested(tried: Capabilities, before: Capabilities): Capabilities {
  const isUntested = ({ about }: Guess) => about === "history" || about === "results";
  const tested = before.guesses.filter((guess) => !isUntested(guess));
  const untested = withoutGuesses(before, tested);
  const { customOutput, assistantText, history, guesses, efforts, windows } = untested;
  return {
    ...tried,
    ...{ customOutput, assistantText, history },
    guesses: [...tried.guesses.filter((guess) => !isUntested(guess)), ...guesses],
    ...present({ efforts, windows }),
  };
}

/** Whether something is sent in a plainer form that may not be necessary. */
export const isLimited = (found: Capabilities): boolean =>
  found.refused.length > 0 || found.plain.length > 0 || !hasUsualForms(found);

/** Where findings are kept between sessions. */
export interface CapabilityStore {
  load(origin: string): Promise<unknown>;
  save(origin: string, found: Capabilities): Promise<void>;
}

/** The form with only what the interface shows; what was omitted is tried again under another name. */
export function minimal(
  route: Route,
  { detected: _, ...found }: Capabilities,
  left: readonly string[],
): Capabilities {
  const plain = [...new Set([...found.plain, route])];
  const refused = [...new Set([...found.refused, ...left])];
  return { ...found, plain, refused, ...(route === "responses" && plainestForms) };
}

/** `after` is sent instead of `before`. The guess records what it omits, so that it can be restored. */
export function withGuess(
  before: Capabilities,
  after: Capabilities,
  guess: Pick<Guess, "about" | "state" | "at">,
): Capabilities {
  const { detected } = before;
  const omitted = after.refused.filter((name) => !before.refused.includes(name));
  const kept = present({ ...guess, omitted, shapes: formsOf(before), detected });
  return { ...after, guesses: [...after.guesses.filter(({ about }) => about !== guess.about), kept] };
}

/** As if these guesses had never been made: what they omit is sent again. */
export function withoutGuesses(found: Capabilities, guesses: readonly Guess[]): Capabilities {
  let rest = found;
  for (const guess of guesses) rest = withoutGuess(rest, guess);
  return rest;
}

function withoutGuess(found: Capabilities, { about, state, omitted, shapes, detected }: Guess): Capabilities {
  const guesses = found.guesses.filter((each) => each.about !== about);
  // A mere suspicion omits nothing.
  if (state === "suspected") return { ...found, guesses };
  const given = {
    responses: { ...shapes, plain: found.plain.filter((route) => route !== "responses") },
    chat: { plain: found.plain.filter((route) => route !== "chat") },
    results: { customOutput: shapes.customOutput },
    history: { history: "whole" as HistoryForm },
  }[about];
  const refused = found.refused.filter((name) => !omitted.includes(name));
  return { ...found, refused, ...given, guesses, ...present({ detected }) };
}

/**
 * How an origin accepts the history. Omitting searches after one refusal that named nothing, without asking a person,
 * is a guess; what a person agreed to is not.
 */
export function withHistory(found: Capabilities, form: HistoryForm, at: number): Capabilities {
  const history = plainerForm(found.history, form);
  if (history === "plain")
    return { ...found, history, guesses: found.guesses.filter(({ about }) => about !== "history") };
  if (found.history !== "whole") return found;
  const known = found.guesses.find(({ about }) => about === "history");
  const state = known === undefined ? "held" : "confirmed";
  return withGuess(found, { ...found, history }, { about: "history", state, at });
}

/** The whole history was accepted, including searches. */
export const withoutSuspectedHistory = (found: Capabilities): Capabilities =>
  withoutGuesses(
    found,
    found.guesses.filter(({ about, state }) => about === "history" && state === "suspected"),
  );

/** What is saved for the next window: a guess that helped only here is saved as a suspicion. */
function kept(found: Capabilities): Capabilities {
  const held = found.guesses.filter(({ state }) => state === "held");
  const suspected = held.map((guess) => ({ ...guess, state: "suspected" as const }));
  const rest = withoutGuesses(found, held);
  return { ...rest, guesses: [...rest.guesses, ...suspected] };
}

export class CapabilityRegistry {
  readonly #store: CapabilityStore | undefined;
  readonly #log: Log;
  readonly #known = new Map<string, Capabilities>();
  /** Per origin, what was accepted, or refused in every form: nothing more can be found out in this window. */
  readonly #settled = new Map<string, Set<string>>();

  constructor(store: CapabilityStore | undefined, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  async of(origin: string): Promise<Capabilities> {
    const known = this.#known.get(origin);
    if (known !== undefined) return known;
    const found = await this.#load(origin);
    // Another request may have learned something meanwhile.
    const now = this.#known.get(origin) ?? found;
    this.#known.set(origin, now);
    return now;
  }

  /** `undefined` until something was found out about the origin. */
  known(origin: string): Capabilities | undefined {
    return this.#known.get(origin);
  }

  async learnEffort(origin: string, word: string): Promise<void> {
    const found = await this.of(origin);
    const { efforts = [] } = found;
    if (efforts[0] !== word)
      await this.learn(origin, {
        ...found,
        efforts: [word, ...efforts.filter((each) => each !== word)].slice(0, 8),
      });
  }

  async learn(origin: string, found: Capabilities): Promise<void> {
    this.#known.set(origin, found);
    try {
      await this.#store?.save(origin, kept(found));
    } catch (error) {
      this.#log.warn(`What ${origin} accepts could not be saved: ${String(error)}`);
    }
  }

  isSettled(origin: string, unshown: readonly string[]): boolean {
    return this.#settled.get(origin)?.has(unshown.join()) === true;
  }

  settle(origin: string, unshown: readonly string[]): void {
    const settled = this.#settled.get(origin) ?? new Set();
    this.#settled.set(origin, settled.add(unshown.join()));
  }

  async reset(origin: string): Promise<void> {
    this.#settled.delete(origin);
    await this.learn(origin, defaultCapabilities);
  }

  async #load(origin: string): Promise<Capabilities> {
    try {
      const parsed = Capabilities.safeParse(await this.#store?.load(origin));
      return parsed.success ? parsed.data : defaultCapabilities;
    } catch {
      return defaultCapabilities;
    }
  }
}
