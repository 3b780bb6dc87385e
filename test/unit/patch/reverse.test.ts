// From a plan to its reverse and to patch text: nothing may get lost on any of these ways.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { reverseChanges } from "../../../src/patch/edits.ts";
import type { FileChange, FileName } from "../../../src/patch/model.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { printPatch } from "../../../src/patch/print-patch.ts";
import { describeSuccess } from "../../../src/tools/apply-patch.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";
import { anExample, editedText, hunksFor, patchOf, textOf } from "./random-edits.ts";

const long = process.env["PATCHBAY_LONG"] !== undefined;
const runs = (numRuns: number) => ({
  numRuns: long ? numRuns * 50 : Math.ceil(numRuns / 3),
  includeErrorInReport: true,
});
const nameOf = (file: FileName) => file.path;

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const fresh = word.map((text) => `${text} 1`);
const example = anExample({ line: word, added: fresh, distinct: true, most: 20 });

const filesOf = (workspace: MemoryWorkspace) => Object.fromEntries(workspace.files);

function after(files: Readonly<Record<string, string>>, changes: readonly FileChange[]) {
  const workspace = new MemoryWorkspace(files);
  workspace.apply(changes);
  return filesOf(workspace);
}

test("reversing a plan restores every byte, and reversing again gives the plan's result", () =>
  fc.assert(
    fc.asyncProperty(example, async (one) => {
      const files = { "a.txt": textOf(one), "b.txt": "b1\r\nb2", "c.txt": "c\n" };
      const update = patchOf("a.txt", hunksFor(one, 2)).split("\n").slice(0, -2);
      const more = ["*** Update File: b.txt", "*** Move to: d/b.txt", "-b2", "+B2", "*** Delete File: c.txt"];
      const patch = [...update, ...more, "*** Add File: e.txt", "+e", "*** End Patch"].join("\n");
      const workspace = new MemoryWorkspace(files);
      const { changes } = await planPatch(patch, workspace);
      const done = after(files, changes);
      assert.deepEqual(done, { "a.txt": editedText(one), "d/b.txt": "b1\r\nB2", "e.txt": "e\n" });
      const back = reverseChanges(changes, (text) => workspace.sha256(text));
      assert.deepEqual(after(done, back), files);
      const again = reverseChanges(back, (text) => workspace.sha256(text));
      assert.deepEqual(after(files, again), done);
    }),
    runs(300),
  ));

test("a plan printed as a patch gives the same text, and so does its printed reverse", () =>
  fc.assert(
    fc.asyncProperty(example, async (one) => {
      // Line ends are not in the format; with one kind in the file they are not needed either.
      const rows = one.rows.map(({ text, end }) => ({ text, end: end === "" ? "" : "\n" }));
      const whole = { ...one, rows };
      const workspace = new MemoryWorkspace({ "a.txt": textOf(whole) });
      const { changes } = await planPatch(patchOf("a.txt", hunksFor(whole, 2)), workspace);
      const printed = await planPatch(printPatch(changes, nameOf), workspace);
      assert.deepEqual(after(filesOf(workspace), printed.changes), { "a.txt": editedText(whole) });
      if (editedText(whole).replace("\uFEFF", "") === "") return;
      const done = new MemoryWorkspace({ "a.txt": editedText(whole) });
      const back = reverseChanges(changes, (text) => workspace.sha256(text));
      const undone = await planPatch(printPatch(back, nameOf), done);
      assert.deepEqual(after(filesOf(done), undone.changes), { "a.txt": textOf(whole) });
    }),
    runs(300),
  ));

test("printPatch prints added, deleted and moved files as such", async () => {
  const files = { "a.txt": "one\ntwo\n", "b.txt": "x\n" };
  const lines = [
    "*** Begin Patch",
    "*** Delete File: b.txt",
    "*** Update File: a.txt",
    "*** Move to: c.txt",
    "@@ -1,2 +1,2 @@",
    " one",
    "-two",
    "+2",
    "*** End of File",
    "*** Add File: d.txt",
    "+new",
    "+",
    "*** End Patch",
    "",
  ];
  const { changes } = await planPatch(lines.join("\n"), new MemoryWorkspace(files));
  assert.deepEqual(printPatch(changes, nameOf).split("\n"), lines);
});

test("describeSuccess lists each file with its kind of change", async () => {
  const files = { "a.txt": "one\n", "b.txt": "x\n", "c.txt": "y\n" };
  const patch = [
    "*** Begin Patch",
    "*** Update File: a.txt",
    "-one",
    "+two",
    "*** Delete File: b.txt",
    "*** Update File: c.txt",
    "*** Move to: d.txt",
    "*** Add File: e.txt",
    "+new",
    "*** End Patch",
  ];
  const { changes } = await planPatch(patch.join("\n"), new MemoryWorkspace(files));
  assert.equal(
    describeSuccess(changes, nameOf),
    "Success. Proposed to the user:\nD b.txt\nM d.txt\nM a.txt, line 1\nA e.txt\n",
  );
});

test("describeSuccess names the lines of added text and the line after removed text", async () => {
  const rows = Array.from({ length: 30 }, (_, at) => `row ${at + 1}`);
  const patch = [
    "*** Begin Patch",
    "*** Update File: a.txt",
    "@@",
    " row 2",
    "+one more",
    "+and one",
    "@@",
    "-row 10",
    "-row 11",
    "-row 12",
    " row 13",
    "@@",
    "-row 20",
    "+ROW 20",
    "*** End Patch",
  ];
  const { changes } = await planPatch(
    patch.join("\n"),
    new MemoryWorkspace({ "a.txt": `${rows.join("\n")}\n` }),
  );
  assert.equal(describeSuccess(changes, nameOf).split("\n")[1], "M a.txt, lines 3-4, 12, 19");
});
