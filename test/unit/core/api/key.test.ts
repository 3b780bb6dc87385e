import assert from "node:assert/strict";
import { test } from "node:test";
import { readKey } from "../../../../src/core/api/key.ts";

test("blanks around a pasted key are removed", () => {
  assert.deepEqual(readKey("\n  sk-abc.DEF_123-~ \r\n"), { ok: true, key: "sk-abc.DEF_123-~" });
});

const refused = [
  ["", /empty/],
  [" \t ", /empty/],
  ["sk abc", /space/],
  ["sk\tabc", /space/],
  ["sk\u00a0abc", /space/],
  ["sk-a\nsk-b", /line break/],
  ["sk-a\r\nX-Evil: 1", /line break/],
  ["sk-é", /cannot be part of a key/],
  ["sk-\u200bx", /cannot be part of a key/],
  ["sk-\u0000x", /cannot be part of a key/],
  ["sk-“x”", /cannot be part of a key/],
] as const;

for (const [typed, sentence] of refused) {
  test(`the key ${JSON.stringify(typed)} is refused with a sentence that does not repeat it`, () => {
    const reading = readKey(typed);
    assert.ok(!reading.ok);
    assert.match(reading.message, sentence);
    assert.ok(typed.trim() === "" || !reading.message.includes(typed));
  });
}
