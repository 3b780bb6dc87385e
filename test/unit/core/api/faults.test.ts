// The fault matrix (faults.md §3), connection, HTTP and stream: each row by its number. Every row runs with a canary
// for a key at the finest log level, and half of the servers quote the request they got.
import assert from "node:assert/strict";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import {
  type Answer,
  answer,
  head,
  json,
  reset,
  type SeenRequest,
  sse,
  startFaultServer,
} from "../../../support/fault-server.ts";
import { oneTurn } from "../../../support/one-turn.ts";
import { certificate, keyPair } from "../../../support/tls-service.ts";
import { canary, type Watched, watch } from "../../../support/watched-client.ts";

const delta = (text: string) => ({ type: "response.output_text.delta", item_id: "m", delta: text });
const created = { type: "response.created", response: { id: "r", status: "in_progress", output: [] } };
const completedWith = (text: string) => ({
  type: "response.completed",
  response: {
    id: "r",
    status: "completed",
    output: [{ id: "m", type: "message", content: [{ type: "output_text", text }] }],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  },
});
const whole = sse(created, delta("Hel"), delta("lo"), completedWith("Hello"));
const good = answer(200, whole);
/** What a careless service says: the request, key and all. */
const quoting =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (socket, request) => {
    const message = `Bad request with ${quote(request)}`;
    void json(status, { error: { message, type: "x", code: null } }, headers)(socket, request);
  };
const quote = (request: SeenRequest) =>
  `${request.headers.get("authorization")} ${Buffer.from(request.headers.get("authorization") ?? "").toString("base64")} key=${canary.slice(0, 14)}…`;

interface Row {
  readonly row: number;
  readonly name: string;
  readonly answers: readonly Answer[];
  readonly requests?: number;
  readonly status: string;
  readonly text?: string;
  readonly says?: RegExp;
  readonly kind?: string;
}

