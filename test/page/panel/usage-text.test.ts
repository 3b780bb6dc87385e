import assert from "node:assert/strict";
import { test } from "node:test";
import { usageInShort, usageText } from "../../../src/page/words/usage-text.ts";

const short = (...rows: Parameters<typeof usageText>[0]) => usageText(rows)?.split("\n")[0];
const split = { input: 10_500, cached: 10_000, cacheWrite: 400, output: 50 };

test("usageText does not count input as new if a request did not split it", () => {
  assert.equal(
    short({ input: 10_000, output: 50 }, split),
    "100 out · in 20,500 = 10,000 read + 400 write + 100 new + 10,000 not split",
  );
});

test("usageText reports contradictory figures and leaves them out of the sums", () => {
  const odd = { input: 100, cached: 200, cacheWrite: 0, output: 7 };
  const text = usageText([odd, { input: 1_000, cached: 100, cacheWrite: 0, output: 3 }]);
  assert.equal(text?.split("\n")[0], "3 out · in 1,000 = 100 read + 900 new · the parts don't add up");
  assert.match(text ?? "", /Request 1, as reported: input_tokens 100, cached_tokens 200/);
  assert.equal(short(odd), "the parts don't add up");
});

test("usageText omits unreported figures and counts requests that reported no usage", () => {
  assert.equal(short({ output: 5 }), "5 out");
  assert.equal(short({ input: 5 }), "in 5");
  assert.equal(short({}), undefined);
  assert.equal(
    short(split, {}, {}),
    "50 out · in 10,500 = 10,000 read + 400 write + 100 new · usage of 2 of 3 requests not reported",
  );
});

test("usageInShort shows input, cached share and output as far as they were reported", () => {
  assert.equal(
    usageInShort([{ input: 6_400, cached: 5_700, cacheWrite: 0, output: 230 }]),
    "6.4k in (89 % cached) · 230 out",
  );
  assert.equal(usageInShort([{ input: 900, cached: 0, cacheWrite: 0, output: 7 }]), "900 in · 7 out");
  assert.equal(usageInShort([{ output: 5 }]), "5 out");
  assert.equal(usageInShort([{}]), undefined);
});
