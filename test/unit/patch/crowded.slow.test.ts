// Texts and patches made to keep an engine busy: equal lines by the ten thousand, anchors that name all of them, hunks
// that repeat. Each of these once took minutes or all the memory; here it is enough that they end, and how.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";
import { workInThread } from "../../support/worker-thread.ts";

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** How many edits the patch makes, or the sentence it is refused with. */
async function outcome(text: string, hunks: readonly (readonly string[])[]): Promise<number | string> {
  const workspace = new MemoryWorkspace({ "a.txt": text });
  const patch = ["*** Begin Patch", "*** Update File: a.txt", ...hunks.flat(), "*** End Patch"].join("\n");
  try {
    const [change] = (await planPatch(patch, workspace)).changes;
    return change?.kind === "update" ? change.edits.length : 0;
  } catch (error) {
    assert.ok(error instanceof PatchError, String(error));
    assert.ok(error.forModel.length < 50_000, `${error.forModel.length} characters for the model`);
    return error.message;
  }
}

/** Too many to look at every pair of them in either length. */
const braces = "}\n\n".repeat(process.env["PATCHBAY_LONG"] === undefined ? 30_000 : 100_000);
const alike = "a.txt cannot be patched: too many of its lines are alike to place this many hunks.";

test("hunks that fit everywhere are refused as too many, or with the first of their places", async (t) => {
  await workInThread(t);
  const longer = times(500, (at) => ["@@", ...times(at + 1, (step) => (step % 2 ? " " : " }")), "+x"]);
  assert.equal(await outcome(braces, longer), alike);
  assert.equal(
    await outcome(
      braces,
      times(2000, () => ["@@ }", "-}", "+]"]),
    ),
    alike,
  );
  assert.equal(
    await outcome(
      braces,
      times(1000, () => ["@@ }", "@@ }", "-}", "+]"]),
    ),
    alike,
  );
  assert.equal(
    await outcome(
      braces,
      times(2000, () => ["@@", "-}", "+]", ""]),
    ),
    alike,
  );
  assert.equal(
    await outcome(
      braces,
      times(2000, () => ["@@", "-}", "+]", "*** End of File"]),
    ),
    "Hunk 2 of a.txt changes the same lines as hunk 1.",
  );
  assert.match(
    String(
      await outcome(
        braces,
        times(20, () => ["@@", "-}", "+]"]),
      ),
    ),
    /^Hunk 1 of a.txt fits several/,
  );
});

test("hunks of common lines are placed by their ranges and anchors", async (t) => {
  await workInThread(t);
  const ranged = times(2000, (at) => [`@@ -${2 * at + 1},1 +${2 * at + 1},1 @@`, "-}", "+]"]);
  assert.equal(await outcome(braces, ranged), 2000);
  const functions = times(25_000, (at) => `def f${at}():\n    a = 1\n    return a\n`).join("\n");
  const anchored = times(2000, (at) => [`@@ def f${at * 12}():`, "-    return a", "+    return b"]);
  assert.equal(await outcome(functions, anchored), 2000);
});

test("two thousand hunks with the same anchor are placed in its block", async (t) => {
  await workInThread(t);
  const block = `class Big:\n${times(150_000, (at) => `    v${at} = ${at}\n`).join("")}`;
  const hunks = times(2000, (at) => ["@@ class Big:", `-    v${at * 70} = ${at * 70}`, "+    v = 1"]);
  assert.equal(await outcome(block, hunks), 2000);
});

test("two thousand equal hunks are all placed when there are as many places", async (t) => {
  await workInThread(t);
  const hunks = times(2000, (at) => ["@@", "-x", `+x ${at}`]);
  assert.equal(await outcome("x\n".repeat(2000), hunks), 2000);
  assert.equal(
    await outcome(
      "x\n".repeat(2000),
      times(2000, () => ["@@", "-x", "+x", "+y"]),
    ),
    2000,
  );
});

test("a hunk of twenty thousand lines in other indentation is written in the file's own", async (t) => {
  await workInThread(t);
  const lines = (make: (depth: number, at: number) => string) => times(20_000, (at) => make(at % 9, at));
  const text = lines((depth, at) => `${"\t".repeat(depth)}a${at}\n`).join("");
  const old = lines((depth, at) => `-${"    ".repeat(depth)}a${at}`);
  const fresh = lines((depth, at) => `+${"    ".repeat(depth)}b${at}`);
  assert.equal(await outcome(text, [["@@", ...old, ...fresh]]), 1);
});

test("a refusal of two thousand stale hunks stays short", async (t) => {
  await workInThread(t);
  const text = times(50_000, (at) => `line ${at}\n`).join("");
  const hunks = times(2000, (at) => ["@@", ` line ${at}`, `-gone ${at}`, "+x"]);
  assert.equal(
    await outcome(text, hunks),
    "Hunk 1 of a.txt fits nowhere: the nearest place differs at line 2. There are 1999 more problems.",
  );
});

test("a long look-alike hunk is written when it changes few lines and refused when it changes all", async (t) => {
  await workInThread(t);
  const row = (mark: string, at: number) => `it${mark}s line ${at} of “many”`;
  const text = times(20_000, (at) => `${row("’", at)}\n`).join("");
  const kept = times(9_000, (at) => ` ${row("'", at)}`);
  assert.equal(await outcome(text, [["@@", ...kept, `-${row("'", 9_000)}`, "+it's line 9000"]]), 1);
  const old = times(10_000, (at) => `-${row("'", at)}`);
  const fresh = times(10_000, (at) => `+it's new ${at}`);
  assert.match(
    String(await outcome(text, [["@@", ...old, ...fresh]])),
    /^Hunk 1 of a\.txt fits line 1 only by/,
  );
});