const done = { status: "completed", text: "Hello" };
const partial = { status: "interrupted", text: "Hel", says: /ended before the reply was complete/ };
const failed = { status: "failed" };
const rows: Row[] = [
  { row: 6, name: "reset before headers", answers: [reset(), good], requests: 2, ...done },
  {
    row: 9,
    name: "400 with an error body",
    answers: [quoting(400)],
    ...failed,
    says: /refused the request \(400\): Bad request/,
  },
  { row: 11, name: "401", answers: [quoting(401)], ...failed, kind: "auth", says: /refused the API key/ },
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
    says: /web page \(HTML\), not the service/,
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
    requests: 2,
    status: "interrupted",
    says: /empty reply/,
  },
  {
    row: 27,
    name: "204",
    answers: [(socket) => void socket.write("HTTP/1.1 204 No Content\r\n\r\n")],
    requests: 2,
    status: "interrupted",
    says: /empty reply/,
  },
  { row: 28, name: "gzip that is cut", answers: [cutGzip], ...partial },
  { row: 28, name: "gzip", answers: [answer(200, gzipSync(whole), { "content-encoding": "gzip" })], ...done },
  {
    row: 30,
    name: "CRLF, byte order mark, comments",
    answers: [answer(200, `\ufeff: hi\r\n\r\n${whole.replaceAll("\n", "\r\n")}`)],
    ...done,
  },
  {
    row: 31,
    name: "a clean close before any output",
    answers: [answer(200, sse(created)), good],
    requests: 2,
    ...done,
  },
  {
    row: 32,
    name: "a clean close after text",
    answers: [answer(200, sse(created, delta("Hel")))],
    ...partial,
  },
  { row: 33, name: "a reset after text", answers: [reset(head(200) + sse(delta("Hel")))], ...partial },
  { row: 34, name: "a reset after the end record", answers: [reset(head(200) + whole)], ...done },
  {
    row: 35,
    name: "half a record at the end",
    answers: [answer(200, sse(delta("Hel")) + sse(delta("lo")).slice(0, -10))],
    ...partial,
  },
  { row: 36, name: "the last record without a blank line", answers: [answer(200, whole.trimEnd())], ...done },
  {
    row: 37,
    name: "[DONE] without an end record",
    answers: [answer(200, sse(delta("Hel"), "[DONE]"))],
    ...partial,
  },
  {
    row: 40,
    name: "[DONE]x",
    answers: [answer(200, sse(delta("Hel"), "[DONE]x"))],
    status: "interrupted",
    text: "Hel",
    kind: "protocol",
    says: /damaged/,
  },
  {
    row: 41,
    name: "a record that is not JSON",
    answers: [answer(200, sse(delta("Hel"), '{"type":'))],
    status: "interrupted",
    text: "Hel",
    kind: "protocol",
    says: /damaged/,
  },
  {
    row: 42,
    name: "an error record, flat, before text, worth repeating",
    answers: [answer(200, sse({ type: "error", code: "rate_limit_exceeded", message: "x" })), good],
    requests: 2,
    ...done,
  },
  {
    row: 42,
    name: "an error record, nested, after text",
    answers: [
      answer(200, sse(delta("Hel"), { type: "error", error: { message: `It broke for ${canary}.` } })),
      good,
    ],
    ...failed,
    text: "Hel",
    says: /It broke for \[hidden\]/,
  },
  {
    row: 42,
    name: "an error record of plain text",
    answers: [answer(200, `${sse(delta("Hel"))}event: error\ndata: It broke.\n\n`)],
    ...failed,
    text: "Hel",
    says: /It broke/,
  },
  {
    row: 43,
    name: "response.failed after text",
    answers: [
      answer(
        200,
        sse(delta("Hel"), {
          type: "response.failed",
          response: { status: "failed", error: { code: "server_error", message: "It broke." } },
        }),
      ),
    ],
    ...failed,
    text: "Hel",
    says: /It broke/,
  },
  {
    row: 44,
    name: "response.incomplete",
    answers: [
      answer(
        200,
        sse(delta("Hel"), {
          type: "response.incomplete",
          response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
        }),
      ),
    ],
    status: "incomplete",
    text: "Hel",
  },
  {
    row: 45,
    name: "deltas doubled, swapped and lost",
    answers: [answer(200, sse(delta("lo"), delta("lo"), delta("Hel"), completedWith("Hello")))],
    ...done,
  },
  {
    row: 46,
    name: "unknown events, items and fields",
    answers: [
      answer(
        200,
        sse(
          { type: "response.new", x: 1 },
          { ...delta("Hel"), obfuscation: "x" },
          { type: "response.output_item.done", output_index: 3, item: { id: "z", type: "z_call" } },
          completedWith("Hello"),
        ),
      ),
    ],
    ...done,
  },
];

for (const { row, name, answers, requests = 1, status, text = "", says, kind } of rows) {
  test(`row ${row}: ${name}`, async () => {
    await using server = await startFaultServer(...answers);
    using watched = watch(server.url);
    const { reply } = await watched.turn();
    assert.deepEqual([reply.status, reply.text], [status, text]);
    assert.equal(server.requests.length, requests);
    if (says !== undefined) assert.match(reply.problem?.message ?? "", says);
    if (kind !== undefined) assert.equal(reply.problem?.kind, kind);
    if (says === undefined && kind === undefined) assert.equal(reply.problem, undefined);
    assertReadable(watched, reply.problem?.message);
  });
}

test("row 1: a host that does not exist is tried three times, then named", async () => {
  using watched = watch("https://patchbay.invalid");
  const { reply } = await watched.turn();
  assert.equal(reply.requests, 3);
  assert.match(reply.problem?.message ?? "", /^Cannot reach patchbay\.invalid \(E\w+\)\.$/);
  assertReadable(watched, reply.problem?.message);
});

test("row 2: a refused connection is tried three times, then named", async () => {
  const { port } = await closedPort();
  using watched = watch(`http://127.0.0.1:${port}`);
  const { reply } = await watched.turn();
  assert.deepEqual([reply.status, reply.requests], ["failed", 3]);
  assert.match(reply.problem?.message ?? "", /^Cannot reach 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\.$/);
  assert.deepEqual(watched.waited, [500, 1000]);
  watched.assertNoCanary();
});

