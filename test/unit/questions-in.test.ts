// What the long tests, which kill the host, tell of questions by.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { holdsQuestion, questionsIn, runTogether } from "../support/questions-in.ts";

describe("questions in a text", () => {
  test("are its paragraphs", () => {
    assert.deepEqual(questionsIn("say 27\n\nsay 26", "read 4.5"), ["say 27", "say 26", "read 4.5"]);
  });

  test("are found and reported when a paragraph holds several of them run together", () => {
    assert.deepEqual(runTogether("say 26say 27", "say 28\n\nsay 29"), ["say 26say 27"]);
    for (const asked of ["say 26", "say 27"]) assert.equal(holdsQuestion(asked, "say 26say 27"), true);
  });

  test("are not found inside a longer question", () => {
    assert.equal(holdsQuestion("say 2", "say 26", "say 26say 27"), false);
  });
});
