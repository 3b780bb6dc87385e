// The fault matrix (faults.md §3), rows 9 to 28: what a service, or something before it, answers instead of a stream.
import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { english } from "../../support/english.ts";
import { type AnswerRow, answerRow, faultRow } from "../../support/fault-row.ts";
import { answer, head, json, sse, startFaultServer } from "../../support/fault-server.ts";
import {
  completedWith,
  delta,
  done,
  failed,
  good,
  partial,
  quoting,
  whole,
} from "../../support/hello-reply.ts";
import { watch } from "../../support/watched-client.ts";

const rows: readonly AnswerRow[] = [
  {
    row: 9,
    name: "400 with an error body",
    answers: [quoting(400)],
    ...failed,
    says: /refused the request \(400\): Bad request/,
  },
  { row: 11, name: "401", answers: [quoting(401)], ...failed, kind: "auth", says: /API key wasn't accepted/ },
  { row: 11, name: "403", answers: [quoting(403)], ...failed, kind: "auth" },
  {
    row: 12,
    name: "404 for a model",
    answers: [json(404, { error: { message: "No model svc-k3.", code: "model_not_found" } })],
    ...failed,
    says: /No model svc-k3/,
  },
  { row: 13, name: "408", answers: [quoting(408), good], requests: 2, ...done },
  { row: 13, name: "409", answers: [quoting(409), good], requests: 2, ...done },
  {
    row: 14,
    name: "413 tells the size",
    answers: [answer(413, "")],
    ...failed,
    kind: "too-large",
    says: /413; 1 KB were sent/,
  },
  {
    row: 17,
    name: "429 because of the quota",
    answers: [json(429, { error: { message: "Pay.", code: "insufficient_quota" } })],
    ...failed,
    kind: "quota",
    says: /quota \(429\): Pay/,
  },
  ...[500, 502, 503, 504, 529].map((status) => ({
    row: 20,
    name: `${status} three times`,
    answers: [quoting(status)],
    requests: 3,
    ...failed,
    says: new RegExp(`Server error ${status}`),
  })),
  {
    row: 21,
    name: "5xx with a page",
    answers: [answer(502, "<!doctype html><title>502</title><h1>Bad</h1>", { "content-type": "text/html" })],
    requests: 3,
    ...failed,
    says: /^Server error 502\.$/,
  },
  {
    row: 24,
    name: "200 with a page",
    answers: [answer(200, "<html>Sign in</html>", { "content-type": "text/html" })],
    ...failed,
    says: /web page, not the service/,
  },
  { row: 25, name: "200 with one document", answers: [json(200, completedWith("Hello").response)], ...done },
  {
    row: 26,
    name: "200 with an error body",
    answers: [json(200, { error: { message: "Not today." } })],
    ...failed,
    says: /Not today/,
  },
  {
    row: 27,
    name: "200 without a body",
    answers: [answer(200, "")],
    status: "interrupted",
    says: /empty reply/,
  },
  {
    row: 27,
    name: "204",
    answers: [(socket) => void socket.write("HTTP/1.1 204 No Content\r\n\r\n")],
    status: "interrupted",
    says: /empty reply/,
  },
  { row: 28, name: "gzip that is cut", answers: [cutGzip], ...partial },
  { row: 28, name: "gzip", answers: [answer(200, gzipSync(whole), { "content-encoding": "gzip" })], ...done },
];

for (const row of rows) answerRow(row);

faultRow(10, "a 400 about prompt_cache_breakpoint names the content to remove", async ({ watch }) => {
  await using server = await startFaultServer(
    json(400, { error: { message: "breakpoints are unsupported" } }),
  );
  const { reply } = await watch(server.url).turn({ prompt: "What is prompt_cache_breakpoint?" });
  assert.match(english(reply.problem), /content with “prompt_cache_breakpoint”/);
  assert.equal(reply.requests, 1);
});

test("another 400 to a request with prompt_cache_breakpoint quotes the service first", async () => {
  await using server = await startFaultServer(json(400, { error: { message: "No such tool." } }));
  using watched = watch(server.url);
  const { reply } = await watched.turn({ prompt: "What is prompt_cache_breakpoint?" });
  assert.match(
    english(reply.problem),
    /^The service refused the request \(400\): No such tool\. It contains “prompt_cache_breakpoint”/,
  );
});

test("a refused key is reported as auth, and only messages about payment as quota", async () => {
  const said = async (status: number, message: string) => {
    await using server = await startFaultServer(json(status, { error: { message } }));
    using watched = watch(server.url);
    const { problem } = (await watched.turn()).reply;
    return [problem?.kind, problem?.actions];
  };
  assert.deepEqual(await said(401, "Invalid key; see your billing page."), ["auth", ["set-key"]]);
  assert.deepEqual((await said(403, "Your balance is too low."))[0], "quota");
  assert.deepEqual((await said(400, "The billing of tool calls must balance."))[0], "bad-request");
  assert.deepEqual((await said(404, "No model named quota."))[0], "not-found");
});

faultRow(15, "429 with Retry-After is retried after the wait, with a waiting event", async ({ watch }) => {
  await using server = await startFaultServer(quoting(429, { "retry-after": "2" }), good);
  const watched = watch(server.url);
  const { reply, events } = await watched.turn();
  assert.equal(reply.status, "completed");
  const waiting = events.find((event) => event.type === "waiting");
  assert.ok(waiting?.type === "waiting" && waiting.seconds >= 2);
  assert.equal(reply.requests, 2);
});

faultRow(16, "429 with a long Retry-After fails at once and reports when to retry", async ({ watch }) => {
  await using server = await startFaultServer(quoting(429, { "retry-after": "120" }), good);
  const now = Date.now();
  const watched = watch(server.url, {}, { now: () => now });
  const { reply } = await watched.turn();
  assert.equal(reply.requests, 1);
  assert.equal(reply.problem?.retryAt, now + 120_000);
  assert.match(english(reply.problem), /Try again at \d+:\d\d/);
});

faultRow(
  18,
  "twenty conversations that get 429 send three requests each, at different times",
  async ({ watch }) => {
    await using server = await startFaultServer(quoting(429));
    const waits = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const watched = watch(server.url, {}, { random: Math.random });
        const { reply } = await watched.turn();
        assert.equal(reply.requests, 3);
        return watched.waited[0];
      }),
    );
    assert.equal(server.requests.length, 60);
    assert.ok(new Set(waits).size > 10);
  },
);

