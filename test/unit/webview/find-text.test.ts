import assert from "node:assert/strict";
import { test } from "node:test";
import type { Turn } from "../../../src/core/conversation/state.ts";
import { matchesIn, withoutMarks } from "../../../src/webview/find-text.ts";

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

test("matches are counted in question and answer, in order, whatever the case", () => {
  const turns = [turn("1", "Cart?", "A cart, the CART."), turn("2", "And?", "No."), turn("3", "cart", "")];
  assert.deepEqual(find(turns, "cart"), [
    { turn: 0, nth: 0 },
    { turn: 0, nth: 1 },
    { turn: 0, nth: 2 },
    { turn: 2, nth: 0 },
  ]);
});

test("every character stands for itself, and nothing matches nothing", () => {
  const turns = [turn("1", "a.b (c)* [d]-e", "")];
  for (const query of ["a.b", "(c)*", "[d]-e"]) assert.equal(find(turns, query).length, 1, query);
  assert.equal(find(turns, "a-b").length, 0);
  assert.equal(find(turns, "").length, 0);
});

test("Markdown marks are no part of what is found, and no reason to miss it", () => {
  assert.equal(withoutMarks("## The **whole** `cart`"), "The whole cart");
  assert.equal(withoutMarks("- [x] see [the notes](https://a.test)"), "see the notes");
  assert.equal(withoutMarks("a_b_c and 2*3*4"), "a_b_c and 2*3*4");
  assert.equal(find([turn("1", "", "a **bold** word")], "bold word").length, 1);
});

test("a text that is nothing but matches does not make a list without end", () => {
  assert.equal(find([turn("1", "", "a".repeat(100_000))], "a").length, 10_000);
});
