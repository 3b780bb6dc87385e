import assert from "node:assert/strict";
import { test } from "node:test";
import type { Turn } from "../../../src/core/conversation/state.ts";
import { type SentQuestion, sentQuestions } from "../../../src/webview/sent-questions.ts";

const turn = (id: string, prompt: string, more: Partial<Turn> = {}): Turn => ({
  ...{ id, prompt, at: 1, model: "m", route: "responses", attachments: [], continues: false },
  ...{ parts: [], status: "done", usage: [], receipts: [], ...more },
});
const running = (id: string, prompt: string, ...words: string[]) =>
  turn(id, prompt, { status: "running", parts: words.map((text) => ({ type: "text", id: "p", text })) });

/** The page, and what of it is left when it comes to be again. */
function page(kept: readonly SentQuestion[] = []) {
  let saved = kept;
  const sent = sentQuestions(kept, (list) => {
    saved = list;
  });
  return { sent, saved: () => saved, again: () => page(saved) };
}

test("a question that the host never had stands in the box again", () => {
  const { sent, again } = page();
  sent.add("Why?", turn("1", "What?"));
  assert.deepEqual(again().sent.lost([turn("1", "What?")]), ["Why?"]);
});

test("one whose turn is shown does not, though that was cut off with its window: it is on the disk", () => {
  const { sent, saved, again } = page();
  sent.add("Why?", undefined);
  sent.see(running("2", "Why?"));
  assert.deepEqual(saved(), []);
  assert.deepEqual(again().sent.lost([turn("2", "Why?", { status: "interrupted" })]), []);
});

test("one that is on the disk and was never shown does not, nor is one put back twice", () => {
  const { sent, again } = page();
  sent.add("Why?", undefined);
  assert.deepEqual(again().sent.lost([turn("2", "Why?", { status: "interrupted" })]), []);
  const other = page();
  other.sent.add("Why?", undefined);
  const later = other.again();
  assert.deepEqual(later.sent.lost([]), ["Why?"]);
  assert.deepEqual(later.again().sent.lost([]), []);
});

test("of several that wait one is taken back, and the others are not forgotten", () => {
  const { sent, again } = page();
  for (const text of ["One?", "Two?", "One?"]) sent.add(text, undefined);
  sent.remove("One?");
  assert.deepEqual(again().sent.lost([]), ["One?", "Two?"]);
});

test("of several that wait in a row each is let go with its own turn", () => {
  const { sent, saved, again } = page();
  const first = running("1", "One?", "Words");
  sent.add("Two?", first);
  sent.add("Three?", first);
  sent.see(first);
  sent.see(running("2", "Two?", "Words"));
  assert.deepEqual(
    saved().map(({ text }) => text),
    ["Three?"],
  );
  assert.deepEqual(again().sent.lost([turn("1", "One?"), turn("2", "Two?")]), ["Three?"]);
});

test("the same question asked once before is no sign that it was kept", () => {
  const { sent, again } = page();
  sent.add("Go on?", turn("1", "Go on?"));
  assert.deepEqual(again().sent.lost([turn("1", "Go on?")]), ["Go on?"]);
});
