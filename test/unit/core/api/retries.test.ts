// The retry corpus: what a service may answer again and again, on real sockets, with the waiting in a test's hands.
// `waits` are the milliseconds between requests; chance is fixed in the middle.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReplyEvent } from "../../../../src/core/api/reply.ts";
import { createServiceClient } from "../../../../src/core/api/service-client.ts";
import { silentLog } from "../../../../src/core/util/log.ts";
import {
  type Answer,
  answer,
  head,
  json,
  reset,
  sse,
  startFaultServer,
} from "../../../support/fault-server.ts";

const now = Date.UTC(2026, 8, 1, 12, 0, 0);
const httpDate = (seconds: number) => new Date(now + seconds * 1000).toUTCString();
const key = "sk-test-0123456789";

const delta = { type: "response.output_text.delta", item_id: "m", delta: "Hel" };
const created = { type: "response.created", response: { id: "r", status: "in_progress", output: [] } };
const completed = {
  type: "response.completed",
  response: {
    id: "r",
    status: "completed",
    output: [{ id: "m", type: "message", content: [{ type: "output_text", text: "Hello" }] }],
  },
};
const good = answer(200, sse(created, delta, completed));
const refuse = (status: number, error: object = { message: "No." }, headers: Record<string, string> = {}) =>
  json(status, { error }, headers);
const after = (value: string, status = 429) => refuse(status, { message: "Busy." }, { "retry-after": value });
const record = (code: string) => answer(200, sse(created, { type: "error", code, message: "It broke." }));
const failedWith = (code: string) =>
  answer(
    200,
    sse(created, { type: "response.failed", response: { status: "failed", error: { code, message: "x" } } }),
  );
const page = answer(502, "<html><body><h1>Bad Gateway</h1></body></html>", { "content-type": "text/html" });

interface Sequence {
  readonly name: string;
  readonly answers: readonly Answer[];
  readonly status: string;
  readonly waits: readonly number[];
  /** The problem's kind. */
  readonly problem?: string;
  readonly text?: string;
  /** Seconds from now, of the problem. */
  readonly retryIn?: number;
}

const done = { status: "completed", text: "Hello" };
const failed = (problem: string) => ({ status: "failed", problem });
const thrice = [500, 1000];

const sequences: Sequence[] = [
  { name: "nothing goes wrong", answers: [good], ...done, waits: [] },
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
    ...failed(problem),
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
      [413, "too-large"],
      [418, "bad-request"],
      [422, "bad-request"],
      [425, "bad-request"],
      [451, "bad-request"],
    ] as const
  ).map(([status, problem]) => ({
    name: `${status} is final`,
    answers: [refuse(status), good],
    ...failed(problem),
    waits: [],
  })),
  {
    name: "different faults share the three requests",
    answers: [refuse(500), refuse(429), refuse(503), good],
    ...failed("server"),
    waits: thrice,
  },
  { name: "the third request may succeed", answers: [refuse(500), reset(), good], ...done, waits: thrice },
  { name: "a page of a proxy with 502", answers: [page, good], ...done, waits: [500] },
  {
    name: "a redirect is final",
    answers: [refuse(307, {}, { location: "http://127.0.0.1:1/" }), good],
    ...failed("redirect"),
    waits: [],
  },
  {
    name: "not modified is a redirect of a kind",
    answers: [answer(304, ""), good],
    ...failed("redirect"),
    waits: [],
  },
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
    ...failed("busy"),
    waits: [],
    retryIn: 61,
  },
  {
    name: "Retry-After as a date far off",
    answers: [after(httpDate(3600)), good],
    ...failed("busy"),
    waits: [],
    retryIn: 3600,
  },
  {
    name: "Retry-After far off at the second request",
    answers: [refuse(500), after("120")],
    ...failed("busy"),
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
    name: "the time in the words of the error",
    answers: [refuse(429, { message: "Please try again in 11.5s." }), good],
    ...done,
    waits: [11_750],
  },
  {
    name: "a time in words that is too far off",
    answers: [refuse(429, { message: "Try again in 2 minutes." }), good],
    ...failed("busy"),
    waits: [],
    retryIn: 120,
  },
  {
    name: "x-should-retry: false",
    answers: [refuse(503, {}, { "x-should-retry": "false" }), good],
    ...failed("server"),
    waits: [],
  },
  {
    name: "x-should-retry: true does not make a refusal a fault",
    answers: [refuse(400, {}, { "x-should-retry": "true" }), good],
    ...failed("bad-request"),
    waits: [],
  },
  {
    name: "429 because of the quota, by code",
    answers: [refuse(429, { message: "x", code: "insufficient_quota" }), good],
    ...failed("quota"),
    waits: [],
  },
  {
    name: "429 because of the quota, by type",
    answers: [refuse(429, { message: "x", type: "exceeded_current_quota_error" }), good],
    ...failed("quota"),
    waits: [],
  },
  {
    name: "429 because of the quota, by words",
    answers: [refuse(429, { message: "Check your plan and billing details." }), good],
    ...failed("quota"),
    waits: [],
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
    ...failed("too-large"),
    waits: [],
  },
  { name: "a reset before the headers", answers: [reset(), good], ...done, waits: [500] },
  {
    name: "a close before the headers",
    answers: [(socket) => void socket.end(), good],
    ...done,
    waits: [500],
  },
  {
    name: "a reset inside the headers",
    answers: [reset("HTTP/1.1 200 OK\r\ncontent-ty"), good],
    ...done,
    waits: [500],
  },
  { name: "resets without end", answers: [reset()], ...failed("network"), waits: thrice },
  {
    name: "an answer that is not HTTP",
    answers: [(socket) => void socket.end("SSH-2.0-OpenSSH\r\n"), good],
    ...failed("protocol"),
    waits: [],
  },
  {
    name: "an empty reply is asked for once more",
    answers: [answer(200, "")],
    status: "interrupted",
    problem: "protocol",
    waits: [500],
  },
  {
    name: "an end before anything was said",
    answers: [answer(200, sse(created)), good],
    ...done,
    waits: [500],
  },
  {
    name: "ends before anything was said, again and again",
    answers: [answer(200, sse(created))],
    status: "interrupted",
    problem: "network",
    waits: thrice,
  },
  {
    name: "a reset before anything was said",
    answers: [reset(head(200) + sse(created)), good],
    ...done,
    waits: [500],
  },
  {
    name: "an end marker before anything was said",
    answers: [answer(200, sse(created, "[DONE]")), good],
    ...done,
    waits: [500],
  },
  {
    name: "an end after visible text",
    answers: [answer(200, sse(created, delta)), good],
    status: "interrupted",
    problem: "network",
    text: "Hel",
    waits: [],
  },
  {
    name: "a rate limit after visible text",
    answers: [answer(200, sse(delta, { type: "error", code: "rate_limit_exceeded", message: "x" })), good],
    ...failed("busy"),
    text: "Hel",
    waits: [],
  },
  {
    name: "a rate limit in the stream before text",
    answers: [record("rate_limit_exceeded"), good],
    ...done,
    waits: [500],
  },
  {
    name: "a server error in the stream before text",
    answers: [record("server_error"), good],
    ...done,
    waits: [500],
  },
  {
    name: "an unknown error in the stream",
    answers: [record("invalid_prompt"), good],
    ...failed("server"),
    waits: [],
  },
  {
    name: "a quota in the stream",
    answers: [record("insufficient_quota"), good],
    ...failed("quota"),
    waits: [],
  },
  {
    name: "a failed response because of the rate",
    answers: [failedWith("rate_limit_exceeded"), good],
    ...done,
    waits: [500],
  },
  {
    name: "a failed response because of the server",
    answers: [failedWith("server_error"), good],
    ...failed("server"),
    waits: [],
  },
  {
    name: "an error body with status 200",
    answers: [json(200, { error: { message: "x", code: "rate_limit_exceeded" } }), good],
    ...failed("busy"),
    waits: [],
  },
  {
    name: "a web page with status 200",
    answers: [answer(200, "<html></html>", { "content-type": "text/html" }), good],
    ...failed("protocol"),
    waits: [],
  },
  {
    name: "a damaged reply",
    answers: [answer(200, "data: {broken\n\n"), good],
    status: "interrupted",
    problem: "protocol",
    waits: [],
  },
  {
    name: "a fault, then a reply that is cut",
    answers: [refuse(500), answer(200, sse(delta))],
    status: "interrupted",
    problem: "network",
    text: "Hel",
    waits: [500],
  },
];

