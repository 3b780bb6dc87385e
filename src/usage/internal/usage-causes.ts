// What used tokens, by cause: new text, input that the cache no longer had (and why), retries, compactions and what
// others asked. A request is split into parts that are rows themselves, so that figures and prices of a part are computed
// as those of a request, and no token counts twice.
import type { MissCause, RequestCause } from "../../conversation/state.ts";
import { readUsage } from "../../conversation/usage-totals.ts";
import { groupRows, type UsageRow } from "../usage-rows.ts";

/** `text`: what answers needed for the first time. `misses`: what they had sent before. `unknown`: rows without a cause. */
type Spending = "text" | "misses" | Exclude<RequestCause, "answer"> | "unknown";

export interface SpentBy {
  readonly cause: Spending;
  readonly parts: readonly UsageRow[];
  /** Of these parts, those that the cache no longer had; the costliest reason first. */
  readonly misses: readonly MissesBy[];
}

export interface MissesBy {
  readonly why: MissCause;
  readonly parts: readonly UsageRow[];
  /** The shortest and the longest pause before such a request, in milliseconds. */
  readonly pause?: readonly [from: number, to: number];
}

const order: readonly Spending[] = [
  "text",
  "misses",
  "retry",
  "compaction",
  "candidate",
  "extension",
  "check",
  "unknown",
];

interface Part {
  readonly cause: Spending;
  readonly row: UsageRow;
  readonly missed?: UsageRow | undefined;
}

function partsOf(row: UsageRow): readonly Part[] {
  const { missed, rest } = splitMissed(row);
  const { cause = "unknown" } = row;
  if (cause !== "answer") return [{ cause, row, missed }];
  const text: Part = { cause: "text", row: rest };
  return missed === undefined ? [text] : [text, { cause: "misses", row: missed, missed }];
}

/** In a fixed order; causes that have used nothing are left out. */
export function spentByCause(rows: readonly UsageRow[]): readonly SpentBy[] {
  const groups = groupRows(rows.flatMap(partsOf), ({ cause }) => cause);
  return order.flatMap((cause) => {
    const own = groups.get(cause) ?? [];
    if (own.length === 0) return [];
    const misses = missesBy(own.flatMap(({ missed }) => missed ?? []));
    return [{ cause, parts: own.map(({ row }) => row), misses }];
  });
}

function missesBy(parts: readonly UsageRow[]): readonly MissesBy[] {
  const sum = (rows: readonly UsageRow[]) => rows.reduce((all, { input = 0 }) => all + input, 0);
  return [...groupRows(parts, ({ missed }) => missed?.why ?? "unknown")]
    .toSorted(([, one], [, other]) => sum(other) - sum(one))
    .map(([why, own]) => {
      const pauses = own.flatMap(({ missed }) => missed?.pause ?? []).sort((one, other) => one - other);
      if (pauses.length === 0) return { why, parts: own };
      const [shortest = 0, longest = shortest] = [pauses[0], pauses.at(-1)];
      return { why, parts: own, pause: [shortest, longest] };
    });
}

/** The part that the cache no longer had: first of what was written to it again. */
function splitMissed(row: UsageRow): { readonly missed?: UsageRow; readonly rest: UsageRow } {
  const usage = readUsage(row);
  if (row.missed === undefined || usage.kind !== "reported") return { rest: row };
  const input = Math.min(row.missed.tokens, usage.written + usage.uncached);
  if (input <= 0) return { rest: row };
  const written = Math.min(input, usage.written);
  const { total: _, reasoning: __, milliseconds: ___, ...facts } = row;
  return {
    missed: { ...facts, input, cached: 0, cacheWrite: written, output: 0 },
    rest: {
      ...row,
      input: usage.cached + usage.written + usage.uncached - input,
      cacheWrite: usage.written - written,
    },
  };
}
