import assert from "node:assert/strict";
import { test } from "node:test";
import { completeEnd } from "../../../../src/page/markdown/parse/half-written-inline.ts";

const cases: readonly [written: string, shown: string][] = [
  ["plain words", "plain words"],
  ["a **bold", "a **bold**"],
  ["a **bold ", "a **bold**"],
  ["a **bold*", "a **bold**"],
  ["a **bold** and *em", "a **bold** and *em*"],
  ["**bold and *em", "**bold and *em***"],
  ["a **", "a"],
  ["a *", "a"],
  ["2 * 3 * 4", "2 * 3 * 4"],
  ["snake_case_name", "snake_case_name"],
  ["a ~~gone", "a ~~gone~~"],
  ["about ~5", "about ~5"],
  ["use `npm i", "use `npm i`"],
  ["use `", "use"],
  ["use ``a`b", "use ``a`b``"],
  ["use `a` and **b", "use `a` and **b**"],
  ["a `**` b", "a `**` b"],
  ["see [the docs", "see the docs"],
  ["see [the docs](https://exa", "see the docs"],
  ["see [the docs](https://example.com) now", "see [the docs](https://example.com) now"],
  ["see ![a picture](https://exa", "see a picture"],
  ["**see [docs](htt", "**see docs**"],
  ["a[0] and b[1]", "a[0] and b[1]"],
  ["escaped \\*star", "escaped \\*star"],
  ["escaped \\[x", "escaped \\[x"],
];

for (const [written, shown] of cases) {
  test(`completeEnd turns "${written}" into "${shown}"`, () => assert.equal(completeEnd(written), shown));
}
