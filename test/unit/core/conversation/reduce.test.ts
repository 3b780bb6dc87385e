import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConversationEvent } from "../../../../src/core/conversation/events.ts";
import { emptyConversation, reduce } from "../../../../src/core/conversation/reduce.ts";

const started = (turn: string): ConversationEvent => ({
  type: "started",
  turn,
  at: 1,
  model: "svc-k3",
  route: "responses",
  prompt: "Hello",
});
const ended = (turn: string): ConversationEvent => ({ type: "ended", turn, at: 2, ending: "done" });
const text = (turn: string, part: string, delta: string): ConversationEvent => ({
  type: "text",
  turn,
  part,
  delta,
});
const run = (...events: ConversationEvent[]) => events.reduce(reduce, emptyConversation("c"));

test("deltas of one part grow one text, parts keep their order of arrival", () => {
  const turn = run(
    started("1"),
    text("1", "a", "Hel"),
    { type: "reasoning", turn: "1", part: "r", delta: "hm" },
    text("1", "a", "lo"),
  ).turns[0];
  assert.deepEqual(turn?.parts, [
    { type: "text", id: "a", text: "Hello" },
    { type: "reasoning", id: "r", text: "hm" },
  ]);
});

test("a final form replaces what its deltas showed", () => {
  const turn = run(started("1"), text("1", "a", "Helo"), {
    type: "replaced",
    turn: "1",
    part: "a",
    text: "Hello",
  }).turns[0];
  assert.deepEqual(turn?.parts, [{ type: "text", id: "a", text: "Hello" }]);
});

test("nothing after the end changes a turn", () => {
  const before = run(started("1"), text("1", "a", "x"), ended("1"));
  assert.equal(reduce(before, text("1", "a", "late")), before);
  assert.equal(reduce(before, { type: "ended", turn: "1", at: 3, ending: "failed" }), before);
});

test("a second turn cannot start while one runs, nor a turn start twice", () => {
  const running = run(started("1"));
  assert.equal(reduce(running, started("2")), running);
  const done = run(started("1"), ended("1"));
  assert.equal(reduce(done, started("1")), done);
});

test("untouched turns stay the same object", () => {
  const before = run(started("1"), ended("1"), started("2"));
  const after = reduce(before, text("2", "a", "x"));
  assert.equal(after.turns[0], before.turns[0]);
  assert.notEqual(after.turns[1], before.turns[1]);
});

test("waiting lasts until the next event of the turn", () => {
  const waiting = run(started("1"), { type: "waiting", turn: "1", until: 9, reason: "busy" });
  assert.deepEqual(waiting.turns[0]?.waiting, { until: 9, reason: "busy" });
  assert.equal(reduce(waiting, text("1", "a", "x")).turns[0]?.waiting, undefined);
});