for (const { name, answers, status, waits, problem, text = "", retryIn } of sequences) {
  test(`retry: ${name}`, async () => {
    await using server = await startFaultServer(...answers);
    const { events, waited } = await respond(server.url);
    const last = events.at(-1);
    assert.ok(last?.type === "ended");
    const { reply } = last;
    assert.deepEqual([reply.status, reply.text, reply.problem?.kind], [status, text, problem]);
    assert.deepEqual(waited, waits);
    assert.equal(reply.requests, waits.length + 1);
    assert.equal(server.requests.length, reply.requests);
    assert.equal(reply.problem?.retryAt, retryIn === undefined ? undefined : now + retryIn * 1000);
    const told = events.flatMap((event) =>
      event.type === "waiting" ? [[event.seconds * 1000, event.attempt]] : [],
    );
    assert.deepEqual(
      told,
      waits.map((wait, index) => [wait, index + 2]),
      "a countdown can be shown",
    );
    assert.equal(events.filter((event) => event.type === "ended").length, 1);
  });
}

test("retry: every request carries the same body and a nonce of its own", async () => {
  await using server = await startFaultServer(refuse(500), reset(), good);
  await respond(server.url, { nonceHeader: "Svc-Request-Nonce" });
  const nonces = server.requests.map((request) => request.headers.get("svc-request-nonce"));
  assert.equal(new Set(nonces).size, 3);
  for (const nonce of nonces)
    assert.match(nonce ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(server.requests.map((request) => request.body)).size, 1);
});

test("retry: the delay grows, never beyond eight seconds, with a quarter of chance either way", async () => {
  for (const [chance, expected] of [
    [0, [375, 750]],
    [1, [625, 1250]],
  ] as const) {
    await using server = await startFaultServer(refuse(500));
    const { waited } = await respond(server.url, {}, chance);
    assert.deepEqual(waited, expected);
  }
});

test("retry: Stop while waiting ends at once, without another request", async () => {
  await using server = await startFaultServer(after("30"), good);
  const stop = new AbortController();
  const client = createServiceClient({
    connection: async () => ({ baseUrl: server.url, key }),
    settings: () => ({}),
    log: silentLog,
  });
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

async function respond(baseUrl: string, settings = {}, chance = 0.5) {
  const waited: number[] = [];
  const client = createServiceClient({
    connection: async () => ({ baseUrl, key }),
    settings: () => settings,
    log: silentLog,
    now: () => now,
    random: () => chance,
    wait: async (milliseconds) => void waited.push(milliseconds),
  });
  const events: ReplyEvent[] = [];
  const message = '{"type":"message","role":"user","content":"Hi"}';
  for await (const event of client.respond({ input: [message] }, new AbortController().signal))
    events.push(event);
  client.dispose();
  return { events, waited };
}
