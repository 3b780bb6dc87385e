// Figures of one request or of many, as a row of a list, as a table, and in full words. Pure.
import { hitRate, type Totals, totalInput } from "../../core/tokens/usage.ts";
import { usageBar } from "../../core/tokens/usage-bar.ts";
import { duration, inDigits, inShort, inWords, type Translate } from "../figures.ts";

export interface Words {
  readonly t: Translate;
  readonly language: string;
}

export interface Besides {
  /** Cache lifetimes that the service says it applied. */
  readonly lifetimes: readonly string[];
  /** By the user's own table. */
  readonly price?: string | undefined;
  /** Where it is known how many there are. */
  readonly receipts?: number;
}

type Row = readonly [name: string, value: string];

const when = (is: boolean, ...rows: readonly Row[]): readonly Row[] => (is ? rows : []);

/** `████▓▓░░ 84% · 48.2k in · 1.2k out (0.9k reasoning) · 14.0 s · 5m`; what was not reported is not there. */
export function figuresLine(totals: Totals, { lifetimes, price }: Besides, { t }: Words): string {
  if (totals.reported + totals.partial === 0)
    return totals.inconsistent > 0 ? t("the figures contradict each other") : t("not reported");
  const share = hitRate(totals);
  const reasoning = totals.reasoning > 0 ? ` (${t("{0} reasoning", inShort(totals.reasoning))})` : "";
  const bar = usageBar(totals, 8);
  return [
    [bar, share === undefined ? "" : `${Math.round(share * 100)}%`].filter((each) => each !== "").join(" "),
    t("{0} in", inShort(totalInput(totals))),
    `${t("{0} out", inShort(totals.output))}${reasoning}`,
    totals.milliseconds > 0 ? duration(totals.milliseconds) : "",
    lifetimes.join(", "),
    price ?? "",
  ]
    .filter((each) => each !== "")
    .join(" · ");
}

export function figuresTable(totals: Totals, { lifetimes, price, receipts }: Besides, words: Words): Row[] {
  const { t, language } = words;
  const digits = (count: number) => inDigits(count, language);
  const bar = usageBar(totals, 24);
  const share = hitRate(totals);
  return [
    ...when(bar !== "", [t("Input"), bar]),
    [t("█ read from the cache"), digits(totals.cached)],
    [t("▓ written to the cache"), digits(totals.written)],
    [t("░ neither"), digits(totals.uncached)],
    ...when(totals.unsplit > 0, [t("not split by the service"), digits(totals.unsplit)]),
    ...when(share !== undefined, [t("Read share"), `${Math.round((share ?? 0) * 100)} %`]),
    [t("Output"), digits(totals.output)],
    [t("of it reasoning"), digits(totals.reasoning)],
    ...when(totals.requests > 1, [t("Requests"), digits(totals.requests)]),
    ...when(totals.milliseconds > 0, [t("Duration"), duration(totals.milliseconds)]),
    [t("Cache lifetime applied"), lifetimes.length === 0 ? t("not reported") : lifetimes.join(", ")],
    ...when(receipts !== undefined, [
      t("Receipts"),
      receipts === 0 ? t("none") : t("{0} recorded, not verified", receipts ?? 0),
    ]),
    ...when(price !== undefined, [t("Cost by your prices"), price ?? ""]),
  ];
}

export function figuresNotes({ inconsistent, absent, partial }: Totals, { t }: Words): string[] {
  return [
    ...(inconsistent > 0
      ? [t("Requests whose figures contradict each other, counted nowhere: {0}.", inconsistent)]
      : []),
    ...(absent + partial > 0 ? [t("Requests that did not report all figures: {0}.", absent + partial)] : []),
  ];
}

/** For ears: no bar, no abbreviation. */
export function figuresSpoken(totals: Totals, { price }: Besides, words: Words): string {
  const { t, language } = words;
  const digits = (count: number) => inDigits(count, language);
  if (totals.reported + totals.partial === 0) return figuresLine(totals, { lifetimes: [] }, words);
  const split = totals.reported > 0;
  return [
    t("{0} tokens in, {1} tokens out.", digits(totalInput(totals)), digits(totals.output)),
    split
      ? t(
          "Of the input {0} were read from the cache, {1} written to it, {2} neither.",
          digits(totals.cached),
          digits(totals.written),
          digits(totals.uncached),
        )
      : "",
    totals.reasoning > 0 ? t("Of the output {0} were reasoning.", digits(totals.reasoning)) : "",
    totals.milliseconds > 0 ? t("It took {0}.", inWords(totals.milliseconds, language)) : "",
    price === undefined ? "" : t("It cost {0} by your own prices.", price),
    ...figuresNotes(totals, words),
  ]
    .filter((each) => each !== "")
    .join(" ");
}
