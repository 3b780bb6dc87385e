// What an origin was found to accept. The interface leaves optional fields and tool shapes open; a 400 teaches us, once
// (adapt-request.ts): something is left out or changed, the request is sent again, and the finding is kept per origin, shown
// in the connection check and resettable. Never model, tools or input themselves.

import * as z from "zod/mini";
import { historyForms, plainer } from "../conversation/record.ts";
import type { Log } from "../util/log.ts";
import { present } from "../util/present.ts";

const Found = z.object({
  /** Optional fields that are left out, by name or path. */
  refused: z.array(z.string()),
  patch: z.enum(["grammar", "text", "function"]),
  namespaces: z.enum(["namespace", "flat"]),
  /** The item type that answers a custom call. */
  customOutput: z.enum(["custom", "function"]),
  /** How the words of another model's turn go back. */
  assistantText: z.enum(["message", "recap"]),
  /** How much of what it has said itself it takes back (requirements E11); what was saved before has nothing on it. */
  history: z._default(z.enum(historyForms), "whole"),
  /** What an optional field may not hold; another value is tried. */
  values: z._default(z.array(z.object({ path: z.string(), value: z.string() })), []),
  /** Words for the reasoning effort that it has answered to, the last one first: the interface names none. */
  efforts: z.optional(z.array(z.string())),
  /** Where only what the interface shows is taken: nobody could say what else was wrong. */
  plain: z._default(z.array(z.enum(["responses", "chat"])), []),
  /** How many tokens a model takes, where a refusal has said so. */
  windows: z.optional(z.array(z.object({ model: z.string(), tokens: z.number() }))),
  /** When each feature was tried by itself (detect-features.ts), in milliseconds since the epoch. */
  detected: z.optional(z.number()),
});
export type Route = "responses" | "chat";
export type Found = Readonly<z.infer<typeof Found>>;
export type PatchShape = Found["patch"];
export type NamespaceShape = Found["namespaces"];

export const nothingFound: Found = {
  refused: [],
  patch: "grammar",
  namespaces: "namespace",
  customOutput: "custom",
  assistantText: "message",
  history: "whole",
  values: [],
  plain: [],
};

/** Everything that either of two trials found to be refused. */
export function stricter(one: Found, other: Found): Found {
  const patches: readonly PatchShape[] = ["grammar", "text", "function"];
  const patch = Math.max(patches.indexOf(one.patch), patches.indexOf(other.patch));
  return {
    refused: [...new Set([...one.refused, ...other.refused])],
    patch: patches[patch] ?? one.patch,
    namespaces: one.namespaces === "flat" ? "flat" : other.namespaces,
    customOutput: one.customOutput === "function" ? "function" : other.customOutput,
    assistantText: one.assistantText === "recap" ? "recap" : other.assistantText,
    history: plainer(one.history, other.history),
    values: [...one.values, ...other.values.filter((value) => !isRefusedValue(value, one))],
    plain: [...new Set([...one.plain, ...other.plain])],
    ...present({
      efforts: one.efforts ?? other.efforts,
      windows: one.windows ?? other.windows,
      detected: one.detected ?? other.detected,
    }),
  };
}

export const isRefusedValue = (held: Found["values"][number], { values }: Pick<Found, "values">): boolean =>
  values.some(({ path, value }) => path === held.path && value === held.value);

/** What only a conversation that goes on can find out: a trial of single requests says nothing about it. */
export const untried = ({
  customOutput,
  assistantText,
  history,
  efforts,
  windows,
}: Found): Pick<Found, "customOutput" | "assistantText" | "history" | "efforts" | "windows"> => ({
  customOutput,
  assistantText,
  history,
  ...present({ efforts, windows }),
});

/** Something goes out in a plainer form than it would, and might not have to. */
export const isLimited = (found: Found): boolean =>
  found.refused.length > 0 ||
  found.plain.length > 0 ||
  found.patch !== nothingFound.patch ||
  found.namespaces !== nothingFound.namespaces ||
  found.customOutput !== nothingFound.customOutput ||
  found.assistantText !== nothingFound.assistantText;

/** Where findings are kept between sessions. */
export interface CapabilityStore {
  load(origin: string): Promise<unknown>;
  save(origin: string, found: Found): Promise<void>;
}

/** The form in which nothing goes but what the interface shows; what was left out is tried again under another name. */
export function plainly(route: Route, { detected: _, ...found }: Found, left: readonly string[]): Found {
  const plain = [...new Set([...found.plain, route])];
  const refused = [...new Set([...found.refused, ...left])];
  if (route === "chat") return { ...found, plain, refused };
  // The interface shows neither their definitions nor the item that answers a custom call.
  const shapes = {
    patch: "function",
    namespaces: "flat",
    customOutput: "function",
    assistantText: "recap",
  } as const;
  return { ...found, plain, refused, ...shapes };
}

export class Capabilities {
  readonly #store: CapabilityStore | undefined;
  readonly #log: Log;
  readonly #known = new Map<string, Found>();
  /** What an origin has taken, or refused in every form: there is no more to find out about it, until the window ends. */
  readonly #settled = new Map<string, Set<string>>();

  constructor(store: CapabilityStore | undefined, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  async of(origin: string): Promise<Found> {
    const known = this.#known.get(origin);
    if (known !== undefined) return known;
    const found = await this.#load(origin);
    // Another request may have learned something meanwhile.
    const now = this.#known.get(origin) ?? found;
    this.#known.set(origin, now);
    return now;
  }

  /** `undefined` until something was found out about it. */
  known(origin: string): Found | undefined {
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

  async learn(origin: string, found: Found): Promise<void> {
    this.#known.set(origin, found);
    try {
      await this.#store?.save(origin, found);
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
    await this.learn(origin, nothingFound);
  }

  async #load(origin: string): Promise<Found> {
    try {
      const parsed = Found.safeParse(await this.#store?.load(origin));
      return parsed.success ? parsed.data : nothingFound;
    } catch {
      return nothingFound;
    }
  }
}
