// What can be read off a text in which some of several replacements were made.
import assert from "node:assert/strict";
import { test } from "node:test";
import { appliedEdits } from "../../../../src/editor/review/internal/refactor-preview.ts";
import { applyEdits } from "../../../../src/patch/edits.ts";
import type { UpdateChange } from "../../../../src/patch/model.ts";
import { planPatch } from "../../../../src/patch/plan.ts";
import { MemoryWorkspace } from "../../../support/memory-workspace.ts";

const base = Array.from({ length: 20 }, (_, row) => `line ${row}\n`).join("");

async function change(...lines: readonly string[]): Promise<UpdateChange> {
  const patch = ["*** Begin Patch", "*** Update File: a", ...lines, "*** End Patch", ""].join("\n");
  const [only] = (await planPatch(patch, new MemoryWorkspace({ a: base }))).changes;
  assert(only?.kind === "update");
  return only;
}

const three = () =>
  change(
    ...["@@", " line 1", "-line 2", "+two", " line 3", "-line 4"],
    ...["@@", " line 9", "+added", " line 10"],
    ...["@@", "-line 15", "+line 15", "+line 15", " line 16"],
  );

test("appliedEdits recognizes every combination of applied edits", async () => {
  const { edits } = await three();
  assert.equal(edits.length, 4);
  for (let choice = 0; choice < 16; choice++) {
    const wanted = edits.map((_, index) => (choice & (1 << index)) !== 0);
    const result = applyEdits(
      base,
      edits.filter((_, index) => wanted[index]),
    );
    assert.deepEqual(appliedEdits(base, edits, result), wanted, String(choice));
  }
});

test("appliedEdits returns undefined for a text with other changes", async () => {
  const { edits } = await three();
  assert.equal(appliedEdits(base, edits, `${base}more`), undefined);
  assert.equal(appliedEdits(base, edits, base.replace("line 12", "line twelve")), undefined);
  assert.deepEqual(appliedEdits(base, [], base), []);
});
