// A candidate: one of several tries at the same question. What is known of it, as data for the page and the disk.

import * as z from "zod/mini";
import { Message } from "../conversation/problem.ts";

/** What the candidates differ in: nothing, the model, or the effort. */
export const trialWays = ["repeat", "models", "efforts"] as const;
export type TrialWay = (typeof trialWays)[number];

/** `waiting`: it begins once the first has its first reply, to read its cache, or when a person says so. */
export const candidateStates = ["waiting", "running", "stopped", "failed", "finished"] as const;

/** `open`: a check waits for a person or could not be compared. */
const verdicts = ["none", "pending", "pass", "fail", "open"] as const;

/** What the first request sends, in tokens; what follows it comes on top. */
export const Quote = z.object({
  fresh: z.number(),
  cached: z.number(),
  /** By the person's table; absent: it has no prices for this model. */
  price: z.optional(z.string()),
});
export type Quote = Readonly<z.infer<typeof Quote>>;

/** What came of it. */
export const Facts = z.object({
  verdict: z.enum(verdicts),
  /** Of each check, in short. */
  checks: z.array(Message),
  /** One of them runs once a person agrees to it, or was stopped. */
  asks: z.optional(z.boolean()),
  /** Names of the files that it changes. */
  paths: z.array(z.string()),
  added: z.number(),
  removed: z.number(),
  /** Risk flags with their counts. */
  flags: z.array(Message),
  /** Without what was read from the cache. */
  tokens: z.number(),
  price: z.optional(z.string()),
  milliseconds: z.optional(z.number()),
  /** Why it failed, or was not asked. */
  problem: z.optional(Message),
});
export type Facts = Readonly<z.infer<typeof Facts>>;

export const noFacts: Facts = {
  verdict: "none",
  checks: [],
  paths: [],
  added: 0,
  removed: 0,
  flags: [],
  tokens: 0,
};

interface Choosable {
  readonly model: string;
  readonly effort: string;
  readonly models: readonly { readonly id: string }[];
  readonly efforts: readonly string[];
}

const count = 3;

/** The candidates of a way; fewer than two: there is nothing to try. */
export function candidatesOf(
  way: TrialWay,
  { model, effort, models, efforts }: Choosable,
): readonly { readonly model: string; readonly effort?: string }[] {
  const own = effort === "" ? {} : { effort };
  if (way === "repeat") return Array.from({ length: count }, () => ({ model, ...own }));
  if (way === "models") {
    const others = models.map(({ id }) => id).filter((id) => id !== model);
    return [model, ...others].slice(0, count).map((id) => ({ model: id, ...own }));
  }
  const named = efforts.filter((each) => each !== "");
  return named.slice(0, count).map((each) => ({ model, effort: each }));
}
