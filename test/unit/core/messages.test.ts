// What crosses a border is a message of the catalogue: the core builds its sentences nowhere else. What is written for the
// model alone, or for the log, is listed here; a new sentence makes this test fail until it is in one of the two places.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { allSentences, inEnglish } from "../../../src/core/messages/english.ts";
import { formatMessage, type Language } from "../../../src/core/messages/format-message.ts";
import { message, withArguments } from "../../../src/core/messages/message.ts";
import { Message } from "../../../src/core/messages/schema.ts";
import { pseudo } from "../../support/pseudo-locale.mjs";

/** What these say goes to the model, to the log, or comes with data of which the page makes its own sentence. */
const notForPeople =
  /\/(api\/request-shapes|findings\/review-prompt|conversation\/models|send-current|spend-guard|turn\/(prompts|transcript|sent-history|hand-over|text-patch|language-model-request|text-calls))\.ts$/;

/** Beside what people read: answers to the model, words of a test, and names of errors that nobody should ever meet. */
const exceptions = new Set([
  // A bug in a list of ours, or one of the user's or the model's that is told in words of its own.
  'The pattern "x" cannot be read.',
  "Answer with the one word ok.",
  "Not for this test.",
  "This is a test of the connection. Call no tools.",
  // In three forms, each of which is known.
  "The reply ended x; it came as x (x).",
  "The tool returned nothing.",
  "the file has no such line",
  "the file has x",
  "The nearest place is x, where x; at line x the patch has x and x.",
  "This is not the name of a conversation.",
  // With each reason; test/unit/shell/said.test.ts asks for all of them.
  "History is not being saved: x. The conversation goes on in memory.",
  "This conversation cannot be read: x.",
  "No files.",
  "Only the first x files are shown; name a folder or a pattern to see others.",
  // What a list or a search left out is told to the model in its result.
  "Not everything was looked at in time: x and x at least were not opened.",
  "Not every file was looked into: finding out which hold matches was ended after x seconds; name a folder or a pattern.",
  "The regular expression takes too long on x; use a simpler one.",
  "The search was ended there.",
  "Larger than x MB and not searched: x.",
  "Could not be read: x.",
  "Files on the ignore list were not searched.",
  "Of lines with more than x characters only the beginning is shown; search_text shows what stands around a match in them.",
  "No check applies to your proposed changes.",
  "No problems.",
  "They are proposed: the user decides about them and the files on the disk do not have them yet. Your tools already read them as changed, so go on as if they were.",
  "No matches.",
  "Tools of x.",
  "The files have changed since you proposed this edit. What they hold now is attached: please look again, and propose the edit anew if it is still needed.",
  "Changes files of the workspace: adds, deletes, moves or updates them. A patch is proposed to the user, who decides later; your other tools read the files as if it was applied.",
  "Paths are relative to the workspace. In an update, give about three unchanged lines before and after each change, exactly as they are in the file, so that the place is unique; where it is not, add @@ lines that name the function or class around it.",
  // What Detect Features asks for.
  "Make no change.",
  "Nothing to do.",
  "This call was not run.",
  "This call was not run, because the reply was cut off before its end.",
  "The user stopped the turn before this call came to an end; nothing can be said about its result.",
  "This call was not run, because the reply failed.",
  "Patchbay cannot run calls of this kind.",
  // In two parts, each of which is known.
  "Earlier reasoning and searches are omitted, and earlier responses are sent as a summary. x",
]);

const sources = readdirSync("src/core", { recursive: true })
  .map((name) => `src/core/${String(name).replaceAll("\\", "/")}`)
  .filter(
    (name) => name.endsWith(".ts") && !name.startsWith("src/core/messages/") && !notForPeople.test(name),
  );

const literal = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

/** Texts that read like a sentence or a reason, what is put into them written as "x". */
function* sentencesIn(file: string): Generator<string> {
  const source = readFileSync(file, "utf8");
  const reasonsAreTold = /^src\/core\/(patch|tools)\//.test(file);
  for (const { 0: text, index } of source.matchAll(literal)) {
    const before = source.slice(0, index).trimEnd();
    const isElsewhere = /\b(log\.\w+|new Error)\($|\b(description|prompt):( \[)?$/.test(before);
    if (text.startsWith("/") || isElsewhere) continue;
    const words = text
      .slice(1, -1)
      .replaceAll(/\$\{[^}]*\}/g, "x")
      .replaceAll(/\\(["'`\\])/g, "$1");
    const isSentence = /^["“]?[A-Z].* .*\.$/.test(words) && !words.includes("\n");
    const isReason = reasonsAreTold && /^(it|the|a|its|notebooks|no|nothing|other|too) .*[^:;]$/.test(words);
    if (isSentence || isReason) yield words;
  }
}

test("a sentence that is not for the model alone stands in the catalogue", () => {
  const strange = sources.flatMap((file) =>
    [...sentencesIn(file)].filter((words) => !exceptions.has(words)).map((words) => `${file}: ${words}`),
  );
  assert.deepEqual(strange, []);
});

const marked: Language = {
  sentence: (code) => pseudo(allSentences[code]),
  number: (value) => `#${value}`,
  duration: (milliseconds) => `${milliseconds} ms`,
  time: (at) => `at ${at}`,
};

test("a message is said in one language, with all that stands in it", () => {
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

test("a message outlives the disk, and what is none is refused", () => {
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

test("every name in a message can be changed, however deep it stands", () => {
  const deep = message("patchAndOne", {
    first: message("patchFile", { path: "key", why: message("whyAlike") }),
  });
  assert.match(inEnglish(withArguments(deep, () => "[removed]")), /^\[removed\] cannot be patched/);
});
