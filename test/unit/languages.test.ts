// Every sentence that a person reads in the editor is there in every language: those of the host's code and those of
// the manifest. The page's own are in webview/languages.test.ts.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { allSentences } from "../../src/core/messages/english.ts";
import { english } from "../../src/webview/english.ts";
import { shellSentences } from "../support/shell-sentences.mjs";

const read = (file: string): Record<string, string> => JSON.parse(readFileSync(file, "utf8"));
/** What a translation must not lose: holes, icons, code, addresses of commands. */
const fixed = (sentence: string) =>
  [...sentence.matchAll(/\{\w+\}|\$\(\w+\)|`[^`]*`|\(command:[^)]*\)/g)].map(String).sort();

test("the languages that ship are English and Chinese", () => {
  const files = readdirSync("media/l10n").concat(
    readdirSync(".").filter((name) => name.startsWith("package.nls")),
  );
  assert.deepEqual(files.sort(), ["bundle.l10n.zh-cn.json", "package.nls.json", "package.nls.zh-cn.json"]);
});

test("no sentence of the bundle is left that nobody says", () => {
  const said = new Set([...shellSentences(), ...Object.values(english), ...Object.values(allSentences)]);
  const bundle = Object.keys(read("media/l10n/bundle.l10n.zh-cn.json"));
  assert.deepEqual(
    bundle.filter((sentence) => !said.has(sentence)),
    [],
  );
});

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
