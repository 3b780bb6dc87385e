// What candidates would send first, told before anything is sent: each model apart, and what the service caches counted
// as cached only where a candidate before it has sent the same.
import type { Session } from "../../session/session.ts";
import { previewSideTurn, type SideTurnContext, type SideTurnStart } from "../../session/side-turn.ts";
import { inputCost } from "../../usage/price.ts";
import { warmth } from "../../usage/prompt-cache.ts";
import { rowsInCache } from "../../usage/usage-rows.ts";
import { present } from "../../util/present.ts";
import type { Quote } from "../candidate.ts";

/** What of a request differs from moment to moment, in tokens: a person agrees to that much more. */
export const allowance = 100;

/**
 * What a candidate would send now, if that is more than a person has agreed to. What the estimate has learned since
 * does not count as more.
 */
export async function grownQuote(
  context: SideTurnContext,
  start: SideTurnStart,
  agreed: Quote | undefined,
): Promise<Quote | undefined> {
  const { tokens, margin } = context.counts.aboutRequest(await previewSideTurn(context, start));
  const { fresh = 0, cached = 0 } = agreed ?? {};
  return tokens * (1 - margin) > fresh + cached + allowance ? { fresh: tokens, cached: 0 } : undefined;
}

interface PlannedCandidate {
  readonly model: string;
  readonly isCached: boolean;
  /** Of its first request. */
  readonly tokens: number;
}

/** `isCached`: the service caches what this model is sent. */
export function quoteAll(
  planned: readonly PlannedCandidate[],
  { state, choices }: Pick<Session, "state" | "choices">,
  { prices, now }: Pick<SideTurnContext, "prices" | "now">,
): readonly Quote[] {
  const known = new Map<string, number>();
  return planned.map(({ model, isCached, tokens }) => {
    const cached = isCached ? Math.min(tokens, known.get(model) ?? heldOf(model)) : 0;
    if (isCached) known.set(model, tokens);
    const fresh = tokens - cached;
    const rates = prices.rates(model);
    const tier = isCached ? (choices.cacheTier === "1h" ? "1h" : "5m") : undefined;
    const price = rates && prices.amount(inputCost({ fresh, cached }, rates, tier));
    return present({ fresh, cached, price });
  });

  /** What the conversation has in the cache. */
  function heldOf(model: string): number {
    const tier = choices.cacheTier === "default" ? undefined : choices.cacheTier;
    const held = warmth(rowsInCache(state.turns, model), now(), tier);
    return held.state === "warm" ? held.tokens : 0;
  }
}
