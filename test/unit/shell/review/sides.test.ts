import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileChange } from "../../../../src/core/patch/model.ts";
import { planPatch } from "../../../../src/core/patch/plan.ts";
import { hunkAt, placesIn, textAfter, textBefore } from "../../../../src/shell/review/sides.ts";
import { MemoryWorkspace } from "../../../support/memory-workspace.ts";

const base = Array.from({ length: 20 }, (_, row) => `line ${row}\n`).join("");

async function change(...lines: string[]): Promise<FileChange> {
  const patch = ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
  const [only] = (await planPatch(patch, new MemoryWorkspace({ a: base }))).changes;
  assert(only !== undefined);
  return only;
}

const two = () =>
  change(
    ...["*** Update File: a", "@@", "-line 3", "+three", "+and more"],
    ...["@@", " line 14", "-line 15", " line 16"],
  );

test("each hunk knows its lines on both sides, also when an earlier one is not taken", async () => {
  const update = await two();
  assert.deepEqual(
    placesIn(update, "a", () => true).map(({ hunk, before, after }) => [hunk, before, after]),
    [
      ["a#1", { first: 3, last: 4 }, { first: 3, last: 5 }],
      ["a#2", { first: 15, last: 16 }, { first: 16, last: 16 }],
    ],
  );
  const [, second] = placesIn(update, "a", (hunk) => hunk === 1);
  assert.deepEqual(second?.after, { first: 15, last: 15 });
});

test("the proposed side holds what is taken and nothing else", async () => {
  const update = await two();
  assert.equal(textBefore(update), base);
  assert.equal(
    textAfter(update, (hunk) => hunk === 1),
    base.replace("line 15\n", ""),
  );
  assert.equal(
    textAfter(update, () => false),
    base,
  );
});

test("a new file has no side before, a deleted one none after", async () => {
  const [added, deleted] = [await change("*** Add File: b", "+b"), await change("*** Delete File: a")];
  assert.deepEqual([textBefore(added), textAfter(added, () => true)], [undefined, "b\n"]);
  assert.deepEqual([textBefore(deleted), textAfter(deleted, () => true)], [base, undefined]);
});

test("a line belongs to the nearest hunk within three lines", async () => {
  const places = placesIn(await two(), "a", () => true);
  const found = [0, 3, 6, 9, 12, 15, 19].map((line) => hunkAt(places, line, "before"));
  assert.deepEqual(found, ["a#1", "a#1", "a#1", undefined, "a#2", "a#2", undefined]);
});
