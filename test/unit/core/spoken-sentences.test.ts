// Whatever the core says to people can be said in their language: every sentence that stands in its code is known to the
// page or to the editor's own windows, or is here, among those that no person reads. A new one makes this test fail until
// it is in one of the lists.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { cautionSentences } from "../../../src/core/conversation/caution-sentences.ts";
import { fileReasons, fileSentences } from "../../../src/core/conversation/file-sentences.ts";
import { knowSentences } from "../../../src/core/conversation/known-sentences.ts";
import { patchReasons, patchSentences } from "../../../src/core/conversation/patch-sentences.ts";
import { toolSentences } from "../../../src/core/conversation/tool-sentences.ts";
import { checkSentences } from "../../../src/shell/connection/check-sentences.ts";
import { coreSentences, tryAgainAt } from "../../../src/shell/core-sentences.ts";
import { commandSentences } from "../../../src/webview/command-sentences.ts";
import { noteSentences } from "../../../src/webview/note-sentences.ts";
import { problemEndings, problemSentences } from "../../../src/webview/problem-sentences.ts";

const lists = [
  ...[cautionSentences, fileReasons, fileSentences, patchReasons, patchSentences, toolSentences],
  ...[commandSentences, noteSentences, problemEndings, problemSentences],
];
const known = knowSentences({
  whole: [
    ...lists.flatMap((list) => Object.values<string>(list)),
    ...[...coreSentences.whole, ...checkSentences, tryAgainAt],
  ],
  begun: coreSentences.begun,
});

/** What these say goes to the model, to the log, or comes with data of which the page makes its own sentence. */
const notForPeople =
  /\/(api\/tool-shapes|conversation\/models|send-current|spend-guard|turn\/(prompts|transcript|foreign-request))\.ts$/;

/** Beside what people read: answers to the model, words of a test, and names of errors that nobody should ever meet. */
const exceptions = new Set([
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
  "No problems.",
  "The user stopped the turn before deciding about this patch. Nothing was changed.",
  "The editor did not apply the patch: x Nothing was changed.",
  "No matches.",
  "Tools of x.",
  "The files have changed since you proposed this edit. What they hold now is attached: please look again, and propose the edit anew if it is still needed.",
  "Changes files of the workspace: adds, deletes, moves or updates them. The user reviews every patch before it is applied.",
  "Paths are relative to the workspace. In an update, give about three unchanged lines before and after each change, exactly as they are in the file, so that the place is unique; where it is not, add @@ lines that name the function or class around it.",
  "This call was not run.",
  "This call was not run, because the reply was cut off before its end.",
  "The user stopped the turn before this call came to an end; nothing can be said about its result.",
  "This call was not run, because the reply failed.",
  "Patchbay cannot run calls of this kind.",
  // In two parts, each of which is known.
  "What the model thought and searched earlier is left out from here on, and its answers are retold. x",
]);

const sources = readdirSync("src/core", { recursive: true })
  .map((name) => `src/core/${String(name).replaceAll("\\", "/")}`)
  .filter((name) => name.endsWith(".ts") && !name.endsWith("-sentences.ts") && !notForPeople.test(name));

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

test("every sentence of the core that people may read is known in their language", () => {
  const strange = sources.flatMap((file) =>
    [...sentencesIn(file)]
      .filter((words) => known(words) === undefined && !exceptions.has(words))
      .map((words) => `${file}: ${words}`),
  );
  assert.deepEqual(strange, []);
});
