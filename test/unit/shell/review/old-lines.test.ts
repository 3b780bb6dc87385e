import assert from "node:assert/strict";
import { test } from "node:test";
import { locateLines, oldLinesOf } from "../../../../src/shell/review/old-lines.ts";

const text = "one\r\ntwo\r\nthree\r\ntwo\r\nfour";

test("the lines that stand in the file are found where they are plain to see", () => {
  assert.deepEqual(oldLinesOf(" one\n-two\n+2\n three\n"), ["one", "two", "three"]);
  assert.deepEqual(locateLines(text, ["one", "two"]), { first: 0, last: 2 });
  assert.deepEqual(locateLines(text, ["four"]), { first: 4, last: 5 });
  assert.deepEqual(locateLines(text, ["two", "three", "two"]), { first: 1, last: 4 });
});

test("what is nowhere, or in more than one place, is not shown anywhere", () => {
  assert.equal(locateLines(text, ["two"]), undefined);
  assert.equal(locateLines(text, ["tw"]), undefined);
  assert.equal(locateLines(text, []), undefined);
});
