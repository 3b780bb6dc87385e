// What a plan tells besides the text: how loosely each hunk was read, where it stands, and on what it was planned.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlacedHunk } from "../../../src/patch/model.ts";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";
import { patchOf } from "./random-edits.ts";

async function planned(text: string, hunks: readonly (readonly string[])[]) {
  const workspace = new MemoryWorkspace({ "a.txt": text });
  const [change] = (await planPatch(patchOf("a.txt", hunks), workspace)).changes;
  assert.ok(change?.kind === "update");
  return change;
}

const loosenessOf = ({ looseness }: PlacedHunk) => looseness;

test("each hunk of a plan says how loosely it was matched", async () => {
  const { hunks } = await planned("one\ntwo  \n  three\n“four”\n", [
    ["-one", "+1"],
    ["-two", "+2"],
    ["-three", "+3"],
    ['-"four"', "+4"],
  ]);
  assert.deepEqual(hunks.map(loosenessOf), ["exact", "trailing-space", "outer-space", "look-alike"]);
});

test("the looseness of a hunk is that of its loosest line", async () => {
  const { hunks } = await planned("one\n  two\nthree \n", [[" one", " two", "-three", "+3"]]);
  assert.deepEqual(hunks.map(loosenessOf), ["outer-space"]);
});

test("each hunk of a plan names the lines it matched and whether an earlier hunk wrote them", async () => {
  const { hunks } = await planned("one\ntwo\nthree\nfour\n", [
    [" three", "-four", "+4"],
    ["-one", "+1"],
    [" 1", " two", "+two and a half"],
  ]);
  assert.deepEqual(
    hunks.map(({ line, matched, onEarlier }) => ({ line, matched, onEarlier })),
    [
      { line: 3, matched: { first: 2, last: 4 }, onEarlier: false },
      { line: 7, matched: { first: 0, last: 1 }, onEarlier: false },
      { line: 10, matched: { first: 0, last: 2 }, onEarlier: true },
    ],
  );
});

test("each edit of a plan names its lines before and after, and the hunks behind it", async () => {
  const { edits } = await planned("one\ntwo\nthree\nfour\nfive\n", [
    ["-two", "+2", "+2.5"],
    [" three", "+3.5"],
    ["-five"],
  ]);
  assert.deepEqual(
    edits.map(({ lines, written, removed, text, hunks }) => ({ lines, written, removed, text, hunks })),
    [
      { lines: { first: 1, last: 2 }, written: 2, removed: "two\n", text: "2\n2.5\n", hunks: [0] },
      { lines: { first: 3, last: 3 }, written: 1, removed: "", text: "3.5\n", hunks: [1] },
      { lines: { first: 4, last: 5 }, written: 0, removed: "five\n", text: "", hunks: [2] },
    ],
  );
});

test("a plan records the text, hash and version of each file", async () => {
  const workspace = new MemoryWorkspace({ "a.txt": "one\n" });
  const patch = patchOf("a.txt", [["-one", "+1"]]);
  const plan = await planPatch(patch, workspace);
  const [change] = plan.changes;
  assert.ok(change?.kind === "update");
  assert.deepEqual(change.base, { text: "one\n", sha256: workspace.sha256("one\n"), version: 1 });
});

test("a refusal names the place of the rarest line, not the one where most lines agree", async () => {
  const method = (name: string) => ["  /**", "   */", `  ${name}() {`, "    return this;", "  }", ""];
  const names = ["alpha", "beta", "gamma", "delta", "telling"];
  const lines = names.flatMap(method);
  const workspace = new MemoryWorkspace({ "a.js": `${lines.join("\n")}\n` });
  const hunk = [" telling() {", " changed();", " return this;", " }", "", " /**", "- */", "+ * New. */"];
  const patch = patchOf("a.js", [hunk.map((line) => line.replace(/(?<=^.)/, "  "))]);
  await assert.rejects(planPatch(patch, workspace), (error) => {
    assert.ok(error instanceof PatchError);
    const [refusal] = error.refusals;
    assert.ok(refusal?.kind === "not-found");
    assert.equal(refusal.nearest?.at.first, lines.indexOf("  telling() {"));
    return true;
  });
});

test("a refusal lists every reason as data, with ten lines of the file", async () => {
  const text = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join("");
  const workspace = new MemoryWorkspace({ "a.txt": text });
  const patch = patchOf("a.txt", [
    [" line 19", "-line 20 as it was", "+new"],
    ["-line 5", "+five"],
    ["-nowhere", "+here"],
  ]);
  await assert.rejects(planPatch(patch, workspace), (error) => {
    assert.ok(error instanceof PatchError);
    const [first, second] = error.refusals;
    assert.equal(error.refusals.length, 2);
    assert.ok(first?.kind === "not-found" && second?.kind === "not-found");
    assert.deepEqual(first.nearest, {
      at: { first: 18, last: 20 },
      agreeing: 1,
      line: 19,
      patch: "line 20 as it was",
      file: "line 20",
    });
    assert.deepEqual(first.excerpt.lines.length, 10);
    assert.ok(first.excerpt.lines.includes("line 20"));
    assert.equal(second.nearest, undefined);
    return true;
  });
});
