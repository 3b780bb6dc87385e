// What a case of the stream corpus expects of the reply that came of it, however its bytes arrived.
import assert from "node:assert/strict";
import { type Played, summary } from "./play-stream.ts";
import type { StreamCase } from "./stream-case.ts";

export function compareReply({ expect }: StreamCase, reply: Played["reply"]): void {
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

/** The same, and what was shown while it arrived. */
export function compareWhole(one: StreamCase, { reply, shown }: Played): void {
  const { expect } = one;
  compareReply(one, reply);
  if (one.inOrder !== false) assert.equal(shown.text, expect.text, "what was shown is what was kept");
  assert.equal(shown.refusal, expect.refusal ?? "");
  assert.equal(shown.reasoning, expect.reasoning ?? "");
  assert.deepEqual(shown.searches, expect.searches ?? []);
  assert.deepEqual(shown.sources, expect.sources ?? []);
}
