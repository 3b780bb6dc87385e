// Which cache lifetime would have been cheaper, from the pauses a person really made: the requests of a conversation
// are replayed under each tier, by the service's published rules, with the user's own prices.

import { readUsage } from "../conversation/usage-totals.ts";
import { lifetimes, type Tier, tierOf, tiers } from "./cache-warmth.ts";
import { type Rates, writeRate } from "./price.ts";
import { groupRows, type UsageRow } from "./usage-rows.ts";

/** One request as a replay needs it. */
interface Step {
  readonly began: number;
  readonly ended: number;
  /** Input that the cache holds after it; what it never takes costs the same under each tier. */
  readonly prefix: number;
  /** How much of it the cache can have held before. */
  readonly shared: number;
}

export interface Replayed {
  readonly read: number;
  readonly written: number;
  /** Of reading and writing alone; the rest costs the same under each tier. */
  readonly cost: number;
}

export interface TierAdvice {
  readonly byTier: Readonly<Record<Tier, Replayed>>;
  readonly cheaper: Tier | "same";
  /** Never negative. */
  readonly saved: number;
  /** Requests that followed another, and how many of them came between the two lifetimes: those decide. */
  readonly pauses: number;
  readonly deciding: number;
}

/** `undefined`: too little is known to advise anything. Rows of one model, in the order of time. */
export function adviseTier(rows: readonly UsageRow[], rates: Rates): TierAdvice | undefined {
  const conversations = [...groupRows(rows, ({ conversation }) => conversation).values()].map(stepsOf);
  const pauses = conversations.flatMap(pausesOf);
  if (pauses.length === 0) return undefined;
  const replayed = (tier: Tier): Replayed => {
    const sums = conversations.map((steps) => replay(steps, lifetimes[tier]));
    const read = sums.reduce((sum, each) => sum + each.read, 0);
    const written = sums.reduce((sum, each) => sum + each.written, 0);
    return { read, written, cost: (read * rates.cached + written * writeRate(rates, tier)) / 1_000_000 };
  };
  const byTier = { "5m": replayed("5m"), "1h": replayed("1h") };
  const difference = byTier["1h"].cost - byTier["5m"].cost;
  const [short, long] = tiers;
  return {
    byTier,
    cheaper: difference === 0 ? "same" : difference > 0 ? short : long,
    saved: Math.abs(difference),
    pauses: pauses.length,
    deciding: pauses.filter((pause) => pause >= lifetimes[short] && pause < lifetimes[long]).length,
  };
}

/**
 * Histories only grow, so what was cached last is the beginning of what comes next – unless it was edited, which a
 * request that came while the cache was warm tells by what it read.
 */
function stepsOf(rows: readonly UsageRow[]): Step[] {
  const steps: Step[] = [];
  let warmUntil = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    const usage = readUsage(row);
    if (usage.kind !== "reported") continue;
    const began = row.at - (row.milliseconds ?? 0);
    const prefix = usage.cached + usage.written;
    const shared = began < warmUntil ? usage.cached : Math.min(steps.at(-1)?.prefix ?? 0, prefix);
    steps.push({ began, ended: row.at, prefix, shared });
    warmUntil = row.at + lifetimes[tierOf(row)];
  }
  return steps;
}

const pausesOf = (steps: readonly Step[]): number[] =>
  steps.slice(1).map(({ began }, at) => began - (steps[at]?.ended ?? began));

function replay(
  steps: readonly Step[],
  lifetime: number,
): { readonly read: number; readonly written: number } {
  let read = 0;
  let written = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { began, ended, prefix, shared } of steps) {
    const hit = began < until ? shared : 0;
    read += hit;
    written += prefix - hit;
    until = ended + lifetime;
  }
  return { read, written };
}
