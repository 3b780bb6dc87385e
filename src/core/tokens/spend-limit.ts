// Before a request that would cost more than the user's limit, a person is asked. Only what the cache will hardly
// hold counts: a long conversation that is warm is cheap, and must not cry wolf at every question.
import type { Tier, Warmth } from "./cache-warmth.ts";
import { type Rates, writeRate } from "./price.ts";

export interface Sending {
  /** Of the whole request, as estimated. */
  readonly tokens: number;
  /** The estimate's margin, as a share. */
  readonly margin: number;
  readonly warmth: Warmth;
  /** `null`: the user wants no gate. */
  readonly limit: number | null;
  /** What could be left out. */
  readonly parts: readonly { readonly label: string; readonly tokens: number }[];
  readonly rates?: Rates | undefined;
  /** Under which what is new is kept in the cache, and paid for as a write; absent where nothing is kept. */
  readonly tier?: Tier | undefined;
}

export type SpendDecision =
  | { readonly kind: "send" }
  | {
      readonly kind: "ask";
      readonly limit: number;
      /** About, and not from the cache. */
      readonly uncached: number;
      readonly total: number;
      /** By the user's table, input only: what comes back cannot be known. */
      readonly cost?: number;
      /** The largest first, as many as it takes to come below the limit. */
      readonly trim: readonly string[];
    };

export function decideSpending({
  tokens,
  margin,
  warmth,
  limit,
  parts,
  rates,
  tier,
}: Sending): SpendDecision {
  if (limit === null) return { kind: "send" };
  const held = warmth.state === "warm" ? Math.min(warmth.tokens, tokens) : 0;
  const uncached = tokens - held;
  // An estimate that may be too low by its margin is taken at its worst: the gate is for money.
  if (uncached * (1 + margin) <= limit) return { kind: "send" };
  const cost = rates && (uncached * dearest(rates, tier) + held * rates.cached) / 1_000_000;
  const trim = largestUntil(parts, uncached * (1 + margin) - limit);
  return { kind: "ask", limit, uncached, total: tokens, trim, ...(cost !== undefined && { cost }) };
}

/** Whether new input will be written or merely read nobody can tell before; the gate is for money here, too. */
const dearest = (rates: Rates, tier: Tier | undefined): number =>
  Math.max(rates.input, tier === undefined ? 0 : writeRate(rates, tier));

function largestUntil(parts: Sending["parts"], excess: number): string[] {
  const chosen: string[] = [];
  let left = excess;
  for (const { label, tokens } of parts.toSorted((a, b) => b.tokens - a.tokens)) {
    if (left <= 0) break;
    chosen.push(label);
    left -= tokens;
  }
  return chosen;
}
