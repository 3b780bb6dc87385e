import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { StoredRecord } from "../../../src/conversation/events.ts";
import { emptyConversation, reduceAll } from "../../../src/conversation/reduce.ts";
import {
  lostHere,
  lostQuestion,
  repairConversation,
} from "../../../src/store/internal/repair-conversation.ts";

interface Loose {
  readonly type: string;
  readonly [field: string]: unknown;
}

const turn = (id: string, ...items: string[]): Loose[] => [
  { type: "started", turn: id, at: 1, model: "m", route: "responses", prompt: `Question ${id}` },
  { type: "replay", turn: id, items },
  { type: "text", turn: id, part: "a", delta: `Answer ${id}` },
  { type: "ended", turn: id, at: 2, ending: "done" },
];

/** As it is shown: each turn with its words, notes among them. */
function shown(records: readonly Loose[]): string[][] {
  const events = records.flatMap((record) => {
    const read = StoredRecord.safeParse(record);
    assert.ok(read.success, JSON.stringify(record));
    const { type } = read.data;
    return type === "replay" || type === "opened" || type === "choices" || type === "simplified"
      ? []
      : [read.data];
  });
  return reduceAll(emptyConversation("c"), events).turns.map(({ prompt, status, parts }) => [
    ...[prompt, status],
    ...parts.map((part) =>
      "text" in part ? part.text : part.type === "note" ? String(part.notes[0]?.code) : part.type,
    ),
  ]);
}

const all = [...turn("1"), ...turn("2"), ...turn("3")];

test("repairConversation leaves a complete conversation unchanged", () => {
  assert.deepEqual(repairConversation([all]), all);
});

for (const [lost, from, to, expected] of [
  ["a question", 4, 5, ["", "done", lostQuestion.code, "Answer 2"]],
  ["the words of an answer", 6, 7, ["Question 2", "done", lostHere.code]],
  ["the end of a turn", 7, 8, ["Question 2", "interrupted", "Answer 2", lostHere.code]],
  [
    "the end of one turn and the question of the next",
    7,
    9,
    ["Question 2", "interrupted", "Answer 2", lostHere.code],
  ],
] as const)
  test(`repairConversation marks where ${lost} is lost and keeps the turns around it whole`, () => {
    const turns = shown(repairConversation([all.slice(0, from), all.slice(to)]));
    assert.equal(turns.length, 3);
    assert.deepEqual(turns[0], ["Question 1", "done", "Answer 1"]);
    assert.deepEqual(turns[1], expected);
    assert.equal(turns[2]?.at(-1), "Answer 3");
  });

test("repairConversation marks lost turns in the next turn, or in the last one left", () => {
  assert.deepEqual(shown(repairConversation([turn("1"), turn("3")])), [
    ["Question 1", "done", "Answer 1"],
    ["Question 3", "done", lostHere.code, "Answer 3"],
  ]);
  assert.deepEqual(shown(repairConversation([turn("1"), []])), [
    ["Question 1", "done", "Answer 1", lostHere.code],
  ]);
  assert.deepEqual(repairConversation([[], []]), []);
});

test("repairConversation drops calls and outputs without each other, except pending calls of the last turn", () => {
  const call = (id: string) =>
    JSON.stringify({ type: "function_call", call_id: id, name: "f", arguments: "{}" });
  const output = (id: string) => JSON.stringify({ type: "function_call_output", call_id: id, output: "x" });
  const pair = [call("a"), output("a")];
  const records = repairConversation([turn("1", ...pair, call("b")), turn("2", output("c"), call("d"))]);
  assert.deepEqual(
    records.filter(({ type }) => type === "replay").map(({ items }) => items),
    [pair, [call("d")]],
  );
});

test("repairConversation keeps every remaining word exactly once, for any loss", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: all.length, maxLength: all.length }), (keeps) => {
      const stretches: Loose[][] = [[]];
      for (const [at, record] of all.entries()) {
        if (keeps[at]) stretches.at(-1)?.push(record);
        else if (stretches.at(-1)?.length !== 0 || at === 0) stretches.push([]);
      }
      const words = shown(repairConversation(stretches)).flat();
      for (const record of stretches.flat()) {
        const said = record["prompt"] ?? record["delta"];
        if (said !== undefined) assert.equal(words.filter((word) => word === said).length, 1, String(said));
      }
    }),
  );
});
