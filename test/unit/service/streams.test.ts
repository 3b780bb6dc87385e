// The stream corpus: every case whole, and byte by byte. `arriving-streams` cuts it and sends it over HTTP.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compareReply } from "../../support/compare-reply.ts";
import { type Played, play } from "../../support/play-stream.ts";
import { endOf, type StreamCase, smallStreamCases, streamCases } from "../../support/stream-case.ts";

for (const one of smallStreamCases()) {
  const bytes = one.bytes();

  test(`${one.name}, whole: ${one.title}`, async () => {
    check(one, await play(one.route, [bytes], endOf(one)));
  });

  test(`${one.name}, byte by byte`, async () => {
    check(one, await play(one.route, split(bytes), endOf(one)));
  });
}

test("the stream corpus has at least 80 cases and covers both routes", () => {
  const cases = streamCases();
  assert.ok(cases.length >= 80);
  assert.ok(cases.some((one) => one.route === "chat") && cases.some((one) => one.route === "responses"));
});

function check(one: StreamCase, played: Played): void {
  const { expect } = one;
  compareReply(one, played.reply);
  if (one.inOrder !== false) assert.equal(played.shown.text, expect.text, "what was shown is what was kept");
  assert.equal(played.shown.refusal, expect.refusal ?? "");
  assert.equal(played.shown.reasoning, expect.reasoning ?? "");
  assert.deepEqual(played.shown.searches, expect.searches ?? []);
  assert.deepEqual(played.shown.sources, expect.sources ?? []);
}

function split(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
}
