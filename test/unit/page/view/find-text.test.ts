import assert from "node:assert/strict";
import { test } from "node:test";
import type { Turn } from "../../../../src/conversation/state.ts";
import { matchesIn, withoutMarks } from "../../../../src/page/view/find/find-text.ts";

const turn = (id: string, prompt: string, text: string): Turn => ({
  id,
  at: 1,
  model: "svc-k3",
  route: "responses",
  prompt,
  attachments: [],
  continues: false,
  parts: [{ type: "text", id: "t", text }],
  status: "done",
  usage: [],
  receipts: [],
});

const read = ({ prompt, parts }: Turn): readonly string[] => [
  prompt,
  ...parts.map((part) => (part.type === "text" ? withoutMarks(part.text) : "")),
];
const find = (turns: readonly Turn[], query: string) => matchesIn(turns, query, read);

test("matchesIn finds matches in questions and responses in order, regardless of case", () => {
  const turns = [turn("1", "Cart?", "A cart, the CART."), turn("2", "And?", "No."), turn("3", "cart", "")];
  assert.deepEqual(find(turns, "cart"), [
    { turn: 0, nth: 0 },
    { turn: 0, nth: 1 },
    { turn: 0, nth: 2 },
    { turn: 2, nth: 0 },
  ]);
});

test("matchesIn takes every character literally and finds nothing for an empty query", () => {
  const turns = [turn("1", "a.b (c)* [d]-e", "")];
  for (const query of ["a.b", "(c)*", "[d]-e"]) assert.equal(find(turns, query).length, 1, query);
  assert.equal(find(turns, "a-b").length, 0);
  assert.equal(find(turns, "").length, 0);
});

test("matchesIn ignores Markdown marks", () => {
  assert.equal(withoutMarks("## The **whole** `cart`"), "The whole cart");
  assert.equal(withoutMarks("- [x] see [the notes](https://a.test)"), "see the notes");
  assert.equal(withoutMarks("a_b_c and 2*3*4"), "a_b_c and 2*3*4");
  assert.equal(find([turn("1", "", "a **bold** word")], "bold word").length, 1);
});

test("matchesIn returns at most 10,000 matches", () => {
  assert.equal(find([turn("1", "", "a".repeat(100_000))], "a").length, 10_000);
});
