import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { compressed, cutCompressed, gzipBomb } from "../../sim/compression.ts";
import {
  drip,
  heartbeats,
  holdBefore,
  inOnePiece,
  insertBefore,
  missingTerminator,
  slowEnd,
  slowFirstByte,
  slowHeaders,
  splitAt,
  splitEvery,
  trailing,
  unevenly,
  wrongLength,
} from "../../sim/delivery-faults.ts";
import type { Simulator } from "../../sim/simulator.ts";
import { events, hello, isComplete, playHello, post } from "./hello-stream.ts";
import { dechunked, observe } from "./observe.ts";

// Faults that change how the body of an answer comes, or what it is.

let sim: Simulator;
let whole: Buffer;
playHello((playing, undisturbed) => {
  sim = playing;
  whole = undisturbed;
});

test("splitEvery sends every byte unchanged in its own chunk", async () => {
  sim.reply(hello, splitEvery());
  const { payload, sizes } = dechunked((await observe(sim, isComplete)).body);
  assert.deepEqual(new Set(sizes), new Set([1]));
  assert.equal(sizes.length, whole.length);
  assert.match(payload.toString("utf8"), /"text":"Grüße, 世界\."/);
});

test("splitAt sends the same bytes in two chunks", async () => {
  for (const at of [1, 7, whole.indexOf("世") + 1, whole.length - 1]) {
    sim.reply(hello, splitAt(at));
    const { payload, sizes } = dechunked((await observe(sim, isComplete)).body);
    assert.deepEqual([sizes, payload.length], [[at, whole.length - at], whole.length]);
  }
});

test("inOnePiece sends the whole stream in one chunk", async () => {
  sim.reply(hello, inOnePiece());
  assert.deepEqual(dechunked((await observe(sim, isComplete)).body).sizes, [whole.length]);
});

test("unevenly sends the same bytes in pieces determined by the seed", async () => {
  const sizes = async (seed: number) => {
    sim.reply(hello, unevenly(200, 2, seed));
    const seen = dechunked((await observe(sim, isComplete)).body);
    assert.equal(seen.payload.length, whole.length);
    return seen.sizes;
  };
  const once = await sizes(1);
  assert.ok(new Set(once).size > 5 && Math.max(...once) <= 200);
  assert.deepEqual(await sizes(1), once);
  assert.notDeepEqual(await sizes(2), once);
});

test("slowHeaders, slowFirstByte, drip and slowEnd keep the body complete", async () => {
  for (const fault of [slowHeaders(5), slowFirstByte(5), drip(200, 1), slowEnd(5)]) {
    sim.reply(hello, fault);
    assert.equal(dechunked((await observe(sim, isComplete)).body).payload.length, whole.length);
  }
});

test("holdBefore holds the reply until it is released", async () => {
  const hold = holdBefore(4);
  sim.reply(hello, hold);
  const number = sim.requests.length;
  const seen = observe(sim, isComplete);
  const request = await sim.request(number);
  const state = await Promise.race([request.settled.then(() => "settled"), Promise.resolve("held")]);
  assert.equal(state, "held");
  hold.release();
  assert.equal(dechunked((await seen).body).payload.length, whole.length);
});

for (const difference of [-5, 5])
  test(`wrongLength announces a length off by ${difference} and closes the connection`, async () => {
    sim.reply(hello, wrongLength(difference));
    const seen = await observe(sim);
    assert.match(seen.head, new RegExp(`content-length: ${whole.length + difference}(\\r|$)`));
    assert.deepEqual([seen.body.length, seen.end], [whole.length, "closed"]);
  });

test("missingTerminator omits the last chunk and closes the connection", async () => {
  sim.reply(hello, missingTerminator());
  const seen = await observe(sim);
  const { payload, complete } = dechunked(seen.body);
  assert.deepEqual([payload.length, complete, seen.end], [whole.length, false, "closed"]);
});

test("trailing sends bytes after the end of the message", async () => {
  sim.reply(hello, trailing("garbage"));
  const seen = await observe(sim, (bytes) => bytes.includes("garbage"));
  assert.match(seen.body.toString("utf8"), /\r\n0\r\n\r\ngarbage$/);
});

test("heartbeats sends comments before every event", async () => {
  sim.reply(hello, heartbeats(2));
  const payload = dechunked((await observe(sim, isComplete)).body).payload.toString("utf8");
  assert.equal(payload.match(/: ping\n\n/g)?.length, 2 * events(whole));
});

test("insertBefore inserts bytes between events", async () => {
  sim.reply(hello, insertBefore(2, "data: {broken\n\n"));
  const payload = dechunked((await observe(sim, isComplete)).body).payload.toString("utf8");
  assert.equal(payload.split("\n\n")[2], "data: {broken");
});

test("compressed sends the same body in gzip, deflate or br", async () => {
  sim.reply(hello, compressed());
  const seen = await observe(sim, isComplete);
  assert.match(seen.head, /content-encoding: gzip/);
  assert.equal(gunzipSync(dechunked(seen.body).payload).length, whole.length);
  for (const encoding of ["deflate", "br"] as const) {
    sim.reply(hello, compressed(encoding));
    const answer = await fetch(`${sim.url}/v1/responses`, post(sim));
    assert.equal(Buffer.byteLength(await answer.text()), whole.length);
  }
});

test("cutCompressed ends a compressed body early", async () => {
  sim.reply(hello, cutCompressed(60));
  const { payload } = dechunked((await observe(sim)).body);
  assert.equal(payload.length, 60);
  assert.throws(() => gunzipSync(payload));
});

test("gzipBomb is small when compressed and large when decompressed", async () => {
  sim.reply(hello, gzipBomb(8));
  const { payload } = dechunked((await observe(sim, isComplete)).body);
  assert.ok(payload.length < 20_000);
  assert.ok(gunzipSync(payload).length > 8 * 1024 * 1024);
});
