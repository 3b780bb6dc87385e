import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type ConversationEvent, withoutCutRecords } from "../../../src/conversation/events.ts";
import { emptyConversation, reduce, reduceAll } from "../../../src/conversation/reduce.ts";

const turn = fc.constantFrom("1", "2", "3", "4");
const started = turn.map(
  (id): ConversationEvent => ({
    ...{ type: "started", turn: id, at: 1, model: "svc-k3", route: "responses", prompt: `Question ${id}` },
  }),
);
const event: fc.Arbitrary<ConversationEvent> = fc.oneof(
  started,
  turn.map((id): ConversationEvent => ({ type: "text", turn: id, part: "a", delta: "x" })),
  turn.map((id): ConversationEvent => ({ type: "usage", turn: id, usage: { input: 1 } })),
  turn.map((id): ConversationEvent => ({ type: "ended", turn: id, at: 2, ending: "done" })),
  turn.map((id): ConversationEvent => ({ type: "ended", turn: id, at: 2, ending: "interrupted" })),
  turn.map((id): ConversationEvent => ({ type: "cut", turn: id, at: 3 })),
  fc.tuple(turn, fc.constantFrom("model", "person")).map(
    ([id, by]): ConversationEvent => ({
      ...{ type: "plan", turn: id, steps: [{ text: by, status: "pending" }] },
      ...(by === "person" && { by: "person" as const }),
    }),
  ),
  fc.tuple(turn, fc.constantFrom("asked" as const, "done" as const)).map(
    ([id, status]): ConversationEvent => ({
      ...{ type: "tool", turn: id, id: "q", call: "q", name: "ask_user", status, summary: "?" },
      question: { text: "?", choices: [] },
    }),
  ),
  turn.map(
    (id): ConversationEvent => ({
      ...{ type: "patch", turn: id, id: "p", call: "p", status: "proposed", by: "person" },
      files: [
        {
          path: "a",
          change: "add",
          added: 1,
          removed: 0,
          hunks: [{ id: "a", status: "pending", added: 1, removed: 0 }],
        },
      ],
    }),
  ),
  turn.map(
    (id): ConversationEvent => ({
      ...{ type: "patch-state", turn: id, id: "p", call: "p", status: "undone" },
      hunks: [{ id: "a", status: "undone" }],
    }),
  ),
);

test("reduceAll equals reducing the events one by one, from any starting point", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), fc.nat(60), (events, split) => {
      const oneByOne = events.reduce(reduce, emptyConversation("c"));
      assert.deepEqual(reduceAll(emptyConversation("c"), events), oneByOne);
      const begun = reduceAll(emptyConversation("c"), events.slice(0, split));
      assert.deepEqual(reduceAll(begun, events.slice(split)), oneByOne);
    }),
    { numRuns: 500 },
  );
});

test("a journal without what was cut off reduces to the conversation as it was shown", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60, size: "max" }), (events) => {
      let live = emptyConversation("c");
      const written: ConversationEvent[] = [];
      for (const each of events) {
        const next = reduce(live, each);
        // What changes nothing is not written.
        if (next !== live) written.push(each);
        live = next;
      }
      const kept = withoutCutRecords(written).filter(({ type }) => type !== "opened");
      assert.deepEqual(reduceAll(emptyConversation("c"), kept as ConversationEvent[]), live);
    }),
    { numRuns: 500 },
  );
});

test("reduceAll returns the same object when nothing changes", () => {
  const conversation = reduceAll(emptyConversation("c"), [
    { type: "started", turn: "1", at: 1, model: "m", route: "chat", prompt: "" },
    { type: "ended", turn: "1", at: 2, ending: "done" },
  ]);
  assert.equal(reduceAll(conversation, []), conversation);
  assert.equal(
    reduceAll(conversation, [{ type: "text", turn: "1", part: "a", delta: "late" }]),
    conversation,
  );
});
