// Sums of token usage. Interface, "Usage object": tokens read from the cache, written to it, and the rest are disjoint
// and sum to the input. Totals add each of them once; values that were not reported never count as 0. Shared by host
// and page, so that both show the same figures.
import type { Usage } from "./state.ts";

interface Buckets {
  readonly uncached: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
  /** Part of the output, never added to it. */
  readonly reasoning?: number;
}

type Reading =
  | ({ readonly kind: "reported" } & Buckets)
  /** Some numbers are missing: those that exist are shown, and nothing is derived from them. */
  | {
      readonly kind: "partial";
      readonly input?: number;
      readonly output?: number;
      readonly reasoning?: number;
    }
  /** The numbers contradict the rule: shown raw, not counted. */
  | { readonly kind: "inconsistent" }
  | { readonly kind: "absent" };

export function readUsage(usage: Usage): Reading {
  const { input, cached, cacheWrite, output, reasoning } = usage;
  let isGiven = false;
  // A loop instead of derived lists: a year of requests means a hundred thousand calls.
  for (const value of [input, cached, cacheWrite, output, reasoning, usage.total]) {
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < 0) return { kind: "inconsistent" };
    isGiven = true;
  }
  if (!isGiven) return { kind: "absent" };
  const uncached = (input ?? Number.POSITIVE_INFINITY) - (cached ?? 0) - (cacheWrite ?? 0);
  if (uncached < 0 || (reasoning ?? 0) > (output ?? Number.POSITIVE_INFINITY))
    return { kind: "inconsistent" };
  if (input === undefined || cached === undefined || cacheWrite === undefined || output === undefined)
    return {
      kind: "partial",
      ...(input !== undefined && { input }),
      ...(output !== undefined && { output }),
      ...(reasoning !== undefined && { reasoning }),
    };
  if (reasoning === undefined) return { kind: "reported", uncached, cached, written: cacheWrite, output };
  return { kind: "reported", uncached, cached, written: cacheWrite, output, reasoning };
}

/** The fields of a request that sums need. */
interface RequestFigures extends Usage {
  readonly milliseconds?: number | undefined;
}

/** The figures under the names of the interface, for usage that cannot be interpreted (requirements H2). */
export function rawFigures(usage: Usage): readonly (readonly [name: string, count: number])[] {
  const { input, cached, cacheWrite, output, reasoning, total } = usage;
  const named = [
    ["input_tokens", input],
    ["cached_tokens", cached],
    ["cache_write_tokens", cacheWrite],
    ["output_tokens", output],
    ["reasoning_tokens", reasoning],
    ["total_tokens", total],
  ] as const;
  return named.flatMap(([name, count]) => (count === undefined ? [] : [[name, count] as const]));
}

/** Whether the figures of a request are incomplete or contradict the rule. */
export const isOdd = (usage: Usage): boolean => {
  const { kind } = readUsage(usage);
  return kind === "partial" || kind === "inconsistent";
};

export interface Totals {
  readonly requests: number;
  /** The three parts of the input, from requests that reported all of them. */
  readonly uncached: number;
  readonly cached: number;
  readonly written: number;
  /** Input of requests that did not report its parts; absent: there were none. */
  readonly unsplit?: number;
  /** Absent: no request reported it. */
  readonly output?: number;
  readonly reasoning?: number;
  /** Requests by how complete their figures are; the four add up to `requests`. */
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
  reported: 0,
  partial: 0,
  inconsistent: 0,
  absent: 0,
  milliseconds: 0,
};

export function totalsOf(rows: Iterable<RequestFigures>): Totals {
  const sum = { ...noTotals };
  for (const row of rows) addInto(sum, row);
  return sum;
}

type Sum = { -readonly [Name in keyof Totals]: Totals[Name] };

/** Mutates the sum: a year of requests means a hundred thousand calls. */
function addInto(sum: Sum, row: RequestFigures): void {
  const reading = readUsage(row);
  sum.requests += 1;
  sum[reading.kind] += 1;
  sum.milliseconds += row.milliseconds ?? 0;
  if (reading.kind === "reported") {
    sum.uncached += reading.uncached;
    sum.cached += reading.cached;
    sum.written += reading.written;
    sum.output = (sum.output ?? 0) + reading.output;
  } else if (reading.kind === "partial") {
    if (reading.input !== undefined) sum.unsplit = (sum.unsplit ?? 0) + reading.input;
    if (reading.output !== undefined) sum.output = (sum.output ?? 0) + reading.output;
  } else return;
  if (reading.reasoning !== undefined) sum.reasoning = (sum.reasoning ?? 0) + reading.reasoning;
}

/** Absent if no request reported its input. */
export const totalInput = ({ uncached, cached, written, unsplit, reported }: Totals): number | undefined =>
  reported === 0 && unsplit === undefined ? undefined : uncached + cached + written + (unsplit ?? 0);

/** The share of cached tokens in the input whose parts are known; `undefined` if there is none. */
export function hitRate({ uncached, cached, written }: Totals): number | undefined {
  const split = uncached + cached + written;
  return split === 0 ? undefined : cached / split;
}
