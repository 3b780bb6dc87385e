// Which cache lifetime would have been cheaper, as a document: what was counted, what it rests on, what it cannot know.
// Pure.
import type { TierAdvice } from "../../core/tokens/tier-advice.ts";
import { inDigits } from "../format-numbers.ts";
import { markdownTable, plainMarkdown } from "../markdown-table.ts";
import type { Words } from "./usage-words.ts";

export interface TierReport {
  readonly model: string;
  readonly days: number;
  readonly advice: TierAdvice;
  /** As the user's table writes amounts; `undefined`: there are no prices for this model. */
  readonly amount?: ((sum: number) => string) | undefined;
}

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
