// What a chip says of an attachment is known again by its form, sentence by sentence: here are real ones.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agreedNote,
  askedWithoutSearches,
  simplifiedNotes,
  startsAnew,
} from "../../../src/core/turn/simplify.ts";
import { english } from "../../../src/webview/english.ts";
import { noteInWords } from "../../../src/webview/note-sentences.ts";
import { pseudo } from "../../support/pseudo-locale.mjs";
import { attach } from "../core/turn/attach-talk.ts";

const marked = Object.fromEntries(
  Object.entries(english).map(([key, sentence]) => [key, pseudo(sentence)]),
) as typeof english;

test("every note of an attachment is said in the reader's language, names and all", async () => {
  const secret = ["ghp", "d".repeat(36)].join("_");
  const { views } = await attach(
    [
      { kind: "file", path: ".env" },
      { kind: "file", path: "../outside.txt" },
      { kind: "file", path: "gone.ts" },
      { kind: "file", path: "empty.ts" },
      { kind: "file", path: "binary" },
      { kind: "file", path: "long.ts" },
      { kind: "folder", path: ".git" },
      { kind: "selection", path: "src/a.ts", start: 50, end: 60 },
      { kind: "image", name: "odd", url: "data:text/plain;base64,AAAA" },
      { kind: "conversation", id: "none", name: "An old one" },
      { kind: "text", name: "Untitled-1", text: `${secret} \u202e` },
      { kind: "text", name: "Untitled-2", text: `${secret}\n${secret}` },
      { kind: "terminal", name: "bash", text: "line\n".repeat(200_000) },
    ],
    "Look.",
    ({ workspace }) => {
      workspace.write("work/.env", "TOKEN=x");
      workspace.write("work/empty.ts", "");
      workspace.write("work/binary", "a\u0000b");
      workspace.write("work/long.ts", "a line of this file\n".repeat(100_000));
    },
  );
  for (const { label, note } of views) {
    assert.ok(note !== undefined, label);
    assert.match(noteInWords(note, marked), /^⟦[^⟦⟧]*(⟦[^⟦⟧]*⟧)?[^⟦⟧]*⟧( ⟦[^⟦⟧]*⟧)*$/, note);
    assert.equal(noteInWords(note, english), note);
  }
});

test("what an answer notes of itself is said in the reader's language, sentence by sentence", () => {
  const notes = [
    `More tools are offered from here on. Web search is off from here on. ${startsAnew}`,
    ...Object.values(simplifiedNotes),
    askedWithoutSearches,
    agreedNote,
    "The service does not accept “prompt_cache_key”; it is left out from now on.",
  ];
  for (const note of notes) assert.match(noteInWords(note, marked), /^⟦[^⟦⟧]*⟧( ⟦[^⟦⟧]*⟧)*$/, note);
});

test("a note that nobody knows stays as it came", () => {
  for (const note of ["", "It went. Nobody knows where.", "1 secret"])
    assert.equal(noteInWords(note, marked), note);
});
