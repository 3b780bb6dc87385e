import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConversationEvent } from "../../../../src/core/conversation/events.ts";
import { type ConversationRecord, type Opened, remaining } from "../../../../src/core/conversation/record.ts";
import { emptyConversation, reduce } from "../../../../src/core/conversation/reduce.ts";

const opened = (instructions: string): Opened => ({
  type: "opened",
  at: 0,
  instructions,
  chatInstructions: instructions,
  tools: [],
  cacheId: "c",
});
const turn = (id: string): ConversationRecord[] => [
  { type: "started", turn: id, at: 1, model: "svc-k3", route: "responses", prompt: `secret of ${id}` },
  { type: "replay", turn: id, items: [`{"item":"secret of ${id}"}`] },
  { type: "text", turn: id, part: "p", delta: `secret of ${id}` },
  { type: "ended", turn: id, at: 2, ending: "done" },
];
const cut = (id: string): ConversationRecord => ({ type: "cut", turn: id, at: 3 });
const turnsOf = (records: readonly ConversationRecord[]) =>
  records.flatMap((record) => (record.type === "started" ? [record.turn] : []));

test("what was cut off leaves no byte behind", () => {
  const kept = remaining([opened("a"), ...turn("1"), ...turn("2"), ...turn("3"), cut("2"), ...turn("4")]);
  assert.deepEqual(turnsOf(kept), ["1", "4"]);
  assert.doesNotMatch(JSON.stringify(kept), /secret of [23]|cut/);
});

test("the remaining records are the conversation that the whole journal tells", () => {
  const records = [
    opened("a"),
    ...turn("1"),
    ...turn("2"),
    cut("2"),
    ...turn("3"),
    ...turn("4"),
    cut("1"),
    ...turn("5"),
  ];
  const told = (list: readonly ConversationRecord[]) =>
    list
      .filter((record): record is ConversationEvent => record.type !== "opened" && record.type !== "replay")
      .reduce(reduce, emptyConversation("c"));
  assert.deepEqual(told(remaining(records)), told(records));
  assert.deepEqual(remaining(remaining(records)), remaining(records));
});

test("a cut of a turn that is not there takes nothing", () => {
  const records = [opened("a"), ...turn("1")];
  assert.deepEqual(remaining([...records, cut("9")]), records);
});

test("instructions that changed later stay in force when a turn before the change is cut", () => {
  const records = [opened("a"), ...turn("1"), opened("b"), ...turn("2"), cut("1")];
  const last = remaining(records).findLast((record) => record.type === "opened");
  assert.equal(last?.instructions, "b");
});
