// Exports usage rows: as CSV for spreadsheets, as JSON lines for scripts. Values that were not reported are empty, not
// 0.
import { readUsage } from "../../conversation/usage-totals.ts";
import { costOf, type Pricing } from "../price.ts";
import type { UsageRow } from "../usage-rows.ts";

const columns = [
  "time",
  "conversation",
  "turn",
  "request",
  "model",
  "cache_lifetime",
  "asked_cache_lifetime",
  "cause",
  "missed_tokens",
  "missed_why",
  "figures",
  "input_tokens",
  "uncached_tokens",
  "cached_tokens",
  "cache_write_tokens",
  "output_tokens",
  "reasoning_tokens",
  "total_tokens",
  "milliseconds",
  "cost",
  "currency",
] as const;

type Cells = Readonly<Record<(typeof columns)[number], string | number | undefined>>;

export function usageCsv(rows: readonly UsageRow[], pricing?: Pricing): string {
  const lines = rows.map((row) => {
    const cells = cellsOf(row, pricing);
    return columns.map((name) => csvCell(cells[name])).join(",");
  });
  return [columns.join(","), ...lines].map((line) => `${line}\r\n`).join("");
}

/** Absent values are absent keys. */
export const usageJsonl = (rows: readonly UsageRow[], pricing?: Pricing): string =>
  rows.map((row) => `${JSON.stringify(cellsOf(row, pricing))}\n`).join("");

function cellsOf(row: UsageRow, pricing: Pricing | undefined): Cells {
  const reading = readUsage(row);
  const cost = costOf(row, pricing);
  return {
    time: new Date(row.at).toISOString(),
    conversation: row.conversation,
    turn: row.turn,
    request: row.request,
    model: row.model,
    cache_lifetime: row.ttl,
    asked_cache_lifetime: row.askedTtl,
    cause: row.cause,
    missed_tokens: row.missed?.tokens,
    missed_why: row.missed?.why,
    figures: reading.kind,
    input_tokens: row.input,
    uncached_tokens: reading.kind === "reported" ? reading.uncached : undefined,
    cached_tokens: row.cached,
    cache_write_tokens: row.cacheWrite,
    output_tokens: row.output,
    reasoning_tokens: row.reasoning,
    total_tokens: row.total,
    milliseconds: row.milliseconds,
    cost,
    currency: cost === undefined ? undefined : pricing?.currency,
  };
}

/** Escapes text that a spreadsheet would interpret as a formula; otherwise follows RFC 4180. */
function csvCell(value: string | number | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
