// Who is told of an answer: not whoever sees it, nor whoever does not want to be, and nobody twice.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConversationEvent } from "../../../../src/conversation/events.ts";
import type { Turn } from "../../../../src/conversation/state.ts";
import { createAttention, type NotifyWhen } from "../../../../src/editor/status/notifications.ts";
import { english, verbatim, words } from "../../../support/english.ts";

const turn: Turn = {
  ...{ id: "t", at: 0, model: "svc-k3", route: "responses", prompt: "Why?\nSay it.", attachments: [] },
  ...{ continues: false, parts: [], status: "running", usage: [], receipts: [] },
};
const tool = (id: string) => ({
  ...{ type: "tool" as const, id, call: id, name: "write", summary: "", status: "asked" as const },
});

function attentive(when: NotifyWhen, isFocused: boolean, isChatVisible: boolean) {
  const told: string[] = [];
  const badges: number[] = [];
  let now: Turn | undefined = turn;
  let isAsking = false;
  const attention = createAttention({
    when: () => when,
    isFocused: () => isFocused,
    isChatVisible: () => isChatVisible,
    turn: () => now,
    isAsking: () => isAsking,
    tell: (sentence) => void told.push(sentence),
    badge: (count) => void badges.push(count),
    words: { ...words, say: english },
  });
  return {
    told,
    badges,
    take(event: ConversationEvent, next: Partial<Turn> = {}) {
      now = { ...turn, ...next };
      attention.take(event);
    },
    ask(asks: boolean) {
      isAsking = asks;
      attention.reset();
    },
    reset() {
      now = undefined;
      attention.reset();
    },
  };
}

const ended = (at: number, more: object = {}): ConversationEvent => ({
  ...{ type: "ended", turn: "t", at, ending: "done" },
  ...more,
});
const asks: ConversationEvent = { type: "text", turn: "t", part: "1", delta: "" };

test("attention notifies once of a question within a response, and of none before it has begun", () => {
  const { told, badges, ask, reset } = attentive("unfocused", false, false);
  for (const asks of [true, true, false, true]) ask(asks);
  assert.deepEqual(badges, [1, 0, 1]);
  assert.deepEqual(told, Array(2).fill("The response to “Why?” needs your decision."));
  reset();
  ask(true);
  assert.equal(told.length, 2);
  const visible = attentive("always", true, true);
  visible.ask(true);
  assert.deepEqual([visible.told, visible.badges], [[], [1]]);
});

test("attention notifies of a long response only a person who is elsewhere, never of a short or stopped one", () => {
  for (const [when, isFocused, isChatVisible, isTold] of [
    ["never", false, false, false],
    ["unfocused", true, false, false],
    ["unfocused", false, true, true],
    ["always", true, true, false],
    ["always", true, false, true],
    ["always", false, true, true],
  ] as const) {
    const { told, take } = attentive(when, isFocused, isChatVisible);
    take(ended(9_999), { status: "done" });
    take(ended(60_000, { ending: "stopped" }), { status: "stopped" });
    assert.deepEqual(told, []);
    take(ended(10_000), { status: "done" });
    assert.deepEqual(told, isTold ? ["The response to “Why?” is ready."] : [], `${when} ${isFocused}`);
  }
});

test("attention gives the reason of a failed response", () => {
  const { told, take } = attentive("unfocused", false, false);
  const problem = { kind: "network", message: verbatim("Can't reach a.b (E1)."), actions: [] };
  take(ended(20_000, { ending: "failed", problem }), { status: "failed" });
  assert.deepEqual(told, ["The response to “Why?” is incomplete: Can't reach a.b (E1)."]);
});

test("attention notifies of a pending decision once a turn and always updates the badge", () => {
  for (const isFocused of [true, false]) {
    const { told, badges, take, reset } = attentive("unfocused", isFocused, false);
    take(asks);
    take(asks, { parts: [tool("a")] });
    take(asks, { parts: [tool("a"), tool("b")] });
    take(asks, { parts: [tool("a"), tool("b")] });
    assert.deepEqual(told, isFocused ? [] : ["The response to “Why?” needs your decision."]);
    assert.deepEqual(badges, [1, 2]);
    take(asks);
    assert.deepEqual(badges, [1, 2, 0]);
    take(asks, { parts: [tool("c")] });
    assert.equal(told.length, isFocused ? 0 : 2);
    reset();
    assert.deepEqual(badges, [1, 2, 0, 1, 0]);
  }
});