test("row 3: a connection that is never made is given up and tried again", async () => {
  // TCP connects, the handshake never ends: to the client the same as a lost SYN.
  const silent = createTcpServer(() => {});
  await listen(silent);
  using watched = watch(`https://127.0.0.1:${portOf(silent)}`, { connectSeconds: 0.1 });
  const { reply } = await watched.turn();
  silent.close();
  assert.equal(reply.requests, 3);
  assert.match(reply.problem?.message ?? "", /^No connection to the service in 0\.1 seconds\.$/);
  watched.assertNoCanary();
});

for (const [title, name, authority, code] of [
  ["a certificate for another host", "other", true, /ALTNAME/],
  ["an expired certificate", "expired", true, /EXPIRED/],
  ["a certificate of an unknown authority", "service", false, /VERIFY|ISSUER|SELF_SIGNED/],
] as const) {
  test(`row 4: ${title} is refused before anything is sent`, async () => {
    let requests = 0;
    const server = createTlsServer(keyPair(name), () => requests++);
    server.on("tlsClientError", () => {});
    await listen(server);
    const extra = authority ? [certificate("authority")] : [];
    using watched = watch(`https://localhost:${portOf(server)}`, { certificates: { extra } });
    const { reply } = await watched.turn();
    server.close();
    assert.equal(requests, 0);
    assert.equal(reply.requests, 1);
    assert.match(reply.problem?.message ?? "", /certificate of localhost:\d+ was not accepted/);
    assert.match(reply.problem?.message ?? "", code);
    assert.ok(reply.problem?.actions.includes("proxy-help"));
    watched.assertNoCanary();
  });
}

test("row 5: a proxy that asks for a login is named, once", async () => {
  await using proxy = await startFaultServer((socket) => {
    socket.end(
      'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="x"\r\ncontent-length: 0\r\n\r\n',
    );
  });
  using watched = watch("https://service.test", {}, { environment: { HTTPS_PROXY: proxy.url } });
  const { reply } = await watched.turn();
  assert.equal(proxy.requests.length, 1);
  assert.equal(reply.problem?.message, "The proxy asks for a login (407).");
  assert.ok(
    !JSON.stringify([...(proxy.requests[0]?.headers ?? [])]).includes(canary),
    "the proxy never sees the key",
  );
  watched.assertNoCanary();
});

