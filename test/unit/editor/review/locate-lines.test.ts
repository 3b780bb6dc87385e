import assert from "node:assert/strict";
import { test } from "node:test";
import { createLineLocator, oldLinesOf } from "../../../../src/editor/review/internal/streaming-preview.ts";

const locate = createLineLocator("one\r\ntwo\r\nthree\r\ntwo\r\nfour");

test("createLineLocator finds lines that occur once in the file", () => {
  assert.deepEqual(oldLinesOf(" one\n-two\n+2\n three\n"), ["one", "two", "three"]);
  assert.deepEqual(locate(["one", "two"]), { first: 0, last: 2 });
  assert.deepEqual(locate(["four"]), { first: 4, last: 5 });
  assert.deepEqual(locate(["two", "three", "two"]), { first: 1, last: 4 });
  assert.deepEqual(locate(["two", "four"]), { first: 3, last: 5 });
});

test("createLineLocator returns undefined for lines that are missing or ambiguous", () => {
  for (const lines of [["two"], ["tw"], [], ["four", "one"], ["x", "one"], ["four", "x"]])
    assert.equal(locate(lines), undefined);
});
