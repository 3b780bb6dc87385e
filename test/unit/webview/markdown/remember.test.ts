import assert from "node:assert/strict";
import { test } from "node:test";
import { remembering } from "../../../../src/webview/markdown/remember.ts";

test("what was asked before is answered without being worked out again, also when the answer is undefined", () => {
  const asked: string[] = [];
  const answer = remembering((question): string | undefined => {
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

test("after very many questions it knows few answers, and gives the same", () => {
  let worked = 0;
  const answer = remembering((question) => {
    worked += 1;
    return question.length;
  });
  for (let round = 0; round < 2; round += 1) {
    for (let index = 0; index < 1_000; index += 1) assert.equal(answer("x".repeat(index)), index);
  }
  assert.ok(worked > 1_000);
});
