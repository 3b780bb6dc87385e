// Clauses made of a word that is said again and again, for each word of the patterns that hear claims: a word that could be
// read in two ways takes twice as long with every one more. What walks through a whole text is in parsers.ts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { findClaims } from "../../../src/evidence/claims.ts";
import { leastTime } from "../../support/thread-time.ts";

describe("findClaims of a hostile clause", () => {
  /** Every word that stands in a pattern, and so each that could be read in two ways. */
  const wordsIn = (file: string, word: RegExp): readonly string[] => [
    ...new Set(readFileSync(`src/evidence/internal/${file}.ts`, "utf8").match(word) ?? []),
  ];
  const growsTooFast = (unit: string, end: string, head = ""): boolean => {
    let before = Number.POSITIVE_INFINITY;
    for (const letters of [18, 36, 72, 144, 280]) {
      const text = `${head}${unit.repeat(Math.ceil(letters / unit.length))}${end}`;
      const find = () => findClaims(text);
      const time = leastTime(2, find);
      // Twice the letters may take a few times as long, and noise a few milliseconds, but not each time.
      const most = 8 * before + 3;
      if (time > most && leastTime(5, find) > most) return true;
      before = time;
    }
    return false;
  };

  it("does not take twice as long for each word, in Chinese", () => {
    const words = wordsIn("claims-in-chinese", /\p{Script=Han}+/gu);
    assert.ok(words.length > 100);
    const slow = words.flatMap((word) =>
      ["甲测试通过", "测试甲", "编译甲通过"].filter((end) => growsTooFast(word, end)),
    );
    assert.deepEqual(slow, []);
    assert.ok(!growsTooFast("已验证", "甲测试通过"));
  });

  it("does not take twice as long for each word, in English", () => {
    const words = ["claims-in-english", "checks-in-english", "whole-clauses-in-english"].flatMap((file) =>
      wordsIn(file, /[a-z]{2,}/g),
    );
    assert.ok(words.length > 300);
    assert.ok(!growsTooFast("re-", "x, it passed.", "I "));
    assert.deepEqual(
      words.filter((word) => growsTooFast(`${word} `, "zz tests pass")),
      [],
    );
  });
});
