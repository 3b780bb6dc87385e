import assert from "node:assert/strict";
import { test } from "node:test";
import { answerMarkdown, conversationMarkdown } from "../../../../src/core/conversation/markdown.ts";
import type { Part, Turn } from "../../../../src/core/conversation/state.ts";

const turn = (prompt: string, parts: readonly Part[], more: Partial<Turn> = {}): Turn => ({
  id: "t",
  at: 0,
  model: "svc-k3",
  route: "responses",
  prompt,
  attachments: [],
  continues: false,
  parts: [...parts],
  status: "done",
  usage: [],
  receipts: [],
  ...more,
});
const text = (words: string): Part => ({ type: "text", id: "a", text: words });

const turns = [
  turn(
    "What is this?",
    [
      { type: "reasoning", id: "r", text: "Look.\nThink." },
      { type: "search", id: "s", status: "completed", sources: [{ url: "https://a.example/x", title: "A" }] },
      text("A cart.\n"),
    ],
    { attachments: [{ kind: "file", label: "src/cart.ts", bytes: 10 }] },
  ),
  turn("", [
    { type: "patch", id: "p", call: "c", status: "applied", files: [edited("src/cart.ts")] },
    { type: "patch", id: "q", call: "d", status: "rejected", files: [edited("src/no.ts")] },
    text("Done."),
  ]),
];

function edited(path: string) {
  return { path, change: "update" as const, added: 1, removed: 1, hunks: [] };
}

test("a conversation is exported with its questions, attachments, sources, edits and answers", () => {
  assert.equal(
    conversationMarkdown(turns, { title: "Carts", reasoning: false }),
    [
      "# Carts",
      "## You",
      "> src/cart.ts",
      "What is this?",
      "## svc-k3",
      "- A <https://a.example/x>",
      "A cart.",
      "## svc-k3",
      "*Edited `src/cart.ts`*",
      "Done.\n",
    ].join("\n\n"),
  );
});

test("reasoning is exported as a quote where it is asked for", () => {
  assert.match(conversationMarkdown(turns, { title: "Carts", reasoning: true }), /\n> Look\.\n> Think\.\n/);
});

test("what is copied of an answer is its text", () => {
  assert.equal(answerMarkdown(turn("", [text("One."), text(" Two. ")])), "One.\n\nTwo.");
});
