// What goes wrong with a service that is not always well (the profile `flaky`): every second generation meets the next
// of these, so that whatever is asked again is answered. The same in every run.

import { cutAfter } from "./delivery-faults.ts";
import { htmlPage, status } from "./http-answers.ts";
import type { Answer, Fault } from "./script.ts";

const troubles: readonly (Answer | Fault)[] = [
  status(429, { type: "rate_limit_error", retryAfter: 1 }),
  status(500),
  status(429, { type: "rate_limit_error" }),
  htmlPage(502),
  cutAfter(3000),
  cutAfter(3000, "hang"),
];

/** What generation number n (from 0) meets, if anything. */
export function troubleOf(generation: number): Answer | Fault | undefined {
  return generation % 2 === 1 ? troubles[((generation - 1) / 2) % troubles.length] : undefined;
}
