// The retry corpus: how long is waited, who says so, and what Stop does meanwhile.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReplyEvent } from "../../../src/service/reply.ts";
import { type Answer, reset, startFaultServer } from "../../support/fault-server.ts";
import { done, good } from "../../support/hello-reply.ts";
import {
  after,
  failedAs,
  httpDate,
  key,
  now,
  type RetrySequence,
  refuse,
  respond,
  retrySequence,
} from "../../support/retry-sequence.ts";
import { clientOf } from "../../support/simulated-client.ts";

/** A whole answer without a body. */
const raw =
  (status: string, headers: string): Answer =>
  (socket) =>
    void socket.write(`HTTP/1.1 ${status}\r\n${headers}content-length: 0\r\n\r\n`);

const sequences: readonly RetrySequence[] = [
  { name: "Retry-After in seconds", answers: [after("2"), good], ...done, waits: [2250] },
  { name: "Retry-After in fractions of a second", answers: [after("0.4"), good], ...done, waits: [450] },
  { name: "Retry-After as a date", answers: [after(httpDate(10)), good], ...done, waits: [10_250] },
  {
    name: "Retry-After as a date of a clock that is wrong, told by the Date header",
    answers: [refuse(429, {}, { "retry-after": httpDate(7_204), date: httpDate(7_200) }), good],
    ...done,
    waits: [4_250],
  },
  {
    name: "Retry-After-Ms before Retry-After",
    answers: [refuse(429, {}, { "retry-after-ms": "300", "retry-after": "9" }), good],
    ...done,
    waits: [338],
  },
  { name: "Retry-After with 503", answers: [after("3", 503), good], ...done, waits: [3_250] },
  { name: "Retry-After of exactly a minute", answers: [after("60"), good], ...done, waits: [60_250] },
  {
    name: "Retry-After of more than a minute",
    answers: [after("61"), good],
    ...failedAs("busy"),
    retryIn: 61,
  },
  {
    name: "Retry-After as a date far off",
    answers: [after(httpDate(3600)), good],
    ...failedAs("busy"),
    retryIn: 3600,
  },
  {
    name: "Retry-After far off at the second request",
    answers: [refuse(500), after("120")],
    ...failedAs("busy"),
    waits: [500],
    retryIn: 120,
  },
  ...["0", "-5", "NaN", "soon", "", "1e3", "Infinity", httpDate(-3600), "0x10"].map((value) => ({
    name: `Retry-After ${JSON.stringify(value)} says nothing`,
    answers: [after(value), good],
    ...done,
    waits: [500],
  })),
  {
    name: "Retry-After beyond every calendar",
    answers: [after("99999999999999999999"), good],
    ...failedAs("busy"),
  },
  {
    name: "Retry-After on the last day that has four digits",
    answers: [after("Fri, 31 Dec 9999 23:59:59 GMT"), good],
    ...failedAs("busy"),
    retryIn: (Date.UTC(9999, 11, 31, 23, 59, 59) - now) / 1000,
  },
  {
    name: "Retry-After with more than a minute by a fraction",
    answers: [after("60.001"), good],
    ...failedAs("busy"),
    retryIn: 60.001,
  },
  { name: "Retry-After with white space", answers: [after("  2\t"), good], ...done, waits: [2250] },
  { name: "Retry-After with 408", answers: [after("2", 408), good], ...done, waits: [2250] },
  {
    name: "Retry-After with a refusal that is final",
    answers: [after("2", 400), good],
    ...failedAs("bad-request"),
  },
  {
    name: "Retry-After that comes twice",
    answers: [raw("429 Busy", "retry-after: 1\r\nretry-after: 7\r\n"), good],
    ...done,
    waits: [1125],
  },
  {
    name: "Retry-After-Ms that says nothing before a Retry-After that does",
    answers: [refuse(429, {}, { "retry-after-ms": "-1", "retry-after": "3" }), good],
    ...done,
    waits: [3250],
  },
  {
    name: "a time in words with a status that is not about it",
    answers: [refuse(500, { message: "Try again in 7 s." }), good],
    ...done,
    waits: [500],
  },
  {
    name: "a time in words with a status that is about it",
    answers: [refuse(503, { message: "Try again in 7 s." }), good],
    ...done,
    waits: [7250],
  },
  {
    name: "a time in milliseconds in words",
    answers: [refuse(429, { message: "Please try again in 250ms." }), good],
    ...done,
    waits: [281],
  },
  {
    name: "the time in the words of the error",
    answers: [refuse(429, { message: "Please try again in 11.5s." }), good],
    ...done,
    waits: [11_750],
  },
  {
    name: "a time in words that is too far off",
    answers: [refuse(429, { message: "Try again in 2 minutes." }), good],
    ...failedAs("busy"),
    retryIn: 120,
  },
];

for (const sequence of sequences) retrySequence(sequence);

test("retry: every request has the same body", async () => {
  await using server = await startFaultServer(refuse(500), reset(), good);
  await respond(server.url);
  const [first, ...others] = server.requests.map((request) => request.body);
  assert.deepEqual(others, [first, first]);
});

test("retry: the delay doubles and varies by a quarter either way", async () => {
  for (const [chance, expected] of [
    [0, [375, 750]],
    [1, [625, 1250]],
  ] as const) {
    await using server = await startFaultServer(refuse(500));
    const { waited } = await respond(server.url, chance);
    assert.deepEqual(waited, expected);
  }
});

test("retry: Stop during a wait ends the reply without another request", async () => {
  await using server = await startFaultServer(after("30"), good);
  const stop = new AbortController();
  const client = clientOf({ url: server.url, key });
  const events: ReplyEvent[] = [];
  for await (const event of client.respond(
    { input: ['{"type":"message","role":"user","content":"Hi"}'] },
    stop.signal,
  )) {
    events.push(event);
    if (event.type === "waiting") stop.abort();
  }
  client.dispose();
  const last = events.at(-1);
  assert.ok(last?.type === "ended" && last.reply.status === "stopped" && last.reply.problem === undefined);
  assert.equal(server.requests.length, 1);
});
