import assert from "node:assert/strict";
import { test } from "node:test";
import { createLineMatcher } from "../../../../src/core/tools/line-matcher.ts";
import { Refusal } from "../../../../src/core/tools/refusal.ts";

test("an expression that would run for ever is ended, and the thread of the editor goes on meanwhile", async () => {
  const matcher = createLineMatcher("^(a+)+$", { regex: true, caseSensitive: true, milliseconds: 100 });
  let beats = 0;
  const heart = setInterval(() => beats++, 5);
  await assert.rejects(matcher.find(`${"a".repeat(60)}b`, 1), (error: unknown) => {
    assert.ok(error instanceof Refusal);
    return /takes too long/.test(error.message);
  });
  clearInterval(heart);
  matcher.dispose();
  assert.ok(beats > 0);
});

test("one matcher serves many texts, in order and up to the limit", async () => {
  const matcher = createLineMatcher("b", { regex: true, caseSensitive: false });
  assert.deepEqual(await matcher.find("a\nB\r\nb\rc", 9), [2, 3]);
  assert.deepEqual(await matcher.find("b\nb\nb", 2), [1, 2]);
  assert.deepEqual(await matcher.find("", 2), []);
  matcher.dispose();
});