test("row 7: a kept connection that died is replaced at once and unseen", async () => {
  await using server = await startFaultServer(
    (socket) => {
      const body = Buffer.from(whole);
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n`,
      );
      socket.write(body);
    },
    (socket) => void socket.resetAndDestroy(),
    good,
  );
  using watched = watch(server.url);
  await watched.turn();
  // A connection is used again no sooner than in the next round of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  const { reply, events } = await watched.turn();
  assert.deepEqual([reply.status, reply.text, reply.requests], ["completed", "Hello", 2]);
  assert.equal(server.requests[1]?.connection, 0, "the second request came on the kept connection");
  assert.deepEqual(watched.waited, []);
  assert.ok(!events.some((event) => event.type === "waiting"));
  watched.assertNoCanary();
});

test("row 8: headers that never come are waited for once more", async () => {
  await using server = await startFaultServer(() => {});
  using watched = watch(server.url, { firstByteSeconds: 0.1 });
  const { reply } = await watched.turn();
  assert.deepEqual([reply.status, reply.requests], ["failed", 2]);
  assert.equal(reply.problem?.message, "The service did not answer in 0.1 seconds.");
  watched.assertNoCanary();
});

test("row 10: a 400 about prompt_cache_breakpoint says what to remove", async () => {
  await using server = await startFaultServer(
    json(400, { error: { message: "breakpoints are unsupported" } }),
  );
  const turn = await oneTurn({
    baseUrl: server.url,
    key: canary,
    route: "responses",
    prompt: "What is prompt_cache_breakpoint?",
  });
  assert.match(turn.problem?.message ?? "", /content that contains “prompt_cache_breakpoint”/);
  assert.equal(turn.requests, 1);
});

test("row 15: 429 with Retry-After is waited for, with a countdown", async () => {
  await using server = await startFaultServer(quoting(429, { "retry-after": "2" }), good);
  using watched = watch(server.url);
  const { reply, events } = await watched.turn();
  assert.equal(reply.status, "completed");
  const waiting = events.find((event) => event.type === "waiting");
  assert.ok(waiting?.type === "waiting" && waiting.seconds >= 2 && waiting.attempt === 2);
  watched.assertNoCanary();
});

test("row 16: 429 with a long Retry-After names the time and waits for nobody", async () => {
  await using server = await startFaultServer(quoting(429, { "retry-after": "120" }), good);
  const now = Date.now();
  using watched = watch(server.url, {}, { now: () => now });
  const { reply } = await watched.turn();
  assert.equal(reply.requests, 1);
  assert.equal(reply.problem?.retryAt, now + 120_000);
  assert.match(reply.problem?.message ?? "", /Try again at \d+:\d\d/);
  watched.assertNoCanary();
});

test("row 18: twenty conversations in a storm of 429 make three requests each, at different times", async () => {
  await using server = await startFaultServer(quoting(429));
  const waits = await Promise.all(
    Array.from({ length: 20 }, async () => {
      using watched = watch(server.url, {}, { random: Math.random });
      const { reply } = await watched.turn();
      assert.equal(reply.requests, 3);
      watched.assertNoCanary();
      return watched.waited[0];
    }),
  );
  assert.equal(server.requests.length, 60);
  assert.ok(new Set(waits).size > 10);
});

test("row 19: a Retry-After that says nothing leaves our own delay", async () => {
  for (const value of [new Date(0).toUTCString(), "NaN", "-1"]) {
    await using server = await startFaultServer(quoting(429, { "retry-after": value }), good);
    using watched = watch(server.url);
    await watched.turn();
    assert.deepEqual(watched.waited, [500], value);
  }
});

test("row 22: an error body without end is left, and the status stays", async () => {
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
  using watched = watch(server.url);
  const { reply } = await watched.turn();
  await Promise.all(ends);
  assert.deepEqual([reply.problem?.status, reply.problem?.detail], [400, undefined]);
  assert.equal(reply.problem?.message, "The service refused the request (400).");
});

for (const status of [301, 302, 303, 307, 308]) {
  test(`row 23: a redirect (${status}) is refused, and nothing is sent there`, async () => {
    await using elsewhere = await startFaultServer(good);
    await using server = await startFaultServer(
      json(status, {}, { location: `${elsewhere.url}/v1/responses` }),
    );
    using watched = watch(server.url);
    const { reply } = await watched.turn();
    assert.deepEqual([reply.status, reply.requests, reply.problem?.kind], ["failed", 1, "redirect"]);
    assert.equal(elsewhere.connections, 0);
    watched.assertNoCanary();
  });
}

test("row 28: a gzip bomb is left at the cap", async () => {
  const bomb = gzipSync(
    Buffer.concat([Buffer.from(sse(delta("Hel"))), Buffer.alloc(150 * 2 ** 20, ": xxx\n")]),
  );
  await using server = await startFaultServer(answer(200, bomb, { "content-encoding": "gzip" }));
  using watched = watch(server.url);
  const { reply } = await watched.turn();
  assert.deepEqual([reply.status, reply.text, reply.problem?.kind], ["interrupted", "Hel", "too-large"]);
});

test("row 29: bytes that arrive one by one make the same text", async () => {
  await using server = await startFaultServer(async (socket) => {
    socket.write(head(200));
    for (const byte of Buffer.from(sse(delta("Héllo "), delta("👋"), completedWith("Héllo 👋")))) {
      await new Promise((resolve) => socket.write(Buffer.of(byte), resolve));
    }
    socket.end();
  });
  using watched = watch(server.url);
  const { reply } = await watched.turn();
  assert.deepEqual([reply.status, reply.text], ["completed", "Héllo 👋"]);
});

const chunk = (content: string, finish: string | null = null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
});
for (const [row, name, body, status] of [
  [38, "a finish_reason without [DONE]", sse(chunk("Hello", "stop")), "completed"],
  [38, "[DONE] without a finish_reason", sse(chunk("Hello"), "[DONE]"), "completed"],
  [39, "neither finish_reason nor [DONE]", sse(chunk("Hello")), "interrupted"],
] as const) {
  test(`row ${row}: chat with ${name}`, async () => {
    await using server = await startFaultServer(answer(200, body));
    const turn = await oneTurn({ baseUrl: server.url, key: canary, route: "chat", prompt: "Hi" });
    assert.deepEqual([turn.status, turn.text], [status, "Hello"]);
  });
}

test("row 47: silence after text ends as interrupted, by our timer and nobody else's", async () => {
  await using server = await startFaultServer((socket) => void socket.write(head(200) + sse(delta("Hel"))));
  using watched = watch(server.url, { idleSeconds: 0.1 });
  const { reply } = await watched.turn();
  assert.deepEqual([reply.status, reply.text, reply.requests], ["interrupted", "Hel", 1]);
  assert.equal(reply.problem?.message, "The service sent no data for 0.1 seconds.");
  assert.deepEqual(reply.problem?.actions, ["continue", "retry"]);
  await server.idle();
});

test("row 48: heartbeats alone keep a reply alive", async () => {
  await using server = await startFaultServer((socket) =>
    pace(socket, [head(200), ...Array(12).fill(": ping\n\n"), whole], 150),
  );
  using watched = watch(server.url, { idleSeconds: 1 });
  const { reply } = await watched.turn();
  assert.deepEqual([reply.status, reply.text, reply.requests], ["completed", "Hello", 1]);
});

test("row 49: a slow reply is a reply", async () => {
  const pieces = whole.match(/[\s\S]{1,40}/g) ?? [];
  await using server = await startFaultServer((socket) => pace(socket, [head(200), ...pieces], 50));
  using watched = watch(server.url, { idleSeconds: 1 });
  const { reply } = await watched.turn();
  assert.deepEqual([reply.status, reply.text], ["completed", "Hello"]);
});

test("row 50: a proxy that holds everything back and then bursts loses nothing", async () => {
  const words = Array.from({ length: 2_000 }, (_, index) => `word${index} `);
  await using server = await startFaultServer((socket) =>
    pace(socket, [head(200), sse(...words.map(delta), completedWith(words.join("")))], 100),
  );
  using watched = watch(server.url);
  const { reply, events } = await watched.turn();
  assert.equal(reply.text, words.join(""));
  assert.equal(events.filter((event) => event.type === "text").length, 2_000);
});

test("row 51: a record over 32 MiB is refused, and what came before it stays", async () => {
  const filler = Buffer.alloc(2 ** 20, "x");
  await using server = await startFaultServer((socket) => {
    socket.write(`${head(200) + sse(delta("Hel"))}data: {"type":"response.output_text.delta","delta":"`);
    const pour = () => {
      while (!socket.destroyed && socket.write(filler));
    };
    socket.on("drain", pour);
    pour();
  });
  using watched = watch(server.url);
  const { reply } = await watched.turn();
  await server.idle();
  assert.deepEqual([reply.status, reply.text, reply.problem?.kind], ["interrupted", "Hel", "too-large"]);
});

test("row 52: 20,000 deltas arrive in order, and other work gets its turn", async () => {
  const deltas = Array.from({ length: 20_000 }, (_, index) => delta(`${index} `));
  const text = deltas.map((event) => event.delta).join("");
  await using server = await startFaultServer(answer(200, sse(...deltas, completedWith(text))));
  using watched = watch(server.url);
  let turns = 0;
  const ticking = setInterval(() => turns++, 1);
  const { reply } = await watched.turn();
  clearInterval(ticking);
  assert.equal(reply.text, text);
  assert.ok(turns > 2, "the event loop went round while the reply was read");
});

test("row 53: a socket that stays open after the end is closed by us, and the reply does not wait for it", async () => {
  await using server = await startFaultServer(
    (socket) => void socket.write(head(200) + whole.replaceAll("\n", "\r")),
  );
  using watched = watch(server.url);
  const { reply } = await watched.turn();
  assert.equal(reply.status, "completed");
  await server.idle();
});

test("row 53: chat waits a moment for usage after the end, and no longer", async () => {
  await using server = await startFaultServer(
    (socket) => void socket.write(head(200) + sse(chunk("Hello", "stop"))),
  );
  const turn = await oneTurn({ baseUrl: server.url, key: canary, route: "chat", prompt: "Hi" });
  assert.deepEqual([turn.status, turn.text, turn.usage], ["completed", "Hello", undefined]);
  await server.idle();
});

test("row 57: a call_id that the history holds does not run again", async () => {
  const item = {
    id: "fc_1",
    type: "function_call",
    status: "completed",
    call_id: "call_1",
    name: "read_file",
    arguments: "{}",
  };
  const replayed = sse(
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { status: "completed", output: [item] } },
  );
  await using server = await startFaultServer(answer(200, replayed));
  using watched = watch(server.url);
  const input = [JSON.stringify(item), '{"type":"function_call_output","call_id":"call_1","output":"x"}'];
  for await (const event of watched.client.respond({ input }, new AbortController().signal)) {
    if (event.type !== "ended") continue;
    assert.equal(event.reply.calls.length, 1);
    assert.deepEqual(event.reply.runnable, []);
  }
});

