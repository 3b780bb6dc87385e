// Formats the figures of one or many requests: as a row of a list, as a table, and in full words. Pure.
import type { Usage } from "../conversation/state.ts";
import { hitRate, isOdd, rawFigures, type Totals, totalInput } from "../conversation/usage-totals.ts";
import { duration, durationInWords, inDigits, inShort, type Translate } from "../util/numbers-and-times.ts";
import type { Lifetime } from "./usage-rows.ts";

export interface Words {
  readonly t: Translate;
  readonly language: string;
}

interface Besides {
  /** Cache lifetimes applied according to the service. */
  readonly lifetimes: readonly Lifetime[];
  /** By the user's price table. */
  readonly price?: string | undefined;
  /** If the number is known. */
  readonly receipts?: number;
}

type Row = readonly [name: string, value: string];

const when = (is: boolean, ...rows: readonly Row[]): readonly Row[] => (is ? rows : []);

/** `€0.07 · 48.2k in · 1.2k out · 84% cached · 14.0 s`; what was not reported is omitted. The tooltip has the rest. */
export function figuresLine(totals: Totals, { price }: Pick<Besides, "price">, { t }: Words): string {
  if (totals.reported + totals.partial === 0)
    return totals.inconsistent > 0 ? t("contradictory usage") : t("not reported");
  const share = hitRate(totals);
  const { output } = totals;
  const input = totalInput(totals);
  return [
    price ?? "",
    input === undefined ? "" : t("{0} in", inShort(input)),
    output === undefined ? "" : t("{0} out", inShort(output)),
    share === undefined ? "" : t("{0}% cached", Math.round(share * 100)),
    totals.milliseconds > 0 ? duration(totals.milliseconds) : "",
  ]
    .filter((each) => each !== "")
    .join(" · ");
}

/** `5m`, or `1h asked, 5m applied` if the service did otherwise. */
const lifetimesInWords = (lifetimes: readonly Lifetime[], t: Translate): string =>
  lifetimes
    .map(({ applied, asked }) =>
      asked === undefined ? applied : t("{0} asked, {1} applied", asked, applied),
    )
    .join(", ");

/** `€0.54 · 180k sent again · in 12 requests`: input that the cache no longer had. */
export function missedLine(
  totals: Totals,
  { price }: Pick<Besides, "price">,
  { t, language }: Words,
): string {
  const { requests } = totals;
  return [
    price ?? "",
    t("{0} sent again", inShort(totalInput(totals) ?? 0)),
    requests === 1 ? t("in 1 request") : t("in {0} requests", inDigits(requests, language)),
  ]
    .filter((each) => each !== "")
    .join(" · ");
}

export function missedTable(
  totals: Totals,
  { price }: Pick<Besides, "price">,
  { t, language }: Words,
): Row[] {
  return [
    ...when(price !== undefined, [t("Cost"), price ?? ""]),
    [t("Sent again"), inDigits(totalInput(totals) ?? 0, language)],
    [t("Of it written to the cache"), inDigits(totals.written, language)],
    [t("Requests"), inDigits(totals.requests, language)],
  ];
}

export const missedNote = ({ t }: Words): string =>
  t("Approximate: the part of the input that the request before had sent already, by its length.");

export function figuresTable(totals: Totals, { lifetimes, price, receipts }: Besides, words: Words): Row[] {
  const { t, language } = words;
  const { unsplit, output, reasoning } = totals;
  const digits = (count: number | undefined) =>
    count === undefined ? t("not reported") : inDigits(count, language);
  const share = hitRate(totals);
  return [
    ...when(price !== undefined, [t("Cost"), price ?? ""]),
    [t("Input"), digits(totalInput(totals))],
    ...when(
      totals.reported > 0,
      [t("Read from the cache"), digits(totals.cached)],
      [t("Written to the cache"), digits(totals.written)],
      [t("Not cached"), digits(totals.uncached)],
    ),
    ...when(unsplit !== undefined, [t("not split by the service"), digits(unsplit)]),
    ...when(share !== undefined, [t("Read share"), `${Math.round((share ?? 0) * 100)} %`]),
    [t("Output"), digits(output)],
    ...when(reasoning !== undefined, [t("of it reasoning"), digits(reasoning)]),
    ...when(totals.requests > 1, [t("Requests"), digits(totals.requests)]),
    ...when(totals.milliseconds > 0, [t("Duration"), duration(totals.milliseconds)]),
    [
      t("Cache lifetime applied"),
      lifetimes.length === 0 ? t("not reported") : lifetimesInWords(lifetimes, t),
    ],
    ...when(receipts !== undefined, [
      t("Receipts"),
      receipts === 0 ? t("none") : t("{0} recorded, not verified", receipts ?? 0),
    ]),
  ];
}

/** A few uninterpretable values as received (requirements H2). */
export function rawNotes(rows: readonly Usage[], { t, language }: Words): string[] {
  const odd = rows.flatMap((row, at) => (isOdd(row) ? [{ row, number: at + 1 }] : []));
  return odd.slice(0, maxRaw).map(({ row, number }) =>
    t(
      "Request {0}, as reported: {1}.",
      number,
      rawFigures(row)
        .map(([name, count]) => `${name} ${inDigits(count, language)}`)
        .join(", "),
    ),
  );
}

const maxRaw = 5;

export function figuresNotes({ inconsistent, absent, partial }: Totals, { t }: Words): string[] {
  return [
    ...(inconsistent > 0 ? [t("Requests with contradictory usage, not counted: {0}.", inconsistent)] : []),
    ...(absent + partial > 0 ? [t("Requests with incomplete usage: {0}.", absent + partial)] : []),
  ];
}

/** For screen readers: no bar, no abbreviations. */
export function figuresInWords(totals: Totals, { price }: Besides, words: Words): string {
  const { t, language } = words;
  const digits = (count: number) => inDigits(count, language);
  if (totals.reported + totals.partial === 0) return figuresLine(totals, {}, words);
  const { reasoning = 0 } = totals;
  return [
    inAndOut(totals, words),
    totals.reported > 0
      ? t(
          "Of the input {0} were read from the cache, {1} written to it, {2} neither.",
          digits(totals.cached),
          digits(totals.written),
          digits(totals.uncached),
        )
      : "",
    reasoning > 0 ? t("Of the output {0} were reasoning.", digits(reasoning)) : "",
    totals.milliseconds > 0 ? t("It took {0}.", durationInWords(totals.milliseconds, language)) : "",
    price === undefined ? "" : t("Cost: {0}.", price),
    ...figuresNotes(totals, words),
  ]
    .filter((each) => each !== "")
    .join(" ");
}

/** A sentence; says so if no request reported any. */
export function inAndOut(totals: Totals, { t, language }: Words): string {
  const { output } = totals;
  const input = totalInput(totals);
  if (input === undefined && output === undefined) return t("Neither input nor output were reported.");
  if (input === undefined)
    return t("{0} tokens out; the input was not reported.", inDigits(output ?? 0, language));
  if (output === undefined)
    return t("{0} tokens in; the output was not reported.", inDigits(input, language));
  return t("{0} tokens in, {1} tokens out.", inDigits(input, language), inDigits(output, language));
}
