// What a turn used, in one line: "1,204 out (903 reasoning) · in 48,220 = 40,100 read + 6,010 write + 2,110 new".
// Figures that were not reported are left out, and nothing is counted twice: reasoning is part of the output, and
// tokens read from the cache, written to it and new are the three parts of the input (interface, "Usage object").
import type { Usage } from "../../conversation/state.ts";
import {
  hitRate,
  isOdd,
  rawFigures,
  type Totals,
  totalInput,
  totalsOf,
} from "../../conversation/usage-totals.ts";
import { exact, tenths } from "./numbers-and-times.ts";
import { fill, strings } from "./strings.ts";

export function usageText(rows: readonly Usage[]): string | undefined {
  const totals = totalsOf(rows);
  if (totals.requests === totals.absent) return undefined;
  const raw = rows.flatMap((row, at) => (isOdd(row) ? [rawText(row, at + 1)] : []));
  return [line(totals), ...raw.slice(0, maxRaw)].join("\n");
}

/** A short form: "6.4k in (89 % cached) · 230 out". */
export function usageInShort(rows: readonly Usage[]): string | undefined {
  const totals = totalsOf(rows);
  const input = totalInput(totals);
  const rate = hitRate(totals);
  const short = (count: number) => compact([count])[0] ?? "";
  const said = [
    ...(input === undefined ? [] : [fill(strings.usageShortIn, { input: short(input) })]),
    ...(totals.output === undefined ? [] : [fill(strings.usageOut, { output: short(totals.output) })]),
  ];
  const cached = rate === undefined || rate === 0 ? undefined : exact(Math.floor(rate * 100));
  if (input !== undefined && cached !== undefined)
    said[0] = fill(strings.usageShortCached, { input: short(input), percent: cached });
  return said.length === 0 ? undefined : said.join(" · ");
}

/** Maximum number of inconsistent reports listed in full: more would not help in a tooltip. */
const maxRaw = 5;

const rawText = (row: Usage, number: number): string =>
  fill(strings.usageRaw, {
    number: exact(number),
    figures: rawFigures(row)
      .map(([name, count]) => `${name} ${exact(count)}`)
      .join(", "),
  });

/** What rewinding loses of the cache and, where prices are known, what that costs at the user's prices. */
export function lossInWords(sentence: string, tokens: number, price: string | undefined): string {
  const text = fill(sentence, { tokens: exact(tokens) });
  return price === undefined ? text : `${text} ${fill(strings.costOfThat, { price })}`;
}

function line(totals: Totals): string {
  const { inconsistent, absent, requests } = totals;
  return [
    outText(totals),
    inText(totals),
    inconsistent > 0 ? strings.usageOdd : undefined,
    absent > 0 ? fill(strings.usageUnreported, { count: exact(absent), all: exact(requests) }) : undefined,
  ]
    .filter((text) => text !== undefined)
    .join(" · ");
}

function outText({ output, reasoning = 0 }: Totals): string | undefined {
  if (output === undefined) return undefined;
  if (reasoning === 0) return fill(strings.usageOut, { output: exact(output) });
  return fill(strings.usageOutReasoning, { output: exact(output), reasoning: exact(reasoning) });
}

function inText(totals: Totals): string | undefined {
  const { cached, written, uncached, unsplit = 0 } = totals;
  const input = totalInput(totals);
  if (input === undefined) return undefined;
  // Nothing was read from the cache or written to it, so there are no parts to list.
  if (cached === 0 && written === 0) return fill(strings.usageIn, { input: exact(input) });
  const parts = [
    ...(cached > 0 ? [fill(strings.usageRead, { count: exact(cached) })] : []),
    ...(written > 0 ? [fill(strings.usageWrite, { count: exact(written) })] : []),
    ...(uncached > 0 ? [fill(strings.usageNew, { count: exact(uncached) })] : []),
    ...(unsplit > 0 ? [fill(strings.usageUnsplit, { count: exact(unsplit) })] : []),
  ];
  return fill(strings.usageInParts, { input: exact(input), parts: parts.join(" + ") });
}

const units = [
  [1_000_000, "M"],
  [1_000, "k"],
] as const;

/** Formats numbers that are shown together with the unit of the largest, so that they are easy to compare. */
function compact(values: readonly number[]): readonly string[] {
  const largest = Math.max(...values);
  return values.map((value) => {
    const unit = units.find(([size]) => largest >= size && value >= size / 10);
    return unit === undefined ? exact(value) : `${tenths(value / unit[0])}${unit[1]}`;
  });
}

/** A number of tokens for a chip, exact or approximate. */
export const tokensText = (tokens: number, counted: boolean): string =>
  counted ? exact(tokens) : `≈\u2009${compact([tokens])[0] ?? ""}`;
