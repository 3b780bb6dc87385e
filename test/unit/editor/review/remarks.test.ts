// Where a remark belongs while the proposal it was written about goes on changing.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { placesIn } from "../../../../src/editor/review/internal/hunk-places.ts";
import {
  nameOfRemark,
  placeOfRemark,
  remarkAt,
  selectedIn,
} from "../../../../src/editor/review/internal/remarks.ts";
import type { WaitingFile } from "../../../../src/editor/review/internal/review-targets.ts";
import { secretMark } from "../../../../src/files/privacy.ts";
import type { FileChange } from "../../../../src/patch/model.ts";
import { planPatch } from "../../../../src/patch/plan.ts";
import { MemoryWorkspace } from "../../../support/memory-workspace.ts";

const set = {} as WaitingFile["set"];

/** The proposal for one file; ids as for changes that are equal apart from their position. */
async function proposed(base: Record<string, string>, ...lines: string[]) {
  const patch = ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
  const [change] = (await planPatch(patch, new MemoryWorkspace(base))).changes;
  assert(change !== undefined);
  const pending = { change, hunks: hunksOf(change) } as unknown as WaitingFile["pending"];
  const file = { set, change, pending, to: "a", path: "a" } as unknown as WaitingFile;
  const places = placesIn(pending);
  return { file, places, model: { files: [file], placesOf: () => places } };
}

const hunksOf = (change: FileChange) =>
  "edits" in change
    ? change.edits.map(({ text }, number) => ({ id: `same.${text.length}.${number}`, number }))
    : [{ id: `p:${change.kind}` }];

const select = (first: number, last: number) => ({
  isEmpty: false,
  start: { line: first, character: 0 } as never,
  end: { line: last + 1, character: 0 } as never,
});

const newFile = (...lines: string[]) => proposed({}, "*** Add File: a", ...lines.map((line) => `+${line}`));

describe("placeOfRemark", () => {
  it("knows that lines of a new file are gone when its text was revised", async () => {
    const { file, places, model } = await newFile("one", "two", "three");
    const [place] = places;
    assert(place !== undefined);
    const remark = remarkAt(file, selectedIn(file, place, select(1, 1)), "Why?", "r");
    assert.deepEqual([remark.quoted, remark.first, remark.last], ["+two", 2, 2]);
    assert.equal(placeOfRemark(remark, set, model)?.isThere, true);
    const revised = await newFile("one", "TWO", "three");
    assert.equal(placeOfRemark(remark, set, revised.model)?.isThere, false);
  });

  it("does not take another change for one whose id it has now", async () => {
    const base = { a: "1\n2\n3\n4\n5\n6\n7\n8\n9\n" };
    const { file, places, model } = await proposed(
      base,
      "*** Update File: a",
      "@@",
      "-2",
      "+x",
      "@@",
      "-8",
      "+y",
    );
    const [, second] = places;
    assert(second !== undefined);
    const remark = { ...remarkAt(file, second, "Why?", "r"), hunk: places[0]?.hunk ?? "" };
    const now = placeOfRemark(remark, set, model);
    assert.deepEqual([now?.place.hunk, now?.isThere], [second.hunk, true]);
  });

  it("has the numbers that the lines have now", async () => {
    const base = { a: "1\n2\n3\n4\n5\n6\n7\n8\n9\n" };
    const later = ["@@", "-8", "+eight", "+and more"];
    const { file, places } = await proposed(base, "*** Update File: a", ...later);
    const [place] = places;
    assert(place !== undefined);
    const remark = remarkAt(file, selectedIn(file, place, select(8, 8)), "Why?", "r");
    assert.deepEqual([remark.quoted, remark.first, remark.last], ["+and more", 9, 9]);
    const moved = await proposed(base, "*** Update File: a", "@@", "-2", "+two", "+2a", "+2b", ...later);
    const now = placeOfRemark(remark, set, moved.model);
    assert.deepEqual([now?.remark.first, now?.remark.last, now?.isThere], [11, 11, true]);
    assert.equal(now && nameOfRemark(now.remark), "a:11");
  });

  it("finds the nearest of equal lines in a change", async () => {
    const { file, places, model } = await newFile("}", "two", "}", "four", "}");
    const [place] = places;
    assert(place !== undefined);
    const remark = remarkAt(file, selectedIn(file, place, select(2, 2)), "Why?", "r");
    assert.equal(placeOfRemark(remark, set, model)?.remark.first, 3);
  });

  it("finds lines whose secret was not stored", async () => {
    const token = `const token = "ghp_${"a1B2".repeat(9)}";`;
    const { file, places, model } = await newFile("one", token);
    const [place] = places;
    assert(place !== undefined);
    const written = remarkAt(file, selectedIn(file, place, select(1, 1)), "Why?", "r");
    const remark = { ...written, quoted: `+const token = "${secretMark}";` };
    assert.equal(placeOfRemark(remark, set, model)?.isThere, true);
  });

  it("keeps a remark about all of a new file where that file is", async () => {
    const { file, places, model } = await newFile("one");
    const [place] = places;
    assert(place !== undefined);
    const remark = remarkAt(file, place, "Why?", "r");
    assert.equal(placeOfRemark(remark, set, model)?.isThere, true);
  });
});
