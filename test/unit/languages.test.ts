// Every sentence that a person reads in the editor is there in every language: those of the host's code and those of
// the manifest. The page's own are in webview/languages.test.ts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pseudo } from "../support/pseudo-locale.mjs";
import { shellSentences } from "../support/shell-sentences.mjs";

const read = (file: string): Record<string, string> => JSON.parse(readFileSync(file, "utf8"));
/** What a translation must not lose: holes, icons, code, addresses of commands. */
const fixed = (sentence: string) =>
  [...sentence.matchAll(/\{\w+\}|\$\(\w+\)|`[^`]*`|\(command:[^)]*\)/g)].map(String).sort();

test("every sentence of the host is there in Chinese, with the same holes", () => {
  const chinese = read("media/l10n/bundle.l10n.zh-cn.json");
  const sentences = shellSentences();
  assert.ok(sentences.length > 100);
  assert.deepEqual(
    sentences.filter((sentence) => chinese[sentence] === undefined),
    [],
  );
  for (const sentence of sentences)
    assert.deepEqual(fixed(chinese[sentence] ?? ""), fixed(sentence), sentence);
});

test("every sentence of the manifest is there in Chinese, with the same code and addresses", () => {
  const english = read("package.nls.json");
  const chinese = read("package.nls.zh-cn.json");
  assert.deepEqual(Object.keys(chinese).sort(), Object.keys(english).sort());
  for (const [key, sentence] of Object.entries(english))
    assert.deepEqual(fixed(chinese[key] ?? ""), fixed(sentence), key);
});

test("the pseudo-locale is up to date (node test/support/pseudo-locale.mjs writes it)", () => {
  const bundle = read("media/l10n/bundle.l10n.qps-ploc.json");
  for (const sentence of shellSentences()) assert.equal(bundle[sentence], pseudo(sentence));
  const manifest = read("package.nls.qps-ploc.json");
  for (const [key, sentence] of Object.entries(read("package.nls.json")))
    assert.equal(manifest[key], pseudo(sentence));
});
