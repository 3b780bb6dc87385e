// The stream corpus once more, as it may arrive: byte by byte, cut at every position, and over a real socket.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compareReply, compareWhole } from "../../support/compare-reply.ts";
import { chunked, startFaultServer } from "../../support/fault-server.ts";
import { oneReply } from "../../support/one-turn.ts";
import { play } from "../../support/play-stream.ts";
import { endOf, type StreamCase, smallStreamCases, streamCases } from "../../support/stream-case.ts";

const isLong = process.env["PATCHBAY_LONG"] !== undefined;

for (const one of smallStreamCases()) {
  test(`${one.name}, byte by byte`, async () => {
    compareWhole(one, await play(one.route, split(one.bytes()), endOf(one)));
  });
}

for (const one of smallStreamCases().filter(({ cuts }) => cuts !== false)) {
  const bytes = one.bytes();

  test(`${one.name}, cut at every position`, async () => {
    await cutEverywhere(one, bytes, "clean");
    if (isLong) await cutEverywhere(one, bytes, "reset");
  });
}

for (const one of streamCases()) {
  test(`${one.name}, over HTTP: ${one.title}`, async () => {
    await using server = await startFaultServer(chunked(one.bytes(), endOf(one), one.http, one.headers));
    const reply = await oneReply({
      baseUrl: server.url,
      key: "sk-test-0123456789",
      route: one.route,
      prompt: "Hi",
      deps: { wait: async () => {} },
    });
    compareReply(one, reply);
    assert.equal(reply.problem?.kind, one.expect.problem);
    assert.equal(reply.requests, one.expect.requests ?? 1);
  });
}

/**
 * Whatever the cut: one outcome, the text shown is the text kept, text only grows, nothing may run before the
 * reply ended, and once it ended it stays ended the same way.
 */
async function cutEverywhere(one: StreamCase, bytes: Uint8Array, end: "clean" | "reset"): Promise<void> {
  const last = await play(one.route, [bytes], end);
  let before = "";
  let hasEnded = false;
  for (const at of cutsOf(bytes)) {
    const { reply, shown } = await play(one.route, [bytes.subarray(0, at)], end);
    const where = `after ${at} bytes`;
    if (one.inOrder !== false) assert.equal(shown.text, reply.text, where);
    if (one.growing !== false) assert.ok(reply.text.startsWith(before), `text was lost ${where}`);
    before = reply.text;
    if (hasEnded || reply.status !== "interrupted") {
      hasEnded = true;
      assert.equal(reply.status, last.reply.status, where);
    }
    if (reply.status !== "completed") assert.deepEqual(reply.runnable, [], where);
  }
}

/** Every position; in the short run, of a long body, those around line ends and some between. */
function cutsOf(bytes: Uint8Array): number[] {
  const all = Array.from({ length: bytes.length + 1 }, (_, at) => at);
  if (isLong || bytes.length < 500) return all;
  const isNearLineEnd = (at: number) =>
    bytes.subarray(Math.max(0, at - 1), at + 1).some((byte) => byte === 10 || byte === 13);
  return all.filter((at) => at % 83 === 0 || at === bytes.length || isNearLineEnd(at));
}

function split(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
}