test("row 62: Stop in the same moment as the end has one outcome", async () => {
  for (const stopAt of ["opened", "text", "item"]) {
    await using server = await startFaultServer(good);
    using watched = watch(server.url);
    const stop = new AbortController();
    const { reply, events } = await watched.turn(stop.signal, (event) => {
      if (event.type === stopAt) stop.abort();
    });
    assert.equal(reply.status, "stopped");
    assert.deepEqual(reply.runnable, []);
    const at = events.findIndex((event) => event.type === stopAt);
    assert.equal(events[at + 1]?.type, "ended", "nothing follows an abort but the end");
    await server.idle();
  }
});

test("leaving the events early closes the socket", async () => {
  await using server = await startFaultServer((socket) => void socket.write(head(200) + sse(delta("Hel"))));
  using watched = watch(server.url);
  const message = '{"type":"message","role":"user","content":"Hi"}';
  for await (const event of watched.client.respond({ input: [message] }, new AbortController().signal)) {
    if (event.type === "text") break;
  }
  await server.idle();
});

function assertReadable(watched: Watched, message: string | undefined): void {
  watched.assertNoCanary();
  if (message === undefined) return;
  assert.match(message, /^[A-Z].*[.!?…]$/, "one whole sentence");
  assert.ok(message.length <= 500 && !/[<>]/.test(message));
}

function cutGzip(socket: Socket): void {
  const bytes = gzipSync(
    sse(delta("Hel")) + sse(...Array.from({ length: 4_000 }, (_, at) => ({ type: "keepalive", at }))),
  );
  socket.write(head(200, { "content-encoding": "gzip" }));
  socket.end(bytes.subarray(0, bytes.length - 20));
}

async function pace(socket: Socket, pieces: readonly string[], milliseconds: number): Promise<void> {
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }
  socket.end();
}

type Listening = Pick<ReturnType<typeof createTcpServer>, "listen" | "address">;
const listen = (server: Listening) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const portOf = (server: Listening) => (server.address() as AddressInfo).port;

async function closedPort(): Promise<{ port: number }> {
  const server = createTcpServer();
  await listen(server);
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return { port };
}
