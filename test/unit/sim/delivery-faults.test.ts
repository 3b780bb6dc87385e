import assert from "node:assert/strict";
import { test } from "node:test";
import {
  blackHole,
  closeBeforeHeaders,
  cutAfter,
  cutAfterEvents,
  cutHeaders,
  endlessLine,
  keepOpen,
  resetAfterHeaders,
  resetBeforeHeaders,
  splitEvery,
  staleAfterwards,
} from "../../sim/delivery-faults.ts";
import { json } from "../../sim/http-answers.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";
import { events, hello, isComplete, playHello, post } from "./hello-stream.ts";
import { dechunked, observe } from "./observe.ts";

// Faults of the connection: before the headers, within an answer, after it.

let sim: Simulator;
let whole: Buffer;
playHello((playing, undisturbed) => {
  sim = playing;
  whole = undisturbed;
});

test("resetBeforeHeaders resets the connection without sending a byte", async () => {
  sim.fault(resetBeforeHeaders());
  assert.deepEqual(summary(await observe(sim)), { end: "reset", bytes: 0 });
});

test("closeBeforeHeaders closes the connection without sending a byte", async () => {
  sim.fault(closeBeforeHeaders());
  assert.deepEqual(summary(await observe(sim)), { end: "closed", bytes: 0 });
});

test("resetAfterHeaders sends the headers and resets the connection", async () => {
  sim.reply(hello, resetAfterHeaders());
  const seen = await observe(sim);
  assert.match(seen.head, /^HTTP\/1\.1 200 OK\r\n/);
  assert.deepEqual([seen.end, seen.body.length], ["reset", 0]);
});

test("cutHeaders cuts the headers by close, reset or hang", async () => {
  for (const [how, end] of [
    ["close", "closed"],
    ["reset", "reset"],
  ] as const) {
    sim.reply(hello, cutHeaders(25, how));
    const { pieces, end: ended } = await observe(sim);
    assert.deepEqual([Buffer.concat(pieces).toString("latin1"), ended], ["HTTP/1.1 200 OK\r\ncontent-", end]);
  }
  sim.reply(hello, cutHeaders(25, "hang"));
  const seen = await observe(sim, (bytes) => bytes.length === 25);
  assert.equal(seen.end, "still open");
});

test("blackHole sends nothing and records that the client closed", async () => {
  sim.fault(blackHole());
  const number = sim.requests.length;
  const leave = new AbortController();
  const answer = fetch(`${sim.url}/v1/responses`, { ...post(sim), signal: leave.signal });
  const seen = await sim.request(number);
  leave.abort();
  await assert.rejects(answer);
  await seen.settled;
  assert.deepEqual([seen.closedByClient, seen.status], [true, 0]);
});

for (const [how, end] of [
  ["close", "closed"],
  ["reset", "reset"],
] as const)
  test(`cutAfter by ${how} sends n bytes of the body without a terminator`, async () => {
    for (const count of [0, 1, 40, 500]) {
      sim.reply(hello, cutAfter(count, how));
      const seen = await observe(sim);
      const { payload, complete } = dechunked(seen.body);
      assert.deepEqual([payload.length, complete, seen.end], [count, false, end]);
    }
  });

test("cutAfter by clean ends the message properly", async () => {
  sim.reply(hello, cutAfter(40, "clean"));
  const { payload, complete } = dechunked((await observe(sim, isComplete)).body);
  assert.deepEqual([payload.length, complete], [40, true]);
});

test("cutAfter by hang sends n bytes and leaves the connection open", async () => {
  sim.reply(hello, cutAfter(40, "hang"));
  const seen = await observe(sim, (bytes) => dechunked(bodyOf(bytes)).payload.length === 40);
  assert.equal(seen.end, "still open");
});

test("cutAfterEvents sends n complete events", async () => {
  sim.reply(hello, cutAfterEvents(3));
  const seen = await observe(sim);
  assert.equal(events(dechunked(seen.body).payload), 3);
  assert.equal(seen.end, "closed");
});

test("keepOpen sends the whole body without its terminator and leaves the connection open", async () => {
  sim.reply(hello, keepOpen());
  const seen = await observe(sim, (bytes) => dechunked(bodyOf(bytes)).payload.length === whole.length);
  assert.deepEqual([dechunked(seen.body).complete, seen.end], [false, "still open"]);
});

test("staleAfterwards resets the connection at the next request without recording it", async () => {
  sim.reply(hello, staleAfterwards());
  const { port } = new URL(sim.url);
  const { Agent, request } = await import("node:http");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () =>
    new Promise<number>((resolve, reject) => {
      const { method, headers, body } = post(sim);
      const sent = request({ host: "127.0.0.1", port, path: "/v1/responses", method, headers, agent });
      sent.on("response", (answer) => answer.resume().on("end", () => resolve(answer.statusCode ?? 0)));
      sent.on("error", reject);
      sent.end(body);
    });
  assert.equal(await ask(), 200);
  const seen = sim.requests.length;
  await assert.rejects(ask(), { code: "ECONNRESET" });
  assert.equal(sim.requests.length, seen);
  agent.destroy();
});

test("endlessLine sends one line until the client closes", async () => {
  sim.fault(endlessLine());
  const number = sim.requests.length;
  const seen = await observe(sim, (bytes) => bytes.length > 1_000_000);
  assert.ok(seen.body.indexOf("\n\n") < 0);
  const request = await sim.request(number);
  await request.settled;
  assert.equal(request.closedByClient, true);
});

test("down refuses connections until up accepts them again", async () => {
  const own = await startSimulator();
  await own.down();
  assert.deepEqual(summary(await observe(own)), { end: "reset", bytes: 0 });
  await own.up();
  own.reply(hello);
  assert.match((await observe(own, isComplete)).head, /^HTTP\/1\.1 200/);
  await own.close();
});

test("faults combine with a reply and with each other", async () => {
  sim.reply(hello, splitEvery(3), cutAfter(100, "reset"));
  const seen = await observe(sim);
  const { payload, sizes } = dechunked(seen.body);
  assert.deepEqual([payload.length, Math.max(...sizes), seen.end], [100, 3, "reset"]);
});

test("faults apply to estimates and deletions, which still take effect", async () => {
  const own = await startSimulator({ files: ["file-1"] });
  own.replyTo("delete", resetAfterHeaders());
  own.replyTo("estimate", json({ error: { message: "Busy." } }));
  const remove = { method: "DELETE", headers: { authorization: `Bearer ${own.key}` } };
  await assert.rejects(fetch(`${own.url}/v1/files/file-1`, remove).then((answer) => answer.text()));
  assert.equal((await fetch(`${own.url}/v1/files/file-1`, remove)).status, 404);
  const body = JSON.stringify({ model: "svc-k3", messages: [{ role: "user", content: "x" }] });
  const estimate = await fetch(`${own.url}/v1/tokenizers/estimate-token-count`, { ...post(own), body });
  assert.deepEqual([estimate.status, await estimate.json()], [200, { error: { message: "Busy." } }]);
  own.done();
  await own.close();
});

function bodyOf(bytes: Buffer): Buffer {
  return bytes.subarray(bytes.indexOf("\r\n\r\n") + 4);
}

function summary({ end, pieces }: { end: string; pieces: readonly Buffer[] }) {
  return { end, bytes: Buffer.concat(pieces).length };
}
