// The stream corpus: every case whole, byte by byte, cut at every position, and over a real socket.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chunked, startFaultServer } from "../../../support/fault-server.ts";
import { oneReply } from "../../../support/one-turn.ts";
import { type Played, play, summary } from "../../../support/play-stream.ts";
import { type StreamCase, streamCases } from "../../../support/stream-case.ts";

const isLong = process.env["PATCHBAY_LONG"] !== undefined;
const cases = streamCases();
const small = cases.filter((one) => !one.isLarge && one.encoded !== true);
const endOf = (one: StreamCase) => one.end ?? ("clean" as const);

for (const one of small) {
  const bytes = one.bytes();

  test(`${one.name}, whole: ${one.title}`, async () => {
    check(one, await play(one.route, [bytes], endOf(one)));
  });

  test(`${one.name}, byte by byte`, async () => {
    check(one, await play(one.route, split(bytes), endOf(one)));
  });

  if (one.cuts === false) continue;
  test(`${one.name}, cut at every position`, async () => {
    await cutEverywhere(one, bytes, "clean");
    if (isLong) await cutEverywhere(one, bytes, "reset");
  });
}

for (const one of cases) {
  test(`${one.name}, over HTTP: ${one.title}`, async () => {
    await using server = await startFaultServer(chunked(one.bytes(), endOf(one), one.http, one.headers));
    const reply = await oneReply({
      baseUrl: server.url,
      key: "sk-test-0123456789",
      route: one.route,
      prompt: "Hi",
      deps: { wait: async () => {} },
    });
    compare(one, reply);
    assert.equal(reply.problem?.kind, one.expect.problem);
    assert.equal(reply.requests, one.expect.requests ?? 1);
  });
}

test("the corpus has at least eighty cases over both routes", () => {
  assert.ok(cases.length >= 80);
  assert.ok(cases.some((one) => one.route === "chat") && cases.some((one) => one.route === "responses"));
});

function check(one: StreamCase, played: Played): void {
  const { expect } = one;
  compare(one, played.reply);
  if (one.inOrder !== false) assert.equal(played.shown.text, expect.text, "what was shown is what was kept");
  assert.equal(played.shown.refusal, expect.refusal ?? "");
  assert.equal(played.shown.reasoning, expect.reasoning ?? "");
  assert.deepEqual(played.shown.searches, expect.searches ?? []);
  assert.deepEqual(played.shown.sources, expect.sources ?? []);
}

function compare({ expect }: StreamCase, reply: Played["reply"]): void {
  const { textLength, items, problem, reasoning, searches, sources, requests, rawExcludes, finish, ...told } =
    expect;
  const found = summary(reply);
  if (textLength !== undefined) {
    assert.equal(reply.text.length, textLength);
    assert.deepEqual({ ...found, text: "" }, { calls: [], runnable: [], ...told, text: "" });
  } else assert.deepEqual(found, { calls: [], runnable: [], ...told });
  if (items !== undefined) assert.equal(reply.items.length, items);
  if (finish !== undefined) assert.equal(reply.finish, finish);
  for (const { raw } of reply.items) {
    assert.doesNotThrow(() => JSON.parse(raw));
    if (rawExcludes !== undefined) assert.ok(!raw.includes(rawExcludes));
  }
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
    bytes.subarray(Math.max(0, at - 3), at + 2).some((byte) => byte === 10 || byte === 13);
  return all.filter((at) => at % 41 === 0 || at === bytes.length || isNearLineEnd(at));
}

function split(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
}
