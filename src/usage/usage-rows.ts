// Requests as rows for lists: by turn, by conversation, by day. usage-totals.ts interprets their figures.

import type { ConversationEvent } from "../conversation/events.ts";
import type { RequestUsage, Turn } from "../conversation/state.ts";
import { readUsage } from "../conversation/usage-totals.ts";
import type { Reply } from "../service/reply.ts";
import { present } from "../util/present.ts";

/** One request that was made: the smallest row; everything else is a sum of these. */
export interface UsageRow extends RequestUsage {
  /** When the reply ended, in milliseconds since the epoch. */
  readonly at: number;
  readonly conversation: string;
  readonly turn: string;
  /** From 1, within its turn. */
  readonly request: number;
}

/** Requirements C8: the lifetime that was applied, and the requested one if it differs. */
export interface Lifetime {
  readonly applied: string;
  readonly asked?: string;
}

/** The lifetimes that the service says it applied, without duplicates. */
export function lifetimesOf(rows: Iterable<RequestUsage>): Lifetime[] {
  const found = new Map<string, Lifetime>();
  for (const { ttl, askedTtl } of rows) {
    if (ttl === undefined) continue;
    const asked = askedTtl === ttl ? undefined : askedTtl;
    found.set(`${ttl} ${asked}`, present({ applied: ttl, asked }));
  }
  return [...found.values()];
}

export const rowsOfTurn = (conversation: string, turn: Turn): UsageRow[] =>
  turn.usage.map((usage, index) => ({
    ...usage,
    at: usage.at ?? turn.endedAt ?? turn.at,
    conversation,
    turn: turn.id,
    request: index + 1,
  }));

/** The rows of a conversation that share a cache with its next request: another model shares none. */
export function rowsInCache(turns: readonly Turn[], model: string): UsageRow[] {
  // After a summary, requests begin differently from all before.
  const since = turns.slice(turns.findLastIndex(({ compacts, status }) => compacts && status === "done") + 1);
  const last = since.findLast(({ usage }) => usage.some((row) => readUsage(row).kind !== "absent"));
  return last?.model === model ? since.flatMap((turn) => rowsOfTurn("", turn)) : [];
}

/**
 * Tokens that a question has used up to this turn, with everything that has continued it, except what was read from the
 * cache. A request whose figures are missing counts with its estimate. `isRenewed`: counting starts over
 * after such a turn.
 */
export function tokensOfRun(
  turns: readonly Turn[],
  turn: string,
  isRenewed: (before: Turn) => boolean,
): number {
  let sum = 0;
  for (let at = turns.findIndex(({ id }) => id === turn); at >= 0; at--) {
    const own = turns[at];
    if (own === undefined) break;
    for (const row of own.usage) sum += tokensOfRequest(row);
    const before = turns[at - 1];
    // A summary belongs to the question that it was made for.
    const isBegun = !own.continues && own.compacts !== true;
    if (isBegun || before === undefined || isRenewed(before)) break;
  }
  return sum;
}

function tokensOfRequest(row: RequestUsage): number {
  const { estimate = 0 } = row;
  const reading = readUsage(row);
  if (reading.kind === "reported") return reading.uncached + reading.written + reading.output;
  if (reading.kind === "partial") return (reading.input ?? estimate) + (reading.output ?? 0);
  return estimate;
}

/** By conversation, turn, model, etc.; groups in the order of their first row. */
export function groupRows<Row, Key>(rows: Iterable<Row>, keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}

/** From local midnight on, because readers think in local days. */
export function today<Row extends { readonly at: number }>(rows: readonly Row[], now: number): Row[] {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  return rows.filter(({ at }) => at >= midnight && at <= now);
}

/** The facts known about a request once it is over, even if it was made but nothing was reported (requirements H10). */
export function* requestFactEvents(
  turn: string,
  reply: Reply,
  at: number,
  known: Pick<RequestUsage, "cause" | "missed" | "askedTtl" | "estimate">,
): Generator<ConversationEvent, void> {
  if (reply.requests === 0) return;
  const { usage = {}, model, cache, milliseconds } = reply;
  yield { type: "usage", turn, at, usage, ...known, ...present({ model, ttl: cache?.ttl, milliseconds }) };
}
