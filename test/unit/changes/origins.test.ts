// Which conversations have left something in a file, and which lines of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { linesWrittenBy } from "../../../src/changes/line-origins.ts";
import type { CallEdit } from "../../../src/changes/proposal.ts";
import { Origins } from "../../../src/changes/stored-origins.ts";

test("Origins reads the newest 200 conversations, except those that are excluded", async () => {
  const asked: string[] = [];
  const origins = new Origins({
    list: async () => Array.from({ length: 250 }, (_, at) => ({ id: String(at), title: "", updatedAt: -at })),
    changes: (id) => ({
      async read() {
        asked.push(id);
        return "";
      },
      get: async () => undefined,
    }),
  });
  assert.deepEqual(await origins.writtenIn({ folder: "work", path: "a.ts" }, new Set(["3"])), []);
  assert.equal(asked.length, 199);
  assert.deepEqual([asked[0], asked.at(-1), asked.includes("3")], ["0", "199", false]);
});

test("linesWrittenBy covers the whole file for a change that was applied as a whole", () => {
  const edit: CallEdit = {
    ...{ call: "call", turn: "turn", reasons: [] },
    hunks: [
      { id: "whole", status: "applied" },
      { id: "other", status: "undone" },
    ],
  };
  const hunks = [
    { id: "whole", changes: [0] },
    { id: "other", changes: [1], undone: true },
  ];
  const changes = [
    { from: 0, to: 0, newFrom: 1, newTo: 2 },
    { from: 1, to: 1, newFrom: 2, newTo: 3 },
  ];
  const before = { file: { folder: "work", path: "a" }, text: "" };
  assert.deepEqual(linesWrittenBy({ edit, write: { share: 0, changes: [], hunks } }, "a\nb\nc").lines, [
    { first: 0, last: 3 },
  ]);
  assert.deepEqual(linesWrittenBy({ edit, write: { share: 0, before, changes, hunks } }, "a\nb\nc").lines, [
    { first: 1, last: 2 },
  ]);
});
