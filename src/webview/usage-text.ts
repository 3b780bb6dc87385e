// What a turn used, in one line: "1,204 out (903 reasoning) · in 48,220 = 40,100 read + 6,010 write + 2,110 new".
// Nothing that was not reported is shown, and nothing is added up twice: reasoning is part of the output, and what
// was read from the cache, written to it and new are the three parts of the input (interface, "Usage object").
import type { Usage } from "../core/conversation/usage.ts";
import { isOdd, rawFigures, type Totals, totalInput, totalsOf } from "../core/conversation/usage-totals.ts";
import { exact, tenths } from "./numbers-and-times.ts";
import { fill, words } from "./words.ts";

export function usageText(rows: readonly Usage[]): string | undefined {
  const totals = totalsOf(rows);
  if (totals.requests === totals.absent) return undefined;
  const raw = rows.flatMap((row, at) => (isOdd(row) ? [rawText(row, at + 1)] : []));
  return [line(totals), ...raw.slice(0, maxRaw)].join("\n");
}

/** More of what cannot be made sense of helps nobody who hovers. */
const maxRaw = 5;

const rawText = (row: Usage, number: number): string =>
  fill(words.usageRaw, {
    number: exact(number),
    figures: rawFigures(row)
      .map(([name, count]) => `${name} ${exact(count)}`)
      .join(", "),
  });

/** What going back gives up of the cache, and what that costs by the user's prices, where they are known. */
export function lossInWords(sentence: string, tokens: number, price: string | undefined): string {
  const text = fill(sentence, { tokens: exact(tokens) });
  return price === undefined ? text : `${text} ${fill(words.costOfThat, { price })}`;
}

function line(totals: Totals): string {
  const { inconsistent, absent, requests } = totals;
  return [
    outText(totals),
    inText(totals),
    inconsistent > 0 ? words.usageOdd : undefined,
    absent > 0 ? fill(words.usageUnreported, { count: exact(absent), all: exact(requests) }) : undefined,
  ]
    .filter((text) => text !== undefined)
    .join(" · ");
}

function outText({ output, reasoning = 0 }: Totals): string | undefined {
  if (output === undefined) return undefined;
  if (reasoning === 0) return fill(words.usageOut, { output: exact(output) });
  return fill(words.usageOutReasoning, { output: exact(output), reasoning: exact(reasoning) });
}

function inText(totals: Totals): string | undefined {
  const { cached, written, uncached, unsplit = 0 } = totals;
  const input = totalInput(totals);
  if (input === undefined) return undefined;
  // Nothing of it was in the cache, nor went there: there are no parts to speak of.
  if (cached === 0 && written === 0) return fill(words.usageIn, { input: exact(input) });
  const parts = [
    ...(cached > 0 ? [fill(words.usageRead, { count: exact(cached) })] : []),
    ...(written > 0 ? [fill(words.usageWrite, { count: exact(written) })] : []),
    ...(uncached > 0 ? [fill(words.usageNew, { count: exact(uncached) })] : []),
    ...(unsplit > 0 ? [fill(words.usageUnsplit, { count: exact(unsplit) })] : []),
  ];
  return fill(words.usageInParts, { input: exact(input), parts: parts.join(" + ") });
}

const units = [
  [1_000_000, "M"],
  [1_000, "k"],
] as const;

/** Numbers that stand together carry the unit of the largest, so that they can be compared at a glance. */
export function compact(values: readonly number[]): readonly string[] {
  const largest = Math.max(...values);
  return values.map((value) => {
    const unit = units.find(([size]) => largest >= size && value >= size / 10);
    return unit === undefined ? exact(value) : `${tenths(value / unit[0])}${unit[1]}`;
  });
}

/** A number of tokens for a chip: counted, or about. */
export const tokensText = (tokens: number, counted: boolean): string =>
  counted ? exact(tokens) : `≈\u2009${compact([tokens])[0] ?? ""}`;
