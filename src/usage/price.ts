// What requests cost, what going back would cost, when to ask before spending, and which cache lifetime is cheaper,
// from a table that the user filled in; there are no built-in prices. A sum is shown only when all rates it needs are
// known: half a price is a wrong price.
import * as z from "zod/mini";
import { type Message, message } from "../conversation/messages.ts";
import type { Turn } from "../conversation/state.ts";
import { readUsage } from "../conversation/usage-totals.ts";
import {
  cacheKeptBefore,
  isTier,
  lifetimes,
  type Tier,
  tierOf,
  tiers,
  type Warmth,
  warmth,
} from "./prompt-cache.ts";
import { groupRows, type UsageRow } from "./usage-rows.ts";

const rate = z.number().check(z.minimum(0));

/** Per million tokens. */
const Rates = z.object({ input: rate, cached: rate, write5m: rate, write1h: rate, output: rate });
export type Rates = Readonly<z.infer<typeof Rates>>;

const Pricing = z.object({
  currency: z.string().check(z.minLength(1), z.maxLength(12)),
  perMillion: z.record(z.string(), Rates),
});
export type Pricing = Readonly<z.infer<typeof Pricing>>;

/** Parses the setting as written; the message describes what is wrong with it. */
export function readPricing(
  setting: unknown,
): { readonly pricing: Pricing | undefined } | { readonly message: Message } {
  if (setting === null || setting === undefined) return { pricing: undefined };
  const read = Pricing.safeParse(setting);
  if (read.success) return { pricing: read.data };
  const where = read.error.issues[0]?.path.join(" › ") ?? "";
  return {
    message: where === "" ? message("priceTable") : message("priceTableAt", { where }),
  };
}

export const ratesOf = (pricing: Pricing | undefined, model: string): Rates | undefined =>
  pricing !== undefined && Object.hasOwn(pricing.perMillion, model) ? pricing.perMillion[model] : undefined;

const writeRate = (rates: Rates, tier: Tier): number => (tier === "1h" ? rates.write1h : rates.write5m);

/** `undefined` when the model has no rates, the figures are unreliable, or the lifetime of a cache write is unknown. */
export function costOf(row: UsageRow, pricing: Pricing | undefined): number | undefined {
  const rates = ratesOf(pricing, row.model ?? "");
  const usage = readUsage(row);
  if (rates === undefined || usage.kind !== "reported") return undefined;
  // Interface, "Cache behavior" 2 and 3: a hit costs the read price only, a write by the lifetime that was applied.
  const written = usage.written === 0 ? 0 : writtenCost(usage.written, row.ttl, rates);
  if (written === undefined) return undefined;
  const sum =
    usage.uncached * rates.input + usage.cached * rates.cached + written + usage.output * rates.output;
  return sum / 1_000_000;
}

const writtenCost = (tokens: number, ttl: string | undefined, rates: Rates): number | undefined =>
  isTier(ttl) ? tokens * writeRate(rates, ttl) : undefined;

export interface Cost {
  readonly amount: number;
  /** Requests that the amount does not include. */
  readonly unpriced: number;
}

/** `undefined` when no request could be priced. */
export function costOfAll(rows: readonly UsageRow[], pricing: Pricing | undefined): Cost | undefined {
  const known = rows.map((row) => costOf(row, pricing)).filter((cost) => cost !== undefined);
  if (known.length === 0) return undefined;
  return { amount: known.reduce((sum, cost) => sum + cost, 0), unpriced: rows.length - known.length };
}

/**
 * The cost of going back in a conversation: cached input that can no longer be used by a question that replaces an
 * earlier one, or by a branch from an earlier turn. Approximate tokens; 0 where none are lost, or none are known to be
 * cached.
 */
export interface RewindCost {
  /** For another question in place of this one, with the same attachments. */
  readonly edit: number;
  /** For a branch after this turn. */
  readonly branch: number;
}

/** The same with its price in the user's currency; absent where no price is known, or nothing is lost. */
export interface PricedRewindCost extends RewindCost {
  readonly editPrice?: string;
  readonly branchPrice?: string;
}

/** By the user's own prices: what is lost is written to the cache again instead of read from it. */
export const extraCost = (tokens: number, rates: Rates, tier: Tier): number =>
  Math.max(0, (tokens * (writeRate(rates, tier) - rates.cached)) / 1_000_000);

interface CachedHistory {
  /** Rows of the conversation with which the next request shares a cache. */
  readonly rows: readonly UsageRow[];
  readonly now: number;
  readonly tier: Tier | undefined;
  /** Tokens of instructions and tools, which stay the same whatever follows. */
  readonly beginning: number;
}

