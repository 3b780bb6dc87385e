// What a turn used, in one line: "1.2k out (0.9k reasoning) · in 48.2k = 40.1k read + 6.0k write + 2.1k new".
// Nothing that was not reported is shown, and nothing is added up twice: reasoning is part of the output, and what
// was read from the cache, written to it and new are the three parts of the input (interface, "Usage object").
import type { Usage } from "../core/conversation/usage.ts";
import { isOdd, rawFigures, type Totals, totalInput, totalsOf } from "../core/conversation/usage-totals.ts";
import { exact, fill, tenths, words } from "./words.ts";

export interface UsageText {
  readonly short: string;
  /** The same in whole numbers, for hovering and for screen readers. */
  readonly exact: string;
}

export function usageText(rows: readonly Usage[]): UsageText | undefined {
  const totals = totalsOf(rows);
  if (totals.requests === totals.absent) return undefined;
  const raw = rows.flatMap((row, at) => (isOdd(row) ? [rawText(row, at + 1)] : []));
  return {
    short: line(totals, compact),
    exact: [line(totals, (values) => values.map(exact)), ...raw.slice(0, mostRaw)].join("\n"),
  };
}

/** More of what cannot be made sense of helps nobody who hovers. */
const mostRaw = 5;

const rawText = (row: Usage, number: number): string =>
  fill(words.usageRaw, {
    number: exact(number),
    figures: rawFigures(row)
      .map(([name, count]) => `${name} ${exact(count)}`)
      .join(", "),
  });

/** What going back gives up of the cache, and what that costs by the user's prices, where they are known. */
export function lossInWords(sentence: string, tokens: number, price: string | undefined): string {
  const told = fill(sentence, { tokens: exact(tokens) });
  return price === undefined ? told : `${told} ${fill(words.costOfThat, { price })}`;
}

type Write = (values: readonly number[]) => readonly string[];

function line(totals: Totals, write: Write): string {
  const { inconsistent, absent, requests } = totals;
  return [
    outText(totals, write),
    inText(totals, write),
    inconsistent > 0 ? words.usageOdd : undefined,
    absent > 0 ? fill(words.usageUnreported, { count: exact(absent), all: exact(requests) }) : undefined,
  ]
    .filter((text) => text !== undefined)
    .join(" · ");
}

function outText({ output, reasoning = 0 }: Totals, write: Write): string | undefined {
  if (output === undefined) return undefined;
  const [out = "", thought = ""] = write([output, reasoning]);
  if (reasoning === 0) return fill(words.usageOut, { output: out });
  return fill(words.usageOutReasoning, { output: out, reasoning: thought });
}

function inText(totals: Totals, write: Write): string | undefined {
  const { cached, written, uncached, unsplit = 0 } = totals;
  const input = totalInput(totals);
  if (input === undefined) return undefined;
  const counts = [input, cached, written, uncached, unsplit];
  const [all = "", read = "", wrote = "", fresh = "", whole = ""] = write(counts);
  // Nothing of it was in the cache, nor went there: there are no parts to speak of.
  if (cached === 0 && written === 0) return fill(words.usageIn, { input: all });
  const parts = [
    ...(cached > 0 ? [fill(words.usageRead, { count: read })] : []),
    ...(written > 0 ? [fill(words.usageWrite, { count: wrote })] : []),
    ...(uncached > 0 ? [fill(words.usageNew, { count: fresh })] : []),
    ...(unsplit > 0 ? [fill(words.usageUnsplit, { count: whole })] : []),
  ];
  return fill(words.usageInParts, { input: all, parts: parts.join(" + ") });
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
