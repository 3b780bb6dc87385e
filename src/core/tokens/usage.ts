// The sum rule. Interface, "Usage object": tokens read from the cache, written to it, and the rest exclude each other
// and sum to the input. Totals add each of them once; what a service did not report is never taken for 0.
import type { RequestUsage, Turn } from "../conversation/state.ts";
import type { Usage } from "../conversation/usage.ts";

/** One request that was made: the smallest row there is; everything else is a sum of these. */
export interface UsageRow extends RequestUsage {
  /** When the reply ended, in milliseconds since the epoch. */
  readonly at: number;
  readonly conversation: string;
  readonly turn: string;
  /** From 1, within its turn. */
  readonly request: number;
}

export interface Buckets {
  readonly uncached: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
  /** A part of the output, never added to it. */
  readonly reasoning?: number;
}

export type Reading =
  | ({ readonly kind: "reported" } & Buckets)
  /** Some numbers are missing: what is there is shown, and nothing is made of the rest. */
  | { readonly kind: "partial"; readonly input?: number; readonly output?: number }
  /** The numbers contradict the rule: shown raw, counted nowhere. */
  | { readonly kind: "inconsistent" }
  | { readonly kind: "absent" };

export function readUsage(usage: Usage): Reading {
  const { input, cached, cacheWrite, output, reasoning } = usage;
  const given = [input, cached, cacheWrite, output, reasoning, usage.total].filter(
    (value) => value !== undefined,
  );
  if (given.length === 0) return { kind: "absent" };
  if (given.some((value) => !Number.isSafeInteger(value) || value < 0)) return { kind: "inconsistent" };
  const uncached = (input ?? Number.POSITIVE_INFINITY) - (cached ?? 0) - (cacheWrite ?? 0);
  if (uncached < 0 || (reasoning ?? 0) > (output ?? Number.POSITIVE_INFINITY))
    return { kind: "inconsistent" };
  if (input === undefined || cached === undefined || cacheWrite === undefined || output === undefined)
    return {
      kind: "partial",
      ...(input !== undefined && { input }),
      ...(output !== undefined && { output }),
    };
  const buckets = { uncached, cached, written: cacheWrite, output };
  return { kind: "reported", ...buckets, ...(reasoning !== undefined && { reasoning }) };
}

export interface Totals {
  readonly requests: number;
  readonly uncached: number;
  readonly cached: number;
  readonly written: number;
  /** Input of requests that did not say how it splits. */
  readonly unsplit: number;
  readonly output: number;
  readonly reasoning: number;
  /** Requests by what can be said of them; the four add up to `requests`. */
  readonly reported: number;
  readonly partial: number;
  readonly inconsistent: number;
  readonly absent: number;
  readonly milliseconds: number;
}

export const noTotals: Totals = {
  requests: 0,
  uncached: 0,
  cached: 0,
  written: 0,
  unsplit: 0,
  output: 0,
  reasoning: 0,
  reported: 0,
  partial: 0,
  inconsistent: 0,
  absent: 0,
  milliseconds: 0,
};

export function totalsOf(rows: Iterable<RequestUsage>): Totals {
  const sum = { ...noTotals };
  for (const row of rows) addInto(sum, row);
  return sum;
}

/** In place: a year of requests is a hundred thousand of these. */
function addInto(sum: { -readonly [Name in keyof Totals]: number }, row: RequestUsage): void {
  const reading = readUsage(row);
  sum.requests += 1;
  sum[reading.kind] += 1;
  sum.milliseconds += row.milliseconds ?? 0;
  if (reading.kind === "reported") {
    sum.uncached += reading.uncached;
    sum.cached += reading.cached;
    sum.written += reading.written;
    sum.output += reading.output;
    sum.reasoning += reading.reasoning ?? 0;
  } else if (reading.kind === "partial") {
    sum.unsplit += reading.input ?? 0;
    sum.output += reading.output ?? 0;
  }
}

export const totalInput = ({ uncached, cached, written, unsplit }: Totals): number =>
  uncached + cached + written + unsplit;

/** Of the input whose parts are known; `undefined` when there is none. */
export function hitRate({ uncached, cached, written }: Totals): number | undefined {
  const split = uncached + cached + written;
  return split === 0 ? undefined : cached / split;
}

/** Those the service says it applied, each once. */
export const lifetimesOf = (rows: Iterable<RequestUsage>): string[] => [
  ...new Set([...rows].flatMap(({ ttl }) => ttl ?? [])),
];

export const rowsOfTurn = (conversation: string, turn: Turn): UsageRow[] =>
  turn.usage.map((usage, index) => ({
    ...usage,
    at: usage.at ?? turn.endedAt ?? turn.at,
    conversation,
    turn: turn.id,
    request: index + 1,
  }));

/** Of a conversation, for its next request: another model shares no cache with those before. */
export function rowsInCache(turns: readonly Turn[], model: string): UsageRow[] {
  const last = turns.findLast(({ usage }) => usage.length > 0);
  return last?.model === model ? turns.flatMap((turn) => rowsOfTurn("", turn)) : [];
}

/** By conversation, turn, model …; groups in the order of their first row. */
export function groupRows<Row, Key>(rows: Iterable<Row>, keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}

/** From local midnight on: a day is what the person who reads it calls one. */
export function today<Row extends { readonly at: number }>(rows: readonly Row[], now: number): Row[] {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  return rows.filter(({ at }) => at >= midnight && at <= now);
}
