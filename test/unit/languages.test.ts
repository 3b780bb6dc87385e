// Every sentence that a person reads is there in every language: those of tables, those of the editor's own windows, and
// those of the manifest.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ownFolder } from "../support/one-test.ts";
import {
  asShipped,
  chineseBundle,
  chineseByRoom,
  pairsIn,
  shownSentences,
  tableSentences,
} from "../support/sentences.mjs";

const read = (file: string): Record<string, string> => JSON.parse(readFileSync(file, "utf8"));
/** What a translation must not lose: holes, icons, code, addresses of commands. */
const fixed = (sentence: string) =>
  [...sentence.matchAll(/\{\w+\}|\$\(\w+\)|`[^`]*`|\(command:[^)]*\)/g)].map(String).sort();

test("the manifest ships in English and Chinese", () => {
  const files = readdirSync(".").filter((name) => name.startsWith("package.nls"));
  assert.deepEqual(files.sort(), ["package.nls.json", "package.nls.zh-cn.json"]);
});

test("every sentence of a table has a Chinese translation with the same holes", () => {
  const sentences = tableSentences();
  assert.ok(sentences.length > 900);
  for (const { en, zh } of sentences) {
    assert.ok(en !== "" && zh !== "", en);
    assert.deepEqual(fixed(zh), fixed(en), en);
  }
});

test("every sentence of the editor's windows has a Chinese translation with the same holes", () => {
  const chinese = chineseBundle();
  const sentences = [...shownSentences().keys()];
  assert.ok(sentences.length > 600);
  assert.deepEqual(
    sentences.filter((sentence) => !chinese[sentence]),
    [],
  );
  for (const sentence of sentences)
    assert.deepEqual(fixed(chinese[sentence] ?? ""), fixed(sentence), sentence);
});

test("each chinese.json holds the sentences of its room, the editor's also shared ones, and none of a table", () => {
  const shown = shownSentences();
  const inTables = new Set(tableSentences().map(({ en }) => en));
  const strange = [...chineseByRoom()].flatMap(([room, chinese]) =>
    Object.keys(chinese).filter((sentence) => {
      const [own, ...others] = shown.get(sentence) ?? [];
      const isOwn = others.length > 0 || own === "main" ? room === "editor" : own === room;
      return !isOwn || inTables.has(sentence);
    }),
  );
  assert.deepEqual(strange, []);
});

describe("tables of sentences", () => {
  const source = (entries: string) => `export const words = englishOf({\n${entries}\n});`;

  test("ship only their English", () => {
    const entries = `  one: { en: "One \\"file\\"", zh: "一个" },\n  two: {\n    en: 'Two "files"',\n    zh: "两个",\n  },`;
    assert.deepEqual(pairsIn("a.ts", source(entries)), [
      { en: 'One "file"', zh: "一个" },
      { en: 'Two "files"', zh: "两个" },
    ]);
    assert.equal(
      asShipped("a.ts", source(entries)),
      `export const words = ({\n  one: "One \\"file\\"",\n  two: 'Two "files"',\n});`,
    );
  });

  test("refuse entries that the build cannot parse", () => {
    for (const entry of ["one: { zh: '一', en: 'One' }", "one: { en: one, zh: `一` }", "one: { en: 'One' }"])
      assert.throws(() => asShipped("a.ts", source(entry)), /a\.ts: an entry of a table is/);
  });

  test("refuse two Chinese translations of one sentence", (t) => {
    const root = ownFolder(t, "sentences");
    mkdirSync(join(root, "src/a/editor"), { recursive: true });
    writeFileSync(join(root, "src/a/words.ts"), source(`  one: { en: "One", zh: "一" },`));
    const own = join(root, "src/a/editor/chinese.json");
    writeFileSync(own, JSON.stringify({ Two: "二" }));
    assert.deepEqual(chineseBundle(root), { One: "一", Two: "二" });
    writeFileSync(own, JSON.stringify({ One: "壹" }));
    assert.throws(() => chineseBundle(root), /“One” cannot be both “一” and “壹”/);
  });

  test("are built without the markers forModel and forLog, and other code is unchanged", () => {
    assert.equal(asShipped("a.ts", "say(forModel(`One.`), forLog('Two.'));"), "say((`One.`), ('Two.'));");
    const own = 'const own = { en: "One", zh: other };';
    assert.equal(asShipped("a.ts", own), own);
  });
});

test("every sentence of the manifest has a Chinese translation with the same code and command URLs", () => {
  const english = read("package.nls.json");
  const chinese = read("package.nls.zh-cn.json");
  assert.deepEqual(Object.keys(chinese).sort(), Object.keys(english).sort());
  for (const [key, sentence] of Object.entries(english))
    assert.deepEqual(fixed(chinese[key] ?? ""), fixed(sentence), key);
});
