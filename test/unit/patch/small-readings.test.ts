// Small things that decide how a patch is read: where a block of tabs ends, how deep JSON is looked into, how little two
// lines may share.
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEdits } from "../../../src/patch/edits.ts";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";
import { patchOf } from "./random-edits.ts";

async function updated(text: string, patch: string) {
  const [change] = (await planPatch(patch, new MemoryWorkspace({ "a.txt": text }))).changes;
  assert.ok(change?.kind === "update");
  return { ...change, result: applyEdits(change.base.text, change.edits) };
}

test("a block indented by tabs ends at a line with fewer tabs", async () => {
  const text = "class A:\n\tdef a():\n\t\tfirst()\n\t\tx()\n\tclass B:\n\t\tx()\n";
  const patch = patchOf("a.txt", [["-\t\tx()", "+\t\ty()"]]).replace(/^@@.*$/m, "@@ def a():");
  assert.equal((await updated(text, patch)).result, text.replace("x()", "y()"));
});

test("a patch is found five levels deep in JSON, and no deeper", async () => {
  const patch = patchOf("a.txt", [["-one", "+1"]]);
  const inLists = (levels: number) => `${"[".repeat(levels)}${JSON.stringify(patch)}${"]".repeat(levels)}`;
  assert.equal((await updated("one\n", inLists(5))).result, "1\n");
  await assert.rejects(updated("one\n", inLists(6)), PatchError);
});

test("a look-alike at the end of a line is kept only when enough of the line stays", async () => {
  await assert.rejects(updated("a’\n", patchOf("a.txt", [["-a'", "+b'"]])), PatchError);
  const { result } = await updated("aa’\n", patchOf("a.txt", [["-aa'", "+ba'"]]));
  assert.equal(result, "ba’\n");
});

test("a file that is deleted and added again is one edit of the whole file", async () => {
  const patch = "*** Begin Patch\n*** Delete File: a.txt\n*** Add File: a.txt\n+1\n+2\n+3\n*** End Patch\n";
  const { edits, result } = await updated("one\ntwo\n", patch);
  assert.deepEqual(
    edits.map(({ lines, written }) => ({ lines, written })),
    [{ lines: { first: 0, last: 2 }, written: 3 }],
  );
  assert.equal(result, "1\n2\n3\n");
});

test("the line that ends a block is not part of it", async () => {
  const text = "def a():\n    one()\nx()\n    two()\nx()\n";
  const anchored = (hunk: readonly string[]) => patchOf("a.txt", [hunk]).replace(/^@@.*$/m, "@@ def a():");
  await assert.rejects(updated(text, anchored(["-x()", "+y()"])), PatchError);
  assert.equal((await updated(text, anchored(["-    one()", "+    1"]))).result, text.replace("one()", "1"));
});

test("an empty line above distinguishes a line from equal ones", async () => {
  const { result } = await updated("x\na\nx\n\nx\n", patchOf("a.txt", [["", "-x", "+y"]]));
  assert.equal(result, "x\na\nx\n\ny\n");
});

test("a patch of a million characters is accepted, one of 1.5 million is refused", async () => {
  const adding = (count: number) => patchOf("a.txt", [["-one", `+${"x".repeat(count)}`]]);
  assert.equal((await updated("one\n", adding(1_000_000))).result.length, 1_000_001);
  await assert.rejects(updated("one\n", adding(1_500_000)), PatchError);
});
