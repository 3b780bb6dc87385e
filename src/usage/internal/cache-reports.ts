// Words about the cache: why a request read less from it, and which lifetime would have been cheaper. Pure.

import { markdownTable, plainMarkdown } from "../../util/markdown-table.ts";
import { durationInWords, inDigits, type Translate } from "../../util/numbers-and-times.ts";
import type { Words } from "../labels.ts";
import type { TierAdvice } from "../price.ts";
import type { Block, BlockChange, MissReason } from "../prompt-cache.ts";

/** Explains in one sentence why a request read less from the cache than it could have. */
export function missSentence(miss: MissReason, { t, language }: Words): string {
  switch (miss.reason) {
    case "first":
      return t("There's no earlier request in this window to compare with.");
    case "model":
      return t("The model changed from {0} to {1}. Each model has its own cache.", miss.before, miss.after);
    case "tier":
      return t(
        "The cache lifetime changed from {0} to {1}. Each lifetime has its own cache.",
        miss.before,
        miss.after,
      );
    case "cache-id":
      return t("It used another cache ID than the previous request.");
    case "differs":
      return differs(miss.block, miss.change, t);
    case "expired":
      return t(
        "{0} passed since the previous request. Entries are kept for about {1}.",
        durationInWords(miss.pause, language),
        durationInWords(miss.lifetime, language),
      );
    case "elsewhere":
      return t(
        "The request extends the previous one within the cache lifetime. The cause is on the service's side.",
      );
  }
}

function differs({ part, position }: Block, change: BlockChange, t: Translate): string {
  const where = {
    tools: t("tool {0}", position),
    instructions: t("the instructions"),
    input: t("input item {0}", position),
  };
  const block = where[part];
  switch (change.kind) {
    case "changed":
      return t("It first differs from the previous request in {0}, at character {1}.", block, change.at + 1);
    case "added":
      return t("It has new content where the previous request continued: {0}.", block);
    case "removed":
      return t("It's missing something from the previous request: {0}.", block);
  }
}

interface TierReport {
  readonly model: string;
  readonly days: number;
  readonly advice: TierAdvice;
  /** Formats amounts by the user's table; `undefined` without prices for this model. */
  readonly amount?: ((sum: number) => string) | undefined;
}

/** A document about which cache lifetime would have been cheaper: what was counted, the assumptions, and the limits. */
export function tierReport({ model, days, advice, amount }: TierReport, { t, language }: Words): string {
  const digits = (count: number) => inDigits(count, language);
  const { byTier, pauses, deciding } = advice;
  const tiers = ["5m", "1h"] as const;
  const head = [t("Cache lifetime"), t("Read"), t("Written"), ...(amount ? [t("Cost of both")] : [])];
  const rows = tiers.map((tier) => {
    const { read, written, cost } = byTier[tier];
    return [tier, digits(read), digits(written), ...(amount ? [amount(cost)] : [])];
  });
  return [
    `# ${t("Cache lifetime for {0}", plainMarkdown(model))}`,
    plainMarkdown(conclusion({ advice, amount }, t)),
    markdownTable(head, rows),
    plainMarkdown(
      t(
        "Replayed from the requests of the last {0} days: {1} followed another, and {2} of them came between five minutes and an hour after it. Those decide.",
        days,
        digits(pauses),
        digits(deciding),
      ),
    ),
    plainMarkdown(
      t("Approximate: entries live at least 5 minutes. Uncached input and output cost the same for both."),
    ),
  ].join("\n\n");
}

function conclusion({ advice, amount }: Pick<TierReport, "advice" | "amount">, t: Words["t"]): string {
  const { cheaper, saved } = advice;
  if (amount === undefined) return t("To compare costs, set your prices in patchbay.pricing.");
  if (cheaper === "same") return t("Both cost the same.");
  return t("{0} would have been {1} cheaper.", cheaper, amount(saved));
}
