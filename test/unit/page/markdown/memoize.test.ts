import assert from "node:assert/strict";
import { test } from "node:test";
import { memoize } from "../../../../src/page/markdown/parse/links.ts";

test("memoize computes each value once, also when it is undefined", () => {
  const asked: string[] = [];
  const answer = memoize((question): string | undefined => {
    asked.push(question);
    return question === "" ? undefined : question.toUpperCase();
  });
  assert.deepEqual(["a", "", "a", "", "__proto__"].map(answer), [
    "A",
    undefined,
    "A",
    undefined,
    "__PROTO__",
  ]);
  assert.deepEqual(asked, ["a", "", "__proto__"]);
});

test("memoize keeps few values after many calls and returns the same results", () => {
  let worked = 0;
  const answer = memoize((question) => {
    worked += 1;
    return question.length;
  });
  for (let round = 0; round < 2; round += 1) {
    for (let index = 0; index < 1_000; index += 1) assert.equal(answer("x".repeat(index)), index);
  }
  assert.ok(worked > 1_000);
});
