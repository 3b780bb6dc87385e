// What going back in a conversation costs: input that the service still has in its cache and that is of no use to a
// question asked in the place of an earlier one, or to a branch that goes on from an earlier turn.
import type { Turn } from "../conversation/state.ts";
import { keptBefore, type Tier, warmth } from "./cache-warmth.ts";
import { type Rates, writeRate } from "./price.ts";
import type { UsageRow } from "./usage-rows.ts";

/** In cached tokens, about; 0 where nothing is given up, or nothing is known to be cached. */
export interface GoingBack {
  /** Another question in the place of this one; what is attached to it stays. */
  readonly edit: number;
  /** Another way after this turn. */
  readonly branch: number;
}

/** The same with what it costs, in the user's currency; absent where no price is known, or nothing is given up. */
export interface PricedGoingBack extends GoingBack {
  readonly editPrice?: string;
  readonly branchPrice?: string;
}

/** By the user's own prices: what is given up is written to the cache again instead of read from it. */
export const dearerBy = (tokens: number, rates: Rates, tier: Tier): number =>
  Math.max(0, (tokens * (writeRate(rates, tier) - rates.cached)) / 1_000_000);

export interface Held {
  /** Of the conversation, as far as the next request shares a cache with them. */
  readonly rows: readonly UsageRow[];
  readonly now: number;
  readonly tier: Tier | undefined;
  /** Tokens of instructions and tools: they stay, whatever is said after them. */
  readonly beginning: number;
}

export function costOfGoingBack(turns: readonly Turn[], turn: string, held: Held): GoingBack {
  const { rows, now, tier, beginning } = held;
  const at = turns.findIndex(({ id }) => id === turn);
  const asked = turns[at];
  const warm = warmth(rows, now, tier);
  if (asked === undefined || warm.state !== "warm") return { edit: 0, branch: 0 };
  const first = rows.findIndex((row) => row.turn === turn);
  const before = Math.max(beginning, keptBefore(rows, first));
  const added = Math.max(0, (rows[first]?.input ?? 0) - before);
  const later = new Set(turns.slice(at + 1).map(({ id }) => id));
  const next = rows.findIndex((row) => later.has(row.turn));
  const lost = (kept: number) => Math.max(0, Math.round(warm.tokens - kept));
  return {
    edit: first < 0 ? 0 : lost(before + added * attachedShare(asked)),
    branch: next < 0 ? 0 : lost(Math.max(beginning, keptBefore(rows, next))),
  };
}

/** How much of what a turn asks was attached to it. */
function attachedShare({ attachments, prompt }: Turn): number {
  const attached = attachments.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
  return attached === 0 ? 0 : attached / (attached + Buffer.byteLength(prompt));
}
