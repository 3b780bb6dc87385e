// What requests cost, by a table that the user filled in; there are no built-in prices. A sum is only shown when every
// rate it needs is there: half a price is a wrong price.

import * as z from "zod/mini";
import { readUsage } from "../conversation/usage-totals.ts";
import { type Message, message } from "../messages/message.ts";
import { isTier, type Tier } from "./cache-warmth.ts";
import type { UsageRow } from "./usage-rows.ts";

const rate = z.number().check(z.minimum(0));

/** Per million tokens. */
const Rates = z.object({ input: rate, cached: rate, write5m: rate, write1h: rate, output: rate });
export type Rates = Readonly<z.infer<typeof Rates>>;

const Pricing = z.object({
  currency: z.string().check(z.minLength(1), z.maxLength(12)),
  perMillion: z.record(z.string(), Rates),
});
export type Pricing = Readonly<z.infer<typeof Pricing>>;

/** The setting as it was written; the sentence says what is wrong with it. */
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

export const writeRate = (rates: Rates, tier: Tier): number =>
  tier === "1h" ? rates.write1h : rates.write5m;

/** `undefined`: the model has no rates, the figures cannot be trusted, or nobody says for how long was written. */
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
  /** Requests the amount says nothing about. */
  readonly unpriced: number;
}

/** `undefined` when not one request could be priced. */
export function costOfAll(rows: readonly UsageRow[], pricing: Pricing | undefined): Cost | undefined {
  const known = rows.map((row) => costOf(row, pricing)).filter((cost) => cost !== undefined);
  if (known.length === 0) return undefined;
  return { amount: known.reduce((sum, cost) => sum + cost, 0), unpriced: rows.length - known.length };
}

/** Small sums keep two digits that say something: 0.0042, not 0.00. */
export function formatAmount(amount: number, currency: string, language: string): string {
  const digits =
    amount === 0 || amount >= 1 ? 2 : Math.min(8, Math.max(2, 1 - Math.floor(Math.log10(amount))));
  const exactly = { minimumFractionDigits: 2, maximumFractionDigits: digits };
  try {
    return new Intl.NumberFormat(language, { style: "currency", currency, ...exactly }).format(amount);
  } catch {
    // Not a currency that has a code: a word of the user's own.
    return `${new Intl.NumberFormat("en", exactly).format(amount)} ${currency}`;
  }
}
