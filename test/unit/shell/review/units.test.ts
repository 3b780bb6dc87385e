// The pieces of a change that can be ticked one by one, and what can be read off a text in which some were ticked.
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEdits } from "../../../../src/core/patch/edits.ts";
import type { UpdateChange } from "../../../../src/core/patch/model.ts";
import { planPatch } from "../../../../src/core/patch/plan.ts";
import { takenIn, unitsOf } from "../../../../src/shell/review/units.ts";
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

test("a hunk is one piece, wherever in it something changes", async () => {
  const { edits } = await three();
  assert.equal(edits.length, 4);
  const units = unitsOf(base, edits);
  assert.deepEqual(
    units.map(({ hunks }) => hunks),
    [[0], [1], [2]],
  );
  assert.equal(units[0]?.text, "two\nline 3\n");
});

test("every choice of pieces can be read off the text that it makes", async () => {
  const { edits } = await three();
  const units = unitsOf(base, edits);
  for (let choice = 0; choice < 8; choice++) {
    const wanted = units.map((_, index) => (choice & (1 << index)) !== 0);
    const result = applyEdits(
      base,
      edits.filter(({ hunks }) => hunks.every((hunk) => wanted[hunk])),
    );
    assert.deepEqual(takenIn(base, units, result), wanted, String(choice));
  }
});

test("where something else was done to the text there is no answer", async () => {
  const units = unitsOf(base, (await three()).edits);
  assert.equal(takenIn(base, units, `${base}more`), undefined);
  assert.equal(takenIn(base, units, base.replace("line 12", "line twelve")), undefined);
  assert.deepEqual(takenIn(base, [], base), []);
});
