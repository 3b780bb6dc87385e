// What a turn used, in one line: "1.2k out (0.9k reasoning) · in 48.2k = 40.1k read + 6.0k write + 2.1k new".
// Nothing that was not reported is shown, and nothing is added up twice: reasoning is part of the output, and what
// was read from the cache, written to it and new are the three parts of the input (interface, "Usage object").
import type { Usage } from "../core/conversation/usage.ts";
import { exact, fill, tenths, words } from "./words.ts";

export interface UsageText {
  readonly short: string;
  /** The same in whole numbers, for hovering and for screen readers. */
  readonly exact: string;
}

export function usageText(rows: readonly Usage[]): UsageText | undefined {
  const total = addUp(rows);
  if (total.output === undefined && total.input === undefined) return undefined;
  return { short: line(total, compact), exact: line(total, (values) => values.map(exact)) };
}

/** What going back gives up of the cache, and what that costs by the user's prices, where they are known. */
export function lossInWords(sentence: string, tokens: number, price: string | undefined): string {
  const told = fill(sentence, { tokens: exact(tokens) });
  return price === undefined ? told : `${told} ${fill(words.costOfThat, { price })}`;
}

/** Every bucket once; what no request reported stays absent. */
export function addUp(rows: readonly Usage[]): Usage {
  const sum = (key: keyof Usage): number | undefined => {
    const reported = rows.map((row) => row[key]).filter((count) => count !== undefined);
    return reported.length === 0 ? undefined : reported.reduce((all, count) => all + count, 0);
  };
  return Object.fromEntries(
    (["input", "cached", "cacheWrite", "output", "reasoning", "total"] as const).map((key) => [
      key,
      sum(key),
    ]),
  );
}

type Write = (values: readonly number[]) => readonly string[];

function line(total: Usage, write: Write): string {
  return [outText(total, write), inText(total, write)].filter((text) => text !== undefined).join(" · ");
}

function outText({ output, reasoning }: Usage, write: Write): string | undefined {
  if (output === undefined) return undefined;
  const [out = "", thought = ""] = write([output, reasoning ?? 0]);
  if (reasoning === undefined || reasoning === 0) return fill(words.usageOut, { output: out });
  return fill(words.usageOutReasoning, { output: out, reasoning: thought });
}

function inText({ input, cached, cacheWrite }: Usage, write: Write): string | undefined {
  if (input === undefined) return undefined;
  if (cached === undefined || cacheWrite === undefined) {
    return fill(words.usageIn, { input: write([input])[0] ?? "" });
  }
  const rest = input - cached - cacheWrite;
  const [all = "", read = "", written = "", fresh = ""] = write([
    input,
    cached,
    cacheWrite,
    Math.max(0, rest),
  ]);
  // Nothing of it was in the cache, nor went there: there are no parts to speak of.
  if (cached === 0 && cacheWrite === 0 && rest >= 0) return fill(words.usageIn, { input: all });
  const parts = [
    ...(cached > 0 ? [fill(words.usageRead, { count: read })] : []),
    ...(cacheWrite > 0 ? [fill(words.usageWrite, { count: written })] : []),
    ...(rest > 0 ? [fill(words.usageNew, { count: fresh })] : []),
  ];
  const text = fill(words.usageInParts, { input: all, parts: parts.join(" + ") });
  return rest < 0 ? `${text} (${words.usageOdd})` : text;
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