faultRow(19, "an invalid Retry-After falls back to the default delay", async ({ watch }) => {
  for (const value of [new Date(0).toUTCString(), "NaN", "-1"]) {
    await using server = await startFaultServer(quoting(429, { "retry-after": value }), good);
    const watched = watch(server.url);
    await watched.turn();
    assert.deepEqual(watched.waited, [500], value);
  }
});

faultRow(22, "an endless error body is cut off, and its status is reported", async ({ watch }) => {
  const ends: Promise<void>[] = [];
  await using server = await startFaultServer((socket) => {
    ends.push(new Promise((resolve) => socket.once("close", () => resolve())));
    socket.write(head(400, { "content-type": "text/plain" }));
    const pour = () => {
      while (!socket.destroyed && socket.write("x".repeat(65_536)));
    };
    socket.on("drain", pour);
    pour();
  });
  const watched = watch(server.url);
  const { reply } = await watched.turn();
  await Promise.all(ends);
  assert.deepEqual([reply.problem?.status, reply.problem?.detail], [400, undefined]);
  assert.equal(english(reply.problem), "The service refused the request (400).");
});

for (const status of [301, 302, 303, 307, 308]) {
  faultRow(23, `a redirect (${status}) is refused without a request to its target`, async ({ watch }) => {
    await using elsewhere = await startFaultServer(good);
    await using server = await startFaultServer(
      json(status, {}, { location: `${elsewhere.url}/v1/responses` }),
    );
    const watched = watch(server.url);
    const { reply } = await watched.turn();
    assert.deepEqual([reply.status, reply.requests, reply.problem?.kind], ["failed", 1, "redirect"]);
    assert.equal(elsewhere.connections, 0);
  });
}

faultRow(28, "a gzip bomb is cut off at the size limit", async ({ watch }) => {
  // Compressed once and repeated: a gzip stream may have many members.
  const member = gzipSync(Buffer.alloc(3 * 2 ** 20, ": xxx\n"));
  const bomb = Buffer.concat([gzipSync(sse(delta("Hel"))), ...Array.from({ length: 50 }, () => member)]);
  await using server = await startFaultServer(answer(200, bomb, { "content-encoding": "gzip" }));
  const watched = watch(server.url);
  const { reply } = await watched.turn();
  assert.deepEqual([reply.status, reply.text, reply.problem?.kind], ["interrupted", "Hel", "too-large"]);
});

function cutGzip(socket: Socket): void {
  const bytes = gzipSync(
    sse(delta("Hel")) + sse(...Array.from({ length: 4_000 }, (_, at) => ({ type: "keepalive", at }))),
  );
  socket.write(head(200, { "content-encoding": "gzip" }));
  socket.end(bytes.subarray(0, bytes.length - 20));
}
