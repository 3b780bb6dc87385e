// Why a request read less from the cache than it could have, as one sentence. Pure.
import type { Block, BlockChange, MissReason } from "../../core/tokens/explain-miss.ts";
import { inWords, type Translate } from "../figures.ts";
import type { Words } from "./usage-words.ts";

export function missSentence(miss: MissReason, { t, language }: Words): string {
  switch (miss.reason) {
    case "first":
      return t(
        "This window sent nothing of this conversation before it: there is nothing to compare it with.",
      );
    case "model":
      return t(
        "The model changed from {0} to {1}; each model has a cache of its own.",
        miss.before,
        miss.after,
      );
    case "tier":
      return t(
        "The cache lifetime changed from {0} to {1}; the two are independent of each other.",
        miss.before,
        miss.after,
      );
    case "cache-id":
      return t("It went out with another cache identifier than the request before it.");
    case "differs":
      return differs(miss.block, miss.change, t);
    case "expired":
      return t(
        "{0} passed since the request before it; entries are kept for about {1}.",
        inWords(miss.pause, language),
        inWords(miss.lifetime, language),
      );
    case "elsewhere":
      return t(
        "It begins with the whole request before it, in time, with the same lifetime: the reason is not on this side.",
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
      return t(
        "It differs from the request before it first in {0}, from character {1} on.",
        block,
        change.at + 1,
      );
    case "added":
      return t("It has something new where the request before it went on: {0}.", block);
    case "removed":
      return t("It lacks something that the request before it had: {0}.", block);
  }
}
