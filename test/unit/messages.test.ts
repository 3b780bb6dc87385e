// What crosses a border is a message of the catalogue: rooms build their sentences nowhere else. What is written for the
// model or for the log alone is marked as such, so a new sentence makes this test fail until it is in a table or marked.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { allSentences, inEnglish } from "../../src/conversation/english.ts";
import { formatMessage, type Language, message, withArguments } from "../../src/conversation/messages.ts";
import { Message } from "../../src/conversation/problem.ts";
import { pseudo } from "../support/pseudo-locale.mjs";
import { sourceFiles } from "../support/source-patterns.ts";

const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|[()]|\n(?=\w)/g;

/** Calls whose words are marked, stand in the log, or are looked for in a bundle. */
const isKnownCall = /\b(forModel|forLog|log\.\w+|inBackground|new Error|t)$/;
/** An entry of a table, or what a tool's definition says of itself. */
const isKnownField = /\b(en|zh|description|prompt):( \[)?$/;

/** Texts outside of known calls that read like a sentence or a reason, what is put into them written as "x". */
function* sentencesIn(file: string, source: string): Generator<string> {
  const reasonsAreTold = /^src\/(patch|search|tools)\//.test(file);
  const calls: boolean[] = [];
  for (const { 0: text, index } of source.matchAll(token)) {
    const before = source.slice(Math.max(0, index - 200), index).trimEnd();
    // Where a statement begins that stands alone, no call is open: what looked like one was in a regular expression.
    if (text === "\n") calls.length = 0;
    else if (text === "(") calls.push(isKnownCall.test(before));
    else if (text === ")") calls.pop();
    if (text.length < 2 || text.startsWith("/") || calls.includes(true) || isKnownField.test(before))
      continue;
    const words = text
      .slice(1, -1)
      .replaceAll(/\$\{[^}]*\}/g, "x")
      .replaceAll(/\\(["'`\\])/g, "$1");
    const isSentence = /^["“]?[A-Z].* .*\.$/.test(words) && !words.includes("\n");
    const isReason = reasonsAreTold && /^(it|the|a|its|notebooks|no|nothing|other|too) .*[^:;]$/.test(words);
    if (isSentence || isReason) yield words;
  }
}

describe("sentences", () => {
  test("are in a table or marked as written for the model or the log", () => {
    const strange = sourceFiles().flatMap((file) =>
      [...sentencesIn(file, readFileSync(file, "utf8"))].map((words) => `${file}: ${words}`),
    );
    assert.deepEqual(strange, []);
  });

  test("are detected when they are not marked", () => {
    const source = 'say("It is so."); say(forModel(["It is told.", `(b`].join("")), "It is shown.");';
    assert.deepEqual([...sentencesIn("src/a.ts", source)], ["It is so.", "It is shown."]);
    const reason = 'const why = "the file is gone";';
    assert.deepEqual([...sentencesIn("src/patch/a.ts", reason)], ["the file is gone"]);
    assert.deepEqual([...sentencesIn("src/a.ts", reason)], []);
  });
});

const marked: Language = {
  sentence: (code) => pseudo(allSentences[code]),
  number: (value) => `#${value}`,
  duration: (milliseconds) => `${milliseconds} ms`,
  time: (at) => `at ${at}`,
};

test("formatMessage renders a message and its nested messages in one language", () => {
  const why = [message("whyNoRoot", { names: "a; b" }), message("whyLong")];
  const refusal = message("patchNotAllowed", { path: "x {why}", why });
  assert.equal(
    inEnglish(refusal),
    "The patch names x {why}, which is not allowed: with several folders open it must begin with one of a; b; it is longer than 1 MiB.",
  );
  const said = formatMessage(refusal, marked);
  assert.equal(said.match(/⟦/g)?.length, 3, said);
  assert.doesNotMatch(said, /with several folders|not allowed/);
  assert.match(
    formatMessage(message("problemNoAnswer", { time: { milliseconds: 90_000 } }), marked),
    /90000 ms/,
  );
  assert.match(formatMessage(message("tryAgainAt", { time: { at: 7 } }), marked), /at 7/);
  assert.match(formatMessage(message("changeHalfWritten", { count: 3, all: 5 }), marked), /#3.*#5/);
});

test("Message.parse restores a message from JSON and refuses anything else", () => {
  const kept = message("patchFile", { path: "a", why: [message("whyLink")] });
  assert.deepEqual(Message.parse(JSON.parse(JSON.stringify(kept))), kept);
  for (const none of [
    "A sentence.",
    { code: "toString" },
    { code: "nobodyKnows" },
    { code: "whyLink", args: [1] },
  ])
    assert.equal(Message.safeParse(none).success, false, JSON.stringify(none));
});

test("withArguments replaces every name in a message, however deeply nested", () => {
  const deep = message("patchAndOne", {
    first: message("patchFile", { path: "key", why: message("whyAlike") }),
  });
  assert.match(inEnglish(withArguments(deep, () => "[removed]")), /^\[removed\] cannot be patched/);
});
