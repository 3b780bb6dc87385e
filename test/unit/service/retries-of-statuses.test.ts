// The retry corpus: statuses, which of them are final, and what their words say about it.
import { answer, reset } from "../../support/fault-server.ts";
import { done, good } from "../../support/hello-reply.ts";
import { failedAs, type RetrySequence, refuse, retrySequence, thrice } from "../../support/retry-sequence.ts";

const page = answer(502, "<html><body><h1>Bad Gateway</h1></body></html>", { "content-type": "text/html" });

const sequences: readonly RetrySequence[] = [
  { name: "nothing goes wrong", answers: [good], ...done },
  ...[408, 409, 429, 500, 501, 502, 503, 504, 529].map((status) => ({
    name: `${status} once`,
    answers: [refuse(status), good],
    ...done,
    waits: [500],
  })),
  ...(
    [
      [408, "timeout"],
      [409, "bad-request"],
      [429, "busy"],
      [500, "server"],
      [503, "server"],
    ] as const
  ).map(([status, problem]) => ({
    name: `${status} again and again ends after three requests`,
    answers: [refuse(status)],
    ...failedAs(problem),
    waits: thrice,
  })),
  ...(
    [
      [400, "bad-request"],
      [401, "auth"],
      [402, "quota"],
      [403, "auth"],
      [404, "not-found"],
      [405, "bad-request"],
      [407, "network"],
      [412, "bad-request"],
      [413, "too-large"],
      [418, "bad-request"],
      [422, "bad-request"],
      [425, "bad-request"],
      [451, "bad-request"],
    ] as const
  ).map(([status, problem]) => ({
    name: `${status} is final`,
    answers: [refuse(status), good],
    ...failedAs(problem),
  })),
  {
    name: "503 as a page, then as nothing, then the reply",
    answers: [
      answer(503, "<html>Down</html>", { "content-type": "text/html" }),
      (socket) => void socket.write("HTTP/1.1 503 X\r\ncontent-length: 0\r\n\r\n"),
      good,
    ],
    ...done,
    waits: thrice,
  },
  {
    name: "a server error with a code that is a number",
    answers: [refuse(500, { message: "x", code: 500 }), good],
    ...done,
    waits: [500],
  },
  {
    name: "different faults share the three requests",
    answers: [refuse(500), refuse(429), refuse(503), good],
    ...failedAs("server"),
    waits: thrice,
  },
  { name: "the third request may succeed", answers: [refuse(500), reset(), good], ...done, waits: thrice },
  { name: "a page of a proxy with 502", answers: [page, good], ...done, waits: [500] },
  {
    name: "a redirect is final",
    answers: [refuse(307, {}, { location: "http://127.0.0.1:1/" }), good],
    ...failedAs("redirect"),
  },
  { name: "not modified is a redirect of a kind", answers: [answer(304, ""), good], ...failedAs("redirect") },
  {
    name: "x-should-retry: false",
    answers: [refuse(503, {}, { "x-should-retry": "false" }), good],
    ...failedAs("server"),
  },
  {
    name: "x-should-retry: true does not make a refusal a fault",
    answers: [refuse(400, {}, { "x-should-retry": "true" }), good],
    ...failedAs("bad-request"),
  },
  {
    name: "429 because of the quota, by code",
    answers: [refuse(429, { message: "x", code: "insufficient_quota" }), good],
    ...failedAs("quota"),
  },
  {
    name: "429 because of the quota, by type",
    answers: [refuse(429, { message: "x", type: "exceeded_current_quota_error" }), good],
    ...failedAs("quota"),
  },
  {
    name: "429 because of the quota, by words",
    answers: [refuse(429, { message: "Check your plan and billing details." }), good],
    ...failedAs("quota"),
  },
  {
    name: "a refusal that only names a balance, a quota or billing is about the request",
    answers: [refuse(400, { message: "Unknown field balance: see quota and billing." }), good],
    ...failedAs("bad-request"),
  },
  {
    name: "a server error that speaks of billing is a server error",
    answers: [refuse(500, { message: "billing-worker-3 is down" }), good],
    ...done,
    waits: [500],
  },
  {
    name: "a refusal whose code is the quota, whatever its status",
    answers: [refuse(400, { message: "x", code: "insufficient_quota" }), good],
    ...failedAs("quota"),
  },
  {
    name: "a rate limit that speaks of a quota",
    answers: [refuse(429, { message: "Quota of requests per minute.", code: "rate_limit_exceeded" }), good],
    ...done,
    waits: [500],
  },
  {
    name: "a context too long is final, whatever its status",
    answers: [refuse(500, { message: "x", code: "context_length_exceeded" }), good],
    ...failedAs("too-large"),
  },
];

for (const sequence of sequences) retrySequence(sequence);
