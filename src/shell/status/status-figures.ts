// Two faces of the status bar: about what is being written or selected, and what the last turn came to. Pure.

import type { Turn } from "../../core/conversation/state.ts";
import { hitRate, totalInput, totalsOf } from "../../core/conversation/usage-totals.ts";
import type { Session } from "../../core/session/session.ts";
import { widened } from "../../core/tokens/estimate-error.ts";
import type { TokenCounts } from "../../core/tokens/token-counts.ts";
import { lifetimesOf } from "../../core/tokens/usage-rows.ts";
import { inDigits, inShort } from "../format-numbers.ts";
import { figuresNotes, figuresTable, inAndOut, rawNotes, type Words } from "../usage/usage-words.ts";
import type { StatusCount, StatusFace, StatusFacts } from "./status-text.ts";

/** `undefined`: there is no draft. How far estimates of this conversation were off widens the next (requirements I9). */
export function draftCount(
  { choices: { model }, draft: { contents, attachments }, state }: Drafting,
  counts: Pick<TokenCounts, "about" | "best">,
): StatusCount | undefined {
  if (contents.length === 0) return undefined;
  const best = counts.best(model, contents);
  const margin = widened(counts.about(model, contents).margin, state.turns);
  const parts = attachments.map(({ label, tokens }) => ({ label, tokens }));
  return { of: "draft", ...best, margin, parts };
}

type Drafting = Pick<Session, "state"> & {
  readonly choices: Pick<Session["choices"], "model">;
  readonly draft: Pick<Session["draft"], "contents" | "attachments">;
};

export function countFace(
  { of, tokens, exact, margin, parts = [] }: StatusCount,
  { t, language }: Words,
): StatusFace {
  const digits = inDigits(tokens, language);
  const short = exact ? digits : `≈${inShort(tokens)}`;
  const label = exact
    ? {
        selection: t("Selection: {0} tokens, counted by the service.", digits),
        draft: t("Draft: {0} tokens, counted by the service.", digits),
      }[of]
    : {
        selection: t("Selection: about {0} tokens (estimate).", digits),
        draft: t("Draft: about {0} tokens (estimate).", digits),
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

export function figuresFace({ show, cost, costProblem }: StatusFacts, turn: Turn, words: Words): StatusFace {
  const { t } = words;
  const totals = totalsOf(turn.usage);
  const { output } = totals;
  const input = totalInput(totals);
  const share = hitRate(totals);
  const price = show.has("cost") ? cost : undefined;
  const figures = [
    ...(share === undefined || !show.has("cache") ? [] : [`${Math.round(share * 100)}%`]),
    ...(input === undefined ? [] : [t("{0} in", inShort(input))]),
    ...(output === undefined ? [] : [t("{0} out", inShort(output))]),
    ...(price === undefined ? [] : [price]),
  ];
  const sentence = t("The last turn: {0}", inAndOut(totals, words));
  const read =
    share === undefined ? [] : [t("{0} percent of the input came from the cache.", Math.round(share * 100))];
  const paid = price === undefined ? [] : [t("Cost: {0}.", price)];
  return {
    text: `$(database) ${figures.join(" · ")}`,
    label: [sentence, ...read, ...paid].join(" "),
    click: "menu",
    rows: figuresTable(
      totals,
      { lifetimes: lifetimesOf(turn.usage), receipts: turn.receipts.length, price },
      words,
    ),
    notes: [
      ...figuresNotes(totals, words),
      ...rawNotes(turn.usage, words),
      ...(costProblem === undefined ? [] : [costProblem]),
    ],
  };
}

/** Texts that no reported figures speak of yet. Parts are named after their request, from 0: `2/…`. */
export const arriving = ({ parts, usage }: Turn): readonly string[] =>
  parts.flatMap((part) => {
    const isText = part.type === "text" || part.type === "reasoning" || part.type === "refusal";
    return isText && Number.parseInt(part.id, 10) >= usage.length ? [part.text] : [];
  });
