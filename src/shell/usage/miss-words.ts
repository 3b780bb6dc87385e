// Why a request read less from the cache than it could have, as one sentence. Pure.
import type { Block, BlockChange, MissReason } from "../../core/tokens/explain-miss.ts";
import { durationInWords, type Translate } from "../format-numbers.ts";
import type { Words } from "./usage-words.ts";

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
