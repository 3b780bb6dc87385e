import assert from "node:assert/strict";
import { test } from "node:test";
import { allSentences, catalogue } from "../../../src/conversation/english.ts";
import { composerSentences } from "../../../src/page/words/composer-sentences.ts";
import { english } from "../../../src/page/words/english.ts";
import { transcriptSentences } from "../../../src/page/words/transcript-sentences.ts";
import { tableSentences } from "../../support/sentences.mjs";

test("every sentence of the page and of messages is in a table with its Chinese translation", () => {
  const inTables = new Set(tableSentences().map(({ en }) => en));
  const others = [...Object.values(english), ...Object.values(allSentences)].filter(
    (sentence) => !inTables.has(sentence),
  );
  assert.deepEqual(others, []);
});

test("no sentence of the page has the name of a message or of another sentence", () => {
  const names = [...Object.keys(composerSentences), ...Object.keys(transcriptSentences)];
  assert.deepEqual(
    names.filter((name, at) => Object.hasOwn(catalogue, name) || names.indexOf(name) !== at),
    [],
  );
});
