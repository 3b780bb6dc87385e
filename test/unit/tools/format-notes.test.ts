// How a patch had to be read is said in one sentence: on the card of the file, or of the patch as a whole.
import assert from "node:assert/strict";
import { test } from "node:test";
import { noteCodes } from "../../../src/patch/model.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { formatNote, formatNoteOfAll, viewPlan } from "../../../src/tools/patch-view.ts";
import { english } from "../../support/english.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";

test("a file's card shows the format notes of its own part, and the patch those of the rest", async () => {
  const workspace = new MemoryWorkspace({ "a.txt": "one\n", "b.txt": "x\n", "c.txt": "y\n" });
  const patch = [
    "Here it is:",
    "*** Begin Patch",
    "*** Update File: /memory/work/a.txt",
    "--- a/a.txt",
    "+++ b/a.txt",
    "@@",
    "-one",
    "+two",
    "*** Update File: b.txt",
    "@@",
    " x",
    "*** Update File: c.txt",
    "@@",
    "-y",
    "+z",
    "*** End Patch",
  ].join("\n");
  const plan = await planPatch(patch, workspace);
  const files = viewPlan(
    plan,
    ({ path }) => path,
    () => "pending",
    ({ text }) => text,
  );
  assert.deepEqual(
    files.map(({ path, note }) => [path, note && english(note)]),
    [
      ["a.txt", "Format corrected: the path was absolute; Git headers were ignored."],
      ["c.txt", undefined],
    ],
  );
  assert.equal(
    english(formatNoteOfAll(plan)),
    "Format corrected: text around the patch was ignored; a hunk without changes was skipped.",
  );
});

test("formatNote has a reason for every code and returns undefined for a strict patch", () => {
  for (const code of noteCodes) assert.match(english(formatNote([{ code }])), /^Format corrected: .{10,}\.$/);
  assert.equal(formatNote([]), undefined);
});
