import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { english } from "../../../src/webview/english.ts";

const sentences = [...new Set(Object.values(english))];
const holes = (sentence: string) => [...sentence.matchAll(/\{\w+\}/g)].map(String).sort();

test("every sentence of the page is there in Chinese, with the same holes", () => {
  const chinese: Record<string, string> = JSON.parse(
    readFileSync("media/l10n/bundle.l10n.zh-cn.json", "utf8"),
  );
  assert.deepEqual(
    sentences.filter((sentence) => !chinese[sentence]),
    [],
  );
  for (const sentence of sentences)
    assert.deepEqual(holes(chinese[sentence] ?? ""), holes(sentence), sentence);
});
