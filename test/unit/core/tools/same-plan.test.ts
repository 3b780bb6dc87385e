// What a person agreed to, and what the patch would do by then: the same, or something that has to be shown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { planPatch } from "../../../../src/core/patch/plan.ts";
import { isSamePlan } from "../../../../src/core/tools/same-plan.ts";
import { verbatim } from "../../../support/english.ts";
import { MemoryWorkspace } from "../../../support/memory-workspace.ts";

const rows = Array.from({ length: 30 }, (_, row) => `line ${row}\n`);
const base = rows.join("");
const edit = ["*** Update File: a", "@@", " line 9", "-line 10", "+LINE 10", " line 11"];
const patchOf = (...lines: readonly string[]) =>
  ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");

const isSame = async (before: Record<string, string>, after: Record<string, string>, patch: string) =>
  isSamePlan(
    await planPatch(patch, new MemoryWorkspace(before)),
    await planPatch(patch, new MemoryWorkspace(after)),
  );

const typedInto = (row: number, text: string) => ({ a: rows.with(row, text).join("") });

test("what was typed above and below what is shown changes nothing about it", async () => {
  for (const row of [0, 3, 6, 14, 29])
    for (const text of ["", "typed\n", `line ${row}\nmore\n`])
      assert.equal(await isSame({ a: base }, typedInto(row, text), patchOf(...edit)), true, `row ${row}`);
  const twice = { a: rows.with(2, "two\n").with(25, "").join("") };
  assert.equal(await isSame({ a: base }, twice, patchOf(...edit)), true);
});

test("what was typed into the lines around a hunk has to be looked at, though the hunk still fits", async () => {
  for (const row of [7, 8, 12, 13])
    assert.equal(await isSame({ a: base }, typedInto(row, "typed\n"), patchOf(...edit)), false, `row ${row}`);
});

test("a hunk that fits more loosely than it was shown has to be looked at", async () => {
  const after = { a: base.replace("line 11\n", "  line 11\n") };
  assert.equal(await isSame({ a: base }, after, patchOf(...edit)), false);
});

test("a line end that is another one has to be looked at", async () => {
  const after = { a: base.replace("line 10\n", "line 10\r\n") };
  assert.equal(await isSame({ a: base }, after, patchOf(...edit)), false);
});

test("a file that is deleted is deleted only with the text that was shown", async () => {
  const patch = patchOf("*** Delete File: a");
  assert.equal(await isSame({ a: base }, { a: base }, patch), true);
  assert.equal(await isSame({ a: base }, typedInto(29, "typed\n"), patch), false);
});

test("another patch, another path and another real path are another change", async () => {
  const plan = await planPatch(patchOf(...edit), new MemoryWorkspace({ a: base, b: base }));
  const other = patchOf("*** Update File: b", ...edit.slice(1));
  assert.equal(isSamePlan(plan, await planPatch(other, new MemoryWorkspace({ a: base, b: base }))), false);
  assert.equal(isSamePlan(plan, { ...plan, patchSha256: "" }), false);
  const [change] = plan.changes;
  assert(change !== undefined);
  for (const permission of [
    { ...change.permission, real: "elsewhere/a" },
    { ...change.permission, verdict: "confirm" as const, reasons: [verbatim("it steers the editor")] },
  ])
    assert.equal(isSamePlan(plan, { ...plan, changes: [{ ...change, permission }] }), false);
  assert.equal(isSamePlan(plan, { ...plan, changes: [] }), false);
});