export function rewindCost(turns: readonly Turn[], turn: string, held: CachedHistory): RewindCost {
  const { rows, now, tier, beginning } = held;
  const at = turns.findIndex(({ id }) => id === turn);
  const asked = turns[at];
  const warm = warmth(rows, now, tier);
  if (asked === undefined || warm.state !== "warm") return { edit: 0, branch: 0 };
  const first = rows.findIndex((row) => row.turn === turn);
  const before = Math.max(beginning, cacheKeptBefore(rows, first));
  const added = Math.max(0, (rows[first]?.input ?? 0) - before);
  const later = new Set(turns.slice(at + 1).map(({ id }) => id));
  const next = rows.findIndex((row) => later.has(row.turn));
  const lost = (kept: number) => Math.max(0, Math.round(warm.tokens - kept));
  return {
    edit: first < 0 ? 0 : lost(before + added * attachedShare(asked)),
    branch: next < 0 ? 0 : lost(Math.max(beginning, cacheKeptBefore(rows, next))),
  };
}

/** The share of a turn's input that was attached to it. */
function attachedShare({ attachments, prompt }: Turn): number {
  const attached = attachments.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
  return attached === 0 ? 0 : attached / (attached + Buffer.byteLength(prompt));
}

export interface PlannedRequest {
  /** Estimated tokens of the whole request. */
  readonly tokens: number;
  /** The relative margin of the estimate. */
  readonly margin: number;
  readonly warmth: Warmth;
  /** `null` disables the limit. */
  readonly limit: number | null;
  /** Parts that could be left out. */
  readonly parts: readonly { readonly label: string; readonly tokens: number }[];
  readonly rates?: Rates | undefined;
  /** The tier at which new input is cached and billed as a write; absent where nothing is cached. */
  readonly tier?: Tier | undefined;
}

export type SpendDecision =
  | { readonly kind: "send" }
  | {
      readonly kind: "ask";
      readonly limit: number;
      /** Approximate tokens that are not cached. */
      readonly uncached: number;
      /** The upper end of the estimate's margin, which is what the limit is compared with. */
      readonly most: number;
      readonly total: number;
      /** By the user's table, input only: the length of the reply is unknown. */
      readonly cost?: number;
      /** The largest first, as many as needed to get below the limit. */
      readonly trim: readonly string[];
    };

/**
 * Decides whether a person is asked before a request that exceeds the user's limit. Only input that is unlikely to be
 * cached counts: a long conversation that is warm is cheap, and must not cause a question each time.
 */
export function decideSpending({
  tokens,
  margin,
  warmth,
  limit,
  parts,
  rates,
  tier,
}: PlannedRequest): SpendDecision {
  if (limit === null) return { kind: "send" };
  const held = warmth.state === "warm" ? Math.min(warmth.tokens, tokens) : 0;
  const uncached = tokens - held;
  // Because money is at stake, the estimate is taken at the upper end of its margin.
  const most = uncached * (1 + margin);
  if (most <= limit) return { kind: "send" };
  const cost = rates && inputCost({ fresh: uncached, cached: held }, rates, tier);
  const trim = largestUntil(parts, most - limit);
  return { kind: "ask", limit, uncached, most, total: tokens, trim, ...(cost !== undefined && { cost }) };
}

/** Whether new input is written to the cache or merely read is unknown in advance, so the higher rate counts. */
const dearest = (rates: Rates, tier: Tier | undefined): number =>
  Math.max(rates.input, tier === undefined ? 0 : writeRate(rates, tier));

/** What input costs before anything is known of the reply: new text at the dearest rate that may apply. */
export const inputCost = (
  { fresh, cached }: { readonly fresh: number; readonly cached: number },
  rates: Rates,
  tier: Tier | undefined,
): number => (fresh * dearest(rates, tier) + cached * rates.cached) / 1_000_000;

function largestUntil(parts: PlannedRequest["parts"], excess: number): string[] {
  const chosen: string[] = [];
  let left = excess;
  for (const { label, tokens } of parts.toSorted((a, b) => b.tokens - a.tokens)) {
    if (left <= 0) break;
    chosen.push(label);
    left -= tokens;
  }
  return chosen;
}

/** One request, as needed for a replay. */
interface Step {
  readonly began: number;
  readonly ended: number;
  /** Input that is cached afterwards; input that is never cached costs the same under each tier. */
  readonly prefix: number;
  /** How much of it may have been cached before. */
  readonly shared: number;
}

interface Replayed {
  readonly read: number;
  readonly written: number;
  /** Of cache reads and writes only; the rest costs the same under each tier. */
  readonly cost: number;
}

export interface TierAdvice {
  readonly byTier: Readonly<Record<Tier, Replayed>>;
  readonly cheaper: Tier | "same";
  /** Never negative. */
  readonly saved: number;
  /** Pauses between requests, and how many of them were between the two lifetimes: those decide. */
  readonly pauses: number;
  readonly deciding: number;
}

/**
 * Determines which cache lifetime would have been cheaper, given a person's real pauses: the requests of a conversation
 * are replayed under each tier, by the service's published rules, with the user's own prices. `undefined` when too
 * little is known. Expects rows of one model, in the order of time.
 */
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
 * Histories only grow, so what was cached last is a prefix of what comes next, unless it was edited. A request that was
 * made while the cache was warm shows this by what it read.
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
