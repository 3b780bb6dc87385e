// How long the service still knows the beginning of a conversation. Interface, "Cache behavior": a hit refreshes an
// entry with its own lifetime, the two tiers are independent, and entries live at least five idle minutes; so every
// time here is "about", and none is a promise.
import { readUsage } from "../conversation/usage-totals.ts";
import type { UsageRow } from "./usage-rows.ts";

export const tiers = ["5m", "1h"] as const;
export type Tier = (typeof tiers)[number];

export const lifetimes: Readonly<Record<Tier, number>> = { "5m": 5 * 60_000, "1h": 60 * 60_000 };

const clockSkew = 5_000;

export const isTier = (ttl: string | undefined): ttl is Tier => ttl === "5m" || ttl === "1h";

/** What the service says it applied, else what was asked for, else its default. */
export const tierOf = (row: { readonly ttl?: string | undefined }, asked?: Tier): Tier =>
  isTier(row.ttl) ? row.ttl : (asked ?? "5m");

export type Warmth =
  /** No request, or none whose figures say anything about the cache. */
  | { readonly state: "unknown" }
  | { readonly state: "cold"; readonly since: number }
  | {
      readonly state: "warm";
      /** About then it may be forgotten. */
      readonly until: number;
      /** Input tokens that a request which begins like the last one would read. */
      readonly tokens: number;
    };

/** Of one conversation with one model; rows in the order in which the replies ended. */
export function warmth(rows: readonly UsageRow[], now: number, asked?: Tier): Warmth {
  // What was stopped reports nothing, and has forgotten nothing either.
  const last = rows.findLast((row) => readUsage(row).kind !== "absent");
  const reading = last && readUsage(last);
  if (last === undefined || reading?.kind !== "reported") return { state: "unknown" };
  const tokens = reading.cached + reading.written;
  if (tokens === 0) return { state: "unknown" };
  const until = last.at + lifetimes[tierOf(last, asked)];
  // A clock that was set back would promise hours; the clock of a turn may be a moment ahead of the machine's.
  return now < until && now >= last.at - clockSkew
    ? { state: "warm", until, tokens }
    : { state: "cold", since: until };
}

/**
 * What editing or branching before a turn gives up: input that would have been read from the cache and is of no use
 * to a request that begins otherwise.
 */
export function givenUpBefore(turn: string, rows: readonly UsageRow[], now: number, asked?: Tier): number {
  const warm = warmth(rows, now, asked);
  if (warm.state !== "warm") return 0;
  const first = rows.findIndex((row) => row.turn === turn);
  if (first < 0) return 0;
  return Math.max(0, warm.tokens - keptBefore(rows, first));
}

/** What requests before this one have left for it to begin with; rows that say nothing are passed over. */
export function keptBefore(rows: readonly UsageRow[], index: number): number {
  const before = rows.slice(0, Math.max(0, index)).findLast(({ input }) => input !== undefined);
  return before === undefined ? 0 : (before.input ?? 0) + (before.output ?? 0);
}
