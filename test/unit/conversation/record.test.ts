import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ConversationEvent,
  type ConversationRecord,
  type Opened,
  withoutCutRecords,
} from "../../../src/conversation/events.ts";
import { emptyConversation, reduce } from "../../../src/conversation/reduce.ts";

const opened = (instructions: string): Opened => ({
  type: "opened",
  at: 0,
  instructions,
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

test("withoutCutRecords removes every byte of cut turns", () => {
  const kept = withoutCutRecords([
    opened("a"),
    ...turn("1"),
    ...turn("2"),
    ...turn("3"),
    cut("2"),
    ...turn("4"),
  ]);
  assert.deepEqual(turnsOf(kept), ["1", "4"]);
  assert.doesNotMatch(JSON.stringify(kept), /secret of [23]|cut/);
});

test("withoutCutRecords keeps records that reduce to the same conversation as the whole journal", () => {
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
  assert.deepEqual(told(withoutCutRecords(records)), told(records));
  assert.deepEqual(withoutCutRecords(withoutCutRecords(records)), withoutCutRecords(records));
});

test("withoutCutRecords ignores a cut of an unknown turn", () => {
  const records = [opened("a"), ...turn("1")];
  assert.deepEqual(withoutCutRecords([...records, cut("9")]), records);
});

test("withoutCutRecords keeps later instructions when an earlier turn is cut", () => {
  const records = [opened("a"), ...turn("1"), opened("b"), ...turn("2"), cut("1")];
  const last = withoutCutRecords(records).findLast((record) => record.type === "opened");
  assert.equal(last?.instructions, "b");
});
