// Troubles a person may ask for by name, to see what the product does: "simulate a cut", "simulate 429".

import { blackHole, cutAfterEvents, resetBeforeHeaders, slowHeaders } from "../delivery-faults.ts";
import { htmlPage, status } from "../http-answers.ts";
import { errorEvent, failed, type Part, refusal, text } from "../script.ts";

const words =
  "This answer begins well, says a few words, and then something happens to it that nobody had planned.";

const simulations: readonly (readonly [RegExp, () => readonly Part[]])[] = [
  [
    /429.*\b(\d+)\b|rate limit/i,
    () => [status(429, { message: "Too many requests.", type: "rate_limit_reached_error", retryAfter: 5 })],
  ],
  [
    /quota/i,
    () => [
      status(429, { message: "You exceeded your current quota.", type: "exceeded_current_quota_error" }),
    ],
  ],
  [/html/i, () => [htmlPage(502)]],
  [/cut/i, () => [text(words), cutAfterEvents(14)]],
  [/reset/i, () => [resetBeforeHeaders()]],
  [/silen|hang|black hole/i, () => [blackHole()]],
  [/slow/i, () => [text(words), slowHeaders(5000)]],
  [/fail/i, () => [text(words), failed("The model had an error.", "server_error")]],
  [/error record|error event/i, () => [text(words), errorEvent("The stream broke.", "server_error")]],
  [/refus/i, () => [refusal("I cannot help with that.")]],
];

export function simulation(question: string): readonly Part[] | undefined {
  const asked = /^\s*simulate\s+(.+)/i.exec(question)?.[1];
  if (asked === undefined) return undefined;
  const code = Number(/\b([45]\d\d)\b/.exec(asked)?.[1]);
  const found = simulations.find(([pattern]) => pattern.test(asked));
  return found?.[1]() ?? (code > 0 ? [status(code)] : undefined);
}
