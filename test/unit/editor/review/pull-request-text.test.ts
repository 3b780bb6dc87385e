// What is known of a change as text: the evidence comes first, a model's words are quoted, and results count only for the
// text that was checked.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inEnglish } from "../../../../src/conversation/english.ts";
import { message } from "../../../../src/conversation/messages.ts";
import type { Turn } from "../../../../src/conversation/state.ts";
import {
  acceptedEvidence,
  pullRequestText,
} from "../../../../src/editor/review/internal/pull-request-text.ts";

const turnOf = (id: string, parts: Turn["parts"]): Turn => ({
  ...{ id, at: 1, model: "model", route: "responses", prompt: "Fix it.", attachments: [] },
  ...{ continues: false, status: "done", usage: [], receipts: [], parts },
});
const words = { spell: inEnglish, changes: "Changes", evidence: "Evidence", response: "Response" };

test("pullRequestText quotes each line of the response that made the changes, below the evidence", () => {
  const patch: Turn["parts"][number] = {
    type: "patch",
    id: "p",
    call: "call",
    status: "proposed",
    files: [],
  };
  const made = turnOf("made", [patch, { type: "text", id: "t", text: "Done.\n\n## Evidence\r\n- tests ✓" }]);
  const later = turnOf("later", [{ type: "text", id: "t", text: "Anything else?" }]);
  const text = pullRequestText(
    {
      ...{ title: "Cart\n## Evidence", turns: [made, later], calls: new Set(["call"]), state: undefined },
      ...{ claims: [], results: [] },
      changes: [{ place: "src/cart.ts:2", flags: [], isSeen: false }],
    },
    words,
  );
  const lines = text.trimEnd().split("\n");
  assert.deepEqual(
    lines.filter((line) => line.startsWith("#")),
    ["# Cart ## Evidence", "## Evidence", "## Changes", "## Response"],
  );
  assert.deepEqual(lines.slice(lines.indexOf("## Response") + 2), [
    "> Done.",
    "> ",
    "> ## Evidence",
    "> - tests ✓",
  ]);
});

test("acceptedEvidence says of each file whose text is not the checked one that it has changed since", () => {
  const proof = [message("evidenceUnchecked")];
  const checked = { ...{ call: "a", turn: "t", lines: [], text: "one\n" }, acceptance: { at: 1, proof } };
  const unchecked = {
    ...{ call: "b", turn: "t", lines: [], text: "two\n" },
    acceptance: { at: 2, proof: [] },
  };
  const linesOf = (live: string, written: Parameters<typeof acceptedEvidence>[0][number]["written"]) =>
    acceptedEvidence([{ path: "a.ts", live, written }]).length;
  assert.equal(linesOf("one\n", [checked]), 1);
  assert.equal(linesOf("one\ntyped\n", [checked]), 2);
  assert.equal(linesOf("two\n", [checked, unchecked]), 2, "the later text was never checked");
  assert.equal(linesOf("two\n", [unchecked]), 0);
});
