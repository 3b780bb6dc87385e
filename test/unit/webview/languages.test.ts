import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { english } from "../../../src/webview/english.ts";
import { pseudo } from "../../support/pseudo-locale.mjs";

const sentences = [...new Set(Object.values(english))];
const bundle = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(`media/l10n/bundle.l10n.${language}.json`, "utf8"));
const holes = (sentence: string) => [...sentence.matchAll(/\{\w+\}/g)].map(String).sort();

test("every sentence of the page is there in Chinese, with the same holes", () => {
  const chinese = bundle("zh-cn");
  assert.deepEqual(
    sentences.filter((sentence) => !chinese[sentence]),
    [],
  );
  for (const sentence of sentences)
    assert.deepEqual(holes(chinese[sentence] ?? ""), holes(sentence), sentence);
});

test("the pseudo-locale is up to date (node test/support/pseudo-locale.mjs writes it)", () => {
  const marked = bundle("qps-ploc");
  for (const sentence of sentences) assert.equal(marked[sentence], pseudo(sentence));
});
