// The words of the product: no sentence for people uses the vocabulary that a translated text has, in English, and in
// Chinese one word stands for one thing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { allSentences } from "../../src/conversation/english.ts";
import { english } from "../../src/page/words/english.ts";
import { notesIn } from "../support/changelog.mjs";
import { chineseBundle, shownSentences } from "../support/sentences.mjs";

const read = (file: string): Record<string, string> => JSON.parse(readFileSync(file, "utf8"));

/** What is refused, and what people know instead. */
const refused: readonly (readonly [RegExp, string])[] = [
  [/\banew\b/i, "again"],
  [/\b(go|goes|going|went|sent) along\b/i, "context"],
  [/\bfrom (here|now) on\b/i, "(nothing)"],
  [/\btakes? no(ne)?\b/i, "doesn't accept"],
  [/\b(give|gives|gave|given) up\b/i, "loses, will be sent uncached"],
  [/\b(take|takes|taken|took) (it |them )?back\b/i, "undo, remove"],
  [/\bput back\b|\bbrought back\b/i, "restore"],
  [/\banswer(s|ed|ing)?\b/i, "response"],
  [/\baddress(es)?\b/i, "URL"],
  [/\bticked\b/i, "selected"],
  [/\bpictures?\b/i, "image"],
  [/\bwait(s|ed|ing)? for (you|your)\b/i, "to review, needs"],
  [/\bfor your yes\b|\ba yes\b/i, "confirm"],
  [/\b(this|your) machine\b/i, "this computer"],
  [/\bof (your|its) own\b|\bof yours\b/i, "your own …"],
  [/\bby itself\b|\bby themselves\b/i, "automatically"],
  [
    /\bcome to its end\b|\blaid out for reading\b|\bno longer kept\b|\bkept beside it\b/i,
    "incomplete, formatted, available",
  ],
  [/\bnot placed\b/i, "location not found"],
  [/\badvise\b|\bforget\b/i, "suggest, reset"],
  [/\bsecret store\b/i, "secret storage"],
  [/\bids?\b/, "ID"],
  [/\blook twice\b/i, "check carefully"],
  [/\bmodels? chats?\b.*\blooks?\b/i, "accepts images"],
  [/\b1 changes\b/, "1 change"],
];

/** Holes, code and addresses of commands are no words. */
const wordsOf = (sentence: string) =>
  sentence.replaceAll(/\]\([^)]*\)/g, "]").replaceAll(/`[^`]*`|\{\w+\}|\bpatchbay\.[\w.]+/g, "…");

const oldWords = (sentences: Iterable<string>): string[] =>
  [...new Set(sentences)].flatMap((sentence) =>
    refused.flatMap(([word, instead]) =>
      word.test(wordsOf(sentence)) ? [`${sentence}  (${word.source}: ${instead})`] : [],
    ),
  );

test("the vocabulary check finds refused words, but not in code or holes", () => {
  assert.equal(oldWords(["About {tokens} tokens would be read anew."]).length, 1);
  assert.equal(oldWords(["Copy [this](command:patchbay.answer) `answer` of {answer}."]).length, 0);
});

for (const [where, sentences] of Object.entries({
  "the manifest": Object.values(read("package.nls.json")),
  "the page": Object.values(english),
  "what crosses a border": Object.values(allSentences),
  "the editor": [...shownSentences().keys()],
}))
  test(`no sentence of ${where} uses the old words`, () => {
    assert.ok(sentences.length > 100);
    assert.deepEqual(oldWords(sentences), []);
  });

for (const file of ["README.md", "CHANGELOG.md"])
  test(`${file} uses none of the old words`, () => {
    assert.deepEqual(oldWords(readFileSync(file, "utf8").split("\n")), []);
  });

test("the release notes use none of the old words", () => {
  assert.deepEqual(oldWords(notesIn().map(({ text }) => text)), []);
});

test("the first sentence of a setting has at most twelve words", () => {
  const settings = Object.entries(read("package.nls.json")).filter(
    ([key]) => /^setting\.[\w.]+$/.test(key) && key.split(".").length <= 3 && !key.endsWith(".wrong"),
  );
  assert.ok(settings.length > 30);
  const long = settings.filter(([, text]) => {
    const first = /^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text;
    return first.replaceAll(/`[^`]*`/g, "code").split(/\s+/).length > 12;
  });
  assert.deepEqual(long, []);
});

test("the Chinese texts use one term for each concept", () => {
  const chinese = [...Object.values(chineseBundle()), ...Object.values(read("package.nls.zh-cn.json"))];
  for (const [word, instead] of [
    ["您", "你"],
    ["令牌", "token"],
    ["收据", "回执"],
    ["撤销", "撤消"],
    ["回答", "回复"],
    ["答复", "回复"],
  ] as const)
    assert.deepEqual(
      chinese.filter((sentence) => sentence.includes(word)),
      [],
      `${word}: ${instead}`,
    );
});
