// What the core says of patches that do not fit is known again by its form, so that people read it in their language.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  patchInWords,
  patchReasons,
  patchSentences,
} from "../../../../src/core/conversation/patch-sentences.ts";
import { forPeople, refuse } from "../../../../src/core/patch/explain.ts";
import type { Refusal } from "../../../../src/core/patch/patch-error.ts";
import { dangersIn, protectionOf } from "../../../../src/core/patch/protection.ts";
import { atOnce } from "../../../../src/core/util/breathe.ts";
import { english } from "../../../../src/webview/english.ts";
import { pseudo } from "../../../support/pseudo-locale.mjs";

const marked = Object.fromEntries(
  Object.entries(english).map(([key, sentence]) => [key, pseudo(sentence)]),
) as typeof english;

const hunk = { line: 3, anchors: [], lines: [], end: false } as never;
const about = { path: "src/a.ts", number: 2, hunk, excerpt: { first: 0, lines: [], whole: "" } };
const one = { places: [{ first: 4, last: 5 }], count: 1 };
const two = { places: [...one.places, { first: 8, last: 9 }], count: 2 };
const nearest = { at: { first: 4, last: 5 }, agreeing: 1, line: 4, patch: "a", file: "b" };
const refusals: readonly Refusal[] = [
  { kind: "syntax", line: 3, problem: "The patch has no end", found: undefined },
  { kind: "too-much", what: "files" },
  { kind: "path", path: "../a", why: "it leads upwards with '..'" },
  { kind: "exists", path: "a.ts", same: true },
  { kind: "exists", path: "a.ts", same: false },
  { kind: "missing", path: "a.ts", alike: "b.ts" },
  { kind: "missing", path: "a.ts", alike: undefined },
  { kind: "file", path: "a.ts", why: "it is a link" },
  { kind: "no-change", path: "a.ts" },
  { kind: "placeholder", path: "a.ts", found: "// ... existing code ..." },
  { ...about, kind: "not-found", nearest: undefined, appliedAt: [] },
  { ...about, kind: "not-found", nearest, appliedAt: [] },
  { ...about, kind: "not-found", nearest, appliedAt: [3] },
  { ...about, kind: "not-found", nearest, appliedAt: [3, 7] },
  { ...about, kind: "already", at: 3 },
  { ...about, kind: "no-anchor", anchor: "class A" },
  { ...about, ...two, kind: "ambiguous", looseness: "exact" },
  { ...about, ...one, kind: "outside-anchor" },
  { ...about, ...two, kind: "outside-anchor" },
  { ...about, kind: "no-place" },
  { ...about, kind: "doubt", about: "indentation", row: 4 },
  { ...about, kind: "doubt", about: "spelling", row: 4 },
  { ...about, ...one, kind: "entangled", other: 1 },
  { kind: "others", path: "a.ts", count: 1 },
  { kind: "others", path: "a.ts", count: 4 },
];

test("every reason why a patch is refused is said in the reader's language", () => {
  for (const refusal of refusals) {
    const told = patchInWords(forPeople(refusal), marked);
    assert.match(told, /^⟦.*⟧$/, told);
  }
});

test("of several problems the first is told, and how many more there are", () => {
  const [, missing, , , , other = missing] = refusals;
  const { message } = refuse([other, ...refusals.slice(9, 11)].filter((each) => each !== undefined));
  assert.match(patchInWords(message, marked), /^⟦.*b\.ts.*⟧ ⟦.*2.*⟧$/);
  assert.equal(patchInWords(message, english), message);
});

test("reasons inside a sentence are in the reader's language, too; paths stay as they are", () => {
  const told = patchInWords("src/a.ts cannot be patched: it is a link.", marked);
  assert.ok(told.includes("src/a.ts") && told.includes(pseudo(patchReasons.whyLink)), told);
});

test("a hunk that fits in more places than are named says how many more, in words", () => {
  const places = Array.from({ length: 10 }, (_, row) => ({ first: row, last: row + 1 }));
  const message = forPeople({ ...about, places, count: 13, kind: "ambiguous", looseness: "exact" });
  assert.ok(
    patchInWords(message, marked).startsWith(pseudo(patchSentences.patchHunkSeveralMore).slice(0, 3)),
  );
  assert.ok(!patchInWords(message, marked).includes(" and 3 more"));
});

test("what a call of a tool came to is said in the reader's language, a person's own words as they are", () => {
  const messages = [
    '"src" is a folder; use list_files.',
    '".env" cannot be read: it is on the list of files that are never sent.',
    "The arguments of read_file do not fit: path: must be a string. Nothing was done.",
    "12 files",
    "3 matches in 2 files",
    "src/a.ts, lines 3–9",
    "src/a.ts, lines 3–end",
  ];
  for (const message of messages) assert.match(patchInWords(message, marked), /^⟦.*⟧$/, message);
  const declined = patchInWords("The user declined this call. They said: not\nnow", marked);
  assert.match(declined, /^⟦[^⟧]*⟧ ⟦.*not\nnow.*⟧$/s);
});

test("why a file deserves a second look is said in the reader's language, each reason of it", () => {
  const names = ["package.json", ".vscode/settings.json", ".env.local", "key.pem", "AGENTS.md", ".bashrc"];
  for (const reasons of [
    ...names.map(protectionOf),
    atOnce(dangersIn("\u202e")),
    ["the settings protect it"],
  ]) {
    const message = `Look twice: ${[...reasons, ...protectionOf(".github/workflows/a.yml")].join("; ")}.`;
    assert.match(patchInWords(message, marked), /^⟦[^⟦]*(⟦[^⟦⟧]*⟧(; )?)+\.[^⟦]*⟧$/, message);
  }
});

test("in English every sentence reads as the core says it, and other words stay as they came", () => {
  for (const refusal of refusals) {
    const message = forPeople(refusal);
    assert.equal(patchInWords(message, english), message);
  }
  for (const sentence of [patchSentences.patchStale, "The editor has another word for it.", ""])
    assert.equal(patchInWords(sentence, english), sentence);
});
