import assert from "node:assert/strict";
import { test } from "node:test";
import type { PendingFile } from "../../../../src/changes/pending-changes.ts";
import { conflictPlaces, hunkAt, placesIn } from "../../../../src/editor/review/internal/hunk-places.ts";
import { textAfter, textBefore } from "../../../../src/patch/edits.ts";
import type { FileChange } from "../../../../src/patch/model.ts";
import { planPatch } from "../../../../src/patch/plan.ts";
import { MemoryWorkspace } from "../../../support/memory-workspace.ts";

const base = Array.from({ length: 20 }, (_, row) => `line ${row}\n`).join("");

async function change(...lines: string[]): Promise<FileChange> {
  const patch = ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
  const [only] = (await planPatch(patch, new MemoryWorkspace({ a: base }))).changes;
  assert(only !== undefined);
  return only;
}

/** Each edit of it is a hunk, behind what is done to the file itself. */
function pending(only: FileChange): Pick<PendingFile, "change" | "hunks"> {
  const edits = "edits" in only ? only.edits : [];
  const hunks = edits.map((_, number) => ({
    ...{ id: `h${number}`, number, added: 0, removed: 0 },
    ...{ flags: [], names: [] },
  }));
  const whole = only.kind === "update" ? [] : [{ id: "whole", added: 0, removed: 0, flags: [], names: [] }];
  return { change: only, hunks: [...whole, ...hunks] };
}

const two = () =>
  change(
    ...["*** Update File: a", "@@", "-line 3", "+three", "+and more"],
    ...["@@", " line 14", "-line 15", " line 16"],
  );

test("placesIn gives each hunk its lines on both sides, also after typing has moved it", async () => {
  const update = await two();
  const places = (edits?: Parameters<typeof placesIn>[1]) =>
    placesIn(pending(update), edits).map(({ hunk, before, after }) => [hunk, before, after]);
  assert.deepEqual(places(), [
    ["h0", { first: 3, last: 4 }, { first: 3, last: 5 }],
    ["h1", { first: 15, last: 16 }, { first: 16, last: 16 }],
  ]);
  assert(update.kind === "update");
  const moved = update.edits.map((edit) => ({
    ...edit,
    lines: { first: edit.lines.first + 2, last: edit.lines.last + 2 },
  }));
  assert.deepEqual(places(moved), [
    ["h0", { first: 5, last: 6 }, { first: 5, last: 7 }],
    ["h1", { first: 17, last: 18 }, { first: 18, last: 18 }],
  ]);
});

test("placesIn lists the hunks of a moved file, or the move itself when it has no edits", async () => {
  const edited = await change("*** Update File: a", "*** Move to: b", "@@", "-line 3", "+three");
  assert.deepEqual(
    placesIn(pending(edited)).map(({ hunk }) => hunk),
    ["h0"],
  );
  const bare = await change("*** Update File: a", "*** Move to: b");
  assert.deepEqual(
    placesIn(pending(bare)).map(({ hunk }) => hunk),
    ["whole"],
  );
});

test("textBefore and textAfter return the current and proposed text, undefined for a new or deleted file", async () => {
  const update = await two();
  assert.equal(textBefore(update), base);
  assert.equal(textAfter(update), base.replace("line 3\n", "three\nand more\n").replace("line 15\n", ""));
  const [added, deleted] = [await change("*** Add File: b", "+b"), await change("*** Delete File: a")];
  assert.deepEqual([textBefore(added), textAfter(added)], [undefined, "b\n"]);
  assert.deepEqual([textBefore(deleted), textAfter(deleted)], [base, undefined]);
});

test("hunkAt returns the nearest hunk within three lines", async () => {
  const places = placesIn(pending(await two()));
  const found = [0, 3, 6, 9, 12, 15, 19].map((line) => hunkAt(places, line, "before"));
  assert.deepEqual(found, ["h0", "h0", "h0", undefined, "h1", "h1", undefined]);
});

test("conflictPlaces places a conflict at the matching lines of both sides", async () => {
  const update = await two();
  const theirs = ["theirs\n", "and more\n"];
  const conflicts = [
    { from: 1, to: 2, theirs },
    { from: 9, to: 10, theirs },
    { from: 18, to: 18, theirs: [] },
  ];
  const places = conflictPlaces({ change: update, conflicts });
  assert.deepEqual(
    places.map(({ before, after, text }) => [before, after, text]),
    [
      [{ first: 1, last: 2 }, { first: 1, last: 2 }, "theirs\nand more"],
      [{ first: 8, last: 9 }, { first: 9, last: 10 }, "theirs\nand more"],
      [{ first: 18, last: 18 }, { first: 18, last: 18 }, ""],
    ],
  );
  assert.equal(new Set(places.map(({ hunk }) => hunk)).size, 3);
});
