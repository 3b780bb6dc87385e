// Two faces of the status bar: about what is being written or selected, and what the last turn came to. Pure.
import type { Turn } from "../core/conversation/state.ts";
import { hitRate, type Totals, totalInput, totalsOf } from "../core/tokens/usage.ts";
import { usageBar } from "../core/tokens/usage-bar.ts";
import { inDigits, inShort, type Translate } from "./figures.ts";
import type { Language, StatusCount, StatusFace, StatusFacts } from "./status-text.ts";

export function countFace(
  { of, tokens, exact, margin, parts = [] }: StatusCount,
  { t, language }: Language,
): StatusFace {
  const digits = inDigits(tokens, language);
  const short = exact ? digits : `≈${inShort(tokens)}`;
  const label = exact
    ? {
        selection: t("{0} tokens in the selection, counted by the service.", digits),
        draft: t("{0} tokens in the draft, counted by the service.", digits),
      }[of]
    : {
        selection: t("About {0} tokens in the selection, estimated on this machine.", digits),
        draft: t("About {0} tokens in the draft, estimated on this machine.", digits),
      }[of];
  const whole = of === "selection" ? t("Selection") : t("Draft");
  const doubt = exact || margin === undefined ? "" : ` ± ${Math.round(margin * 100)} %`;
  return {
    text: `$(symbol-numeric) ${short}`,
    label,
    click: "menu",
    rows: [
      [whole, `${exact ? digits : `≈${digits}${doubt}`}`],
      ...parts.map(
        (part) =>
          [part.label, part.tokens === undefined ? "–" : `≈${inDigits(part.tokens, language)}`] as const,
      ),
    ],
    notes: [t("Not counted: instructions, tools and the conversation so far.")],
  };
}

export function figuresFace(
  { show, cost, costProblem }: StatusFacts,
  turn: Turn,
  words: Language,
): StatusFace {
  const { t, language } = words;
  const totals = totalsOf(turn.usage);
  const input = totalInput(totals);
  const share = hitRate(totals);
  const price = show.has("cost") ? cost : undefined;
  const figures = [
    ...(share === undefined || !show.has("cache") ? [] : [`${Math.round(share * 100)}%`]),
    t("{0} in", inShort(input)),
    t("{0} out", inShort(totals.output)),
    ...(price === undefined ? [] : [price]),
  ];
  const sentence = t(
    "The last turn: {0} tokens in, {1} tokens out.",
    inDigits(input, language),
    inDigits(totals.output, language),
  );
  const read =
    share === undefined ? [] : [t("{0} percent of the input came from the cache.", Math.round(share * 100))];
  const paid = price === undefined ? [] : [t("It cost {0} by your own prices.", price)];
  return {
    text: `$(database) ${figures.join(" · ")}`,
    label: [sentence, ...read, ...paid].join(" "),
    click: "menu",
    rows: figureRows(totals, turn, price, words),
    notes: [...notesOn(totals, t), ...(costProblem === undefined ? [] : [costProblem])],
  };
}

function figureRows(
  totals: Totals,
  turn: Turn,
  price: string | undefined,
  { t, language }: Language,
): [string, string][] {
  const digits = (count: number) => inDigits(count, language);
  const bar = usageBar(totals, 24);
  const lifetimes = [...new Set(turn.usage.flatMap(({ ttl }) => ttl ?? []))].join(", ");
  const rows: [string, string][] = [
    ...(bar === "" ? [] : ([[t("Input"), bar]] as [string, string][])),
    [t("█ read from the cache"), digits(totals.cached)],
    [t("▓ written to the cache"), digits(totals.written)],
    [t("░ neither"), digits(totals.uncached)],
    ...(totals.unsplit > 0
      ? ([[t("not split by the service"), digits(totals.unsplit)]] as [string, string][])
      : []),
    [t("Output"), digits(totals.output)],
    [t("of it reasoning"), digits(totals.reasoning)],
    [t("Requests"), digits(totals.requests)],
    [t("Cache lifetime applied"), lifetimes === "" ? t("not reported") : lifetimes],
    [
      t("Receipts"),
      turn.receipts.length === 0 ? t("none") : t("{0} recorded, not verified", turn.receipts.length),
    ],
  ];
  return price === undefined ? rows : [...rows, [t("Cost by your prices"), price]];
}

function notesOn({ inconsistent, absent, partial }: Totals, t: Translate): string[] {
  return [
    ...(inconsistent > 0
      ? [t("Requests whose figures contradict each other, counted nowhere: {0}.", inconsistent)]
      : []),
    ...(absent + partial > 0 ? [t("Requests that did not report all figures: {0}.", absent + partial)] : []),
  ];
}
