import assert from "node:assert/strict";
import { test } from "node:test";
import { duration } from "../../../src/page/words/messages.ts";

test("duration uses at most two units", () => {
  assert.equal(duration(-5), "0 s");
  assert.equal(duration(59_400), "59 s");
  assert.equal(duration(61_000), "1 min 1 s");
  assert.equal(duration(3_599_600), "1 h 0 min");
  assert.equal(duration(26.5 * 3_600_000), "26 h 30 min");
});
