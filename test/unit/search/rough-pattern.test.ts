import assert from "node:assert/strict";
import { after, test } from "node:test";
import { roughPattern } from "../../../src/search/internal/ripgrep-pattern.ts";
import { createLineMatcher } from "../../../src/search/line-matcher.ts";
import { type Pick, random } from "../../support/random-text.ts";

const terms = [
  ..."abbc-",
  ...[
    "\\b",
    ".",
    "[ab]",
    "\\w",
    "(?=b)",
    "(?!c)",
    "(?<=a)",
    "^",
    "$",
    "\\1",
    "\\2",
    "\\k<x>",
    "a{2}",
    "(?=(b))",
  ],
];
const times = ["", "", "", "", "{2}", "?", "*", "+", "{0}", "{1,2}", "*?"];

function randomExpression(pick: Pick, depth = 0): string {
  const any = (from: readonly string[]) => from[pick(from.length)] ?? "";
  const term = () => {
    const kind = depth > 2 ? 9 : pick(10);
    if (kind > 2) return any(terms);
    return `${any(["(", "(?:", "("])}${randomExpression(pick, depth + 1)})`;
  };
  const sequence = () => Array.from({ length: 1 + pick(4) }, () => term() + any(times)).join("");
  return Array.from({ length: 1 + (pick(4) === 0 ? pick(3) : 0) }, sequence).join("|");
}

/** In the language of JavaScript. */
const translated = (pattern: string): RegExp =>
  new RegExp(pattern.replaceAll("(?-u:[^\\n])", "[^\\n]").replace(/\\x\{(\w+)\}/g, "\\u{$1}"), "iu");

test("a rough pattern matches every line that the expression matches, and the line holds one of its words", async () => {
  const pick = random(20_261_126);
  const found = { lines: 0, words: 0, references: 0 };
  for (let round = 0; round < 30_000; round++) {
    // Each of them is short; no one asks for thousands at a stretch.
    if (round % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
    const source = pick(5) === 0 ? `(?<x>a|b+)${randomExpression(pick)}` : randomExpression(pick);
    const original = tried(source);
    const rough = original && roughPattern(source, { unicode: original.unicode, utf8: true });
    if (original === undefined || rough === undefined) continue;
    const [other, words] = [translated(rough.pattern), rough.words];
    for (let line = 0; line < 8; line++) {
      const text = Array.from({ length: pick(9) }, () => "abAc-bS\u017f "[pick(10)]).join("");
      if (!original.test(text)) continue;
      assert.match(text, other, `/${source}/`);
      const holds = words.length === 0 || words.some((word) => text.toLowerCase().includes(word));
      assert.ok(holds, `/${source}/ finds “${text}”, which holds none of ${words}`);
      found.lines++;
      if (words.length > 0) found.words++;
      if (/\\[12k]/.test(source)) found.references++;
    }
  }
  for (const count of Object.values(found)) assert.ok(count > 1000, JSON.stringify(found));
});

test("the words of a rough pattern are the longest that each match holds", () => {
  const words = (source: string) => roughPattern(source, { unicode: true, utf8: true })?.words;
  for (const [source, expected] of [
    ["\\bfunction\\s+debounce\\b", ["debounce"]],
    ["call\\(a+bc", ["call("]],
    ["ca{2}b", ["b"]],
    ["xcda?bb", ["xcd"]],
    ["use(?:State|Effect)\\(", ["tate", "Effect"]],
    ["one|two|3$", ["one", "two", "3"]],
    ["one|\\w+", []],
    ["(one)?[a-z]", []],
    ["(?=one)tw(?!o)o", ["two"]],
  ] as const)
    assert.deepEqual(words(source), expected, source);
});

function tried(source: string): RegExp | undefined {
  for (const flags of ["iu", "i"])
    try {
      return new RegExp(source, flags);
    } catch {
      // Another dialect, or none.
    }
  return undefined;
}

test("a line matcher finds the same lines as the expression alone when it looks for words first", async () => {
  for (const [query, lines] of [
    ["import .* from ['\"]react['\"];$", ["import React from 'react';", "import x from 'react-dom';"]],
    ["\\bfunction\\s+(?:debounce|throttle)\\b", ["function  Throttle(", "functional debounce"]],
    ["a/b|[(]|c\\.d", ["a/B", "(", "cxd"]],
    ["ba(c)\\1", ["bacC", "bac"]],
    ["bac\u212a", ["BACK", "bac"]],
  ] as const) {
    const matcher = createLineMatcher(query, { regex: true, caseSensitive: false });
    after(() => matcher.dispose());
    const expected = lines.flatMap((text, at) => (new RegExp(query, "iu").test(text) ? [at + 1] : []));
    const found = await matcher.find(lines.join("\n"), { most: 9, context: 0 });
    assert.deepEqual(
      found.lines.map(({ number }) => number),
      expected,
      query,
    );
  }
});
