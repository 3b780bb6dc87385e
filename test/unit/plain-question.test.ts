import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { actionQuestion } from "../../src/conversation/messages.ts";

describe("actionQuestion", () => {
  test("parses the action and its place", () => {
    assert.deepEqual(actionQuestion("/explain src/cart.ts:10–16"), {
      name: "explain",
      place: "cart.ts:10–16",
      about: "",
    });
    assert.deepEqual(actionQuestion("/fix sum (of all) is wrong (a b/my cart.ts:3)"), {
      name: "fix",
      place: "my cart.ts:3",
      about: "sum (of all) is wrong",
    });
  });

  test("parses a question about a whole file", () => {
    const asked = { name: "tests", place: "cart.ts", about: "" };
    assert.deepEqual(actionQuestion("/tests src/cart.ts"), asked);
    assert.deepEqual(actionQuestion("/tests cart.ts"), asked);
  });

  test("ignores text that a person typed", () => {
    for (const typed of [
      "/explain this",
      "/explain",
      "Explain src/cart.ts:3",
      "/fix a\nb (src/a.ts:3)",
      "/fix look at src/a.ts",
      "",
    ])
      assert.equal(actionQuestion(typed), undefined, typed);
  });
});
