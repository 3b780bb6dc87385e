import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makerOf } from "../../../src/service/internal/call.ts";
import { readKey } from "../../../src/service/url-and-key.ts";
import { english } from "../../support/english.ts";

test("readKey removes whitespace around a pasted key", () => {
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
  test(`readKey refuses ${JSON.stringify(typed)} with a message that does not repeat it`, () => {
    const reading = readKey(typed);
    assert.ok(!reading.ok);
    assert.match(english(reading.message), sentence);
    assert.ok(typed.trim() === "" || !english(reading.message).includes(typed));
  });
}

const anything = fc.string({ minLength: 1 });

test("makerOf returns the same two bytes for the same key, origin and conversation", () => {
  fc.assert(
    fc.property(anything, anything, anything, (key, origin, conversation) => {
      const maker = makerOf(key, origin, conversation);
      assert.match(maker, /^[0-9a-f]{4}$/);
      assert.equal(makerOf(key, origin, conversation), maker);
    }),
  );
});

test("makerOf differs for another key, origin or conversation", () => {
  const numbers = Array.from({ length: 50 }, (_, at) => String(at));
  for (const made of [
    numbers.map((each) => makerOf(`sk-${each}`, "https://a.example", "c")),
    numbers.map((each) => makerOf("sk-1", `https://${each}.example`, "c")),
    numbers.map((each) => makerOf("sk-1", "https://a.example", each)),
  ])
    assert.ok(new Set(made).size > 45);
});
