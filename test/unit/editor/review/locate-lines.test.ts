import assert from "node:assert/strict";
import { test } from "node:test";
import { locateLines, oldLinesOf } from "../../../../src/editor/review/internal/streaming-preview.ts";

const text = "one\r\ntwo\r\nthree\r\ntwo\r\nfour";

test("locateLines finds lines that occur once in the file", () => {
  assert.deepEqual(oldLinesOf(" one\n-two\n+2\n three\n"), ["one", "two", "three"]);
  assert.deepEqual(locateLines(text, ["one", "two"]), { first: 0, last: 2 });
  assert.deepEqual(locateLines(text, ["four"]), { first: 4, last: 5 });
  assert.deepEqual(locateLines(text, ["two", "three", "two"]), { first: 1, last: 4 });
});

test("locateLines returns undefined for lines that are missing or ambiguous", () => {
  assert.equal(locateLines(text, ["two"]), undefined);
  assert.equal(locateLines(text, ["tw"]), undefined);
  assert.equal(locateLines(text, []), undefined);
});
