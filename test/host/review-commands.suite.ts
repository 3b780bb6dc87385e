// The commands of a review that need no dialog, each as tree, keys and buttons call it.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { createAfterCommands } from "../../src/shell/review/after-commands.ts";
import type { ReviewNode } from "../../src/shell/review/review-items.ts";
import { showChange } from "../../src/shell/review/show-patches.ts";
import { schemes } from "../../src/shell/review/shown-change.ts";
import { onDisk, patchOf, put, show, textOf } from "./support/files.ts";
import { activeEditor, activeTab } from "./support/heard.ts";
import { reviewForEach, type TestReview } from "./support/review-desk.ts";

const text = (change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 30 }, (_, row) => change[row] ?? `line ${row}`).join("\n");

const hunk = (row: number) => ["@@", ` line ${row - 1}`, `-line ${row}`, `+LINE ${row}`, ` line ${row + 1}`];

const twoFiles = (one: string, two: string) =>
  patchOf(`*** Update File: ${one}`, ...hunk(5), ...hunk(15), `*** Update File: ${two}`, ...hunk(10));

describe("a command of the review", function () {
  this.timeout(120_000);
  let review: TestReview;

  reviewForEach((opened) => {
    review = opened;
  });

  async function cursorAt(path: string, row: number): Promise<void> {
    const editor = await show(path);
    editor.selection = new vscode.Selection(row, 0, row, 0);
  }

  it("accepts or rejects the file that the cursor is in", async () => {
    await put("commands/one.txt", text());
    await put("commands/two.txt", text());
    const { turn } = await review.propose(twoFiles("commands/one.txt", "commands/two.txt"));
    await cursorAt("commands/one.txt", 5);
    await review.commands["patchbay.review.acceptFile"](undefined);
    await cursorAt("commands/two.txt", 10);
    await review.commands["patchbay.review.rejectFile"](undefined);
    await turn;
    assert.equal(await textOf("commands/one.txt"), text({ 5: "LINE 5", 15: "LINE 15" }));
    assert.equal(await textOf("commands/two.txt"), text());
    assert.match(review.answer(), /hunk 1 of commands\/two\.txt: rejected by the user/);
  });

  it("accepts the change at the cursor of the proposed side", async () => {
    await put("commands/side.txt", text());
    const { turn } = await review.propose(
      patchOf("*** Update File: commands/side.txt", ...hunk(5), ...hunk(15)),
    );
    const [patch] = review.desk.pending;
    assert(patch !== undefined);
    await review.commands["patchbay.review.next"](undefined);
    await activeEditor(({ document }) => document.uri.path.endsWith("/side.txt"));
    await review.commands["patchbay.review.openChange"](undefined);
    const editor = await activeEditor(({ document }) => document.uri.scheme === schemes.review);
    assert.equal(editor.selection.active.line, 5);
    await review.commands["patchbay.review.acceptHunk"](undefined);
    assert.equal(review.desk.isSettled(patch.call, "commands/side.txt#1"), true);
    assert.equal(editor.selection.active.line, 15, "and goes on to the next one");
    review.commands["patchbay.review.acceptAll"](undefined);
    await turn;
    assert.equal(await textOf("commands/side.txt"), text({ 5: "LINE 5", 15: "LINE 15" }));
  });

  it("by its key means the change at the cursor, and says so where there is none", async () => {
    await put("commands/key.txt", text());
    const { turn } = await review.propose(
      patchOf("*** Update File: commands/key.txt", ...hunk(5), ...hunk(15)),
    );
    const [patch] = review.desk.pending;
    const [shown] = patch === undefined ? [] : review.desk.shown(patch.call);
    assert(patch !== undefined && shown !== undefined);
    await showChange(shown, 1, review.desk);
    const editor = await activeEditor(({ document }) => document.uri.scheme === schemes.review);
    editor.selection = new vscode.Selection(25, 0, 25, 0);
    // Asked which one is meant, nobody would answer here.
    await review.commands["patchbay.review.acceptHunk"]("cursor");
    await review.commands["patchbay.review.rejectHunk"]("cursor");
    assert.equal(review.desk.waiting, 2);
    assert.deepEqual(
      ["commands/key.txt#1", "commands/key.txt#2"].filter((each) => review.desk.isSettled(patch.call, each)),
      [],
    );
    for (const row of [5, 15]) {
      editor.selection = new vscode.Selection(row, 0, row, 0);
      await review.commands["patchbay.review.acceptHunk"]("cursor");
    }
    await turn;
    assert.equal(await textOf("commands/key.txt"), text({ 5: "LINE 5", 15: "LINE 15" }));
  });

  it("shows what would be deleted beside nothing", async () => {
    await put("commands/gone.txt", text());
    await review.propose(patchOf("*** Delete File: commands/gone.txt"));
    const [patch] = review.desk.pending;
    const [shown] = patch === undefined ? [] : review.desk.shown(patch.call);
    assert(shown !== undefined);
    await showChange(shown, 1, review.desk);
    const { input } = await activeTab((tab) => tab.input instanceof vscode.TabInputTextDiff);
    assert(input instanceof vscode.TabInputTextDiff);
    const sides = [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri));
    assert.deepEqual(
      (await Promise.all(sides)).map((side) => side.getText()),
      [text(), ""],
    );
  });

  it("takes back the edits of a turn, or all since one", async () => {
    const turnNode = (number: number): ReviewNode => ({
      kind: "turn",
      patches: review.desk.patches.filter(({ turnNumber }) => turnNumber === number),
    });
    const after = createAfterCommands({
      desk: review.desk,
      applied: () => review.applied,
      nodeOf: (argument) => (typeof argument === "number" ? turnNode(argument) : undefined),
    });
    await put("commands/turns.txt", text());
    for (const row of [5, 15, 25]) {
      const { turn } = await review.propose(patchOf("*** Update File: commands/turns.txt", ...hunk(row)));
      review.commands["patchbay.review.acceptAll"](undefined);
      await turn;
    }
    await after["patchbay.review.undoTurn"](3);
    assert.equal(await textOf("commands/turns.txt"), text({ 5: "LINE 5", 15: "LINE 15" }));
    await after["patchbay.review.restore"](1);
    assert.equal(await textOf("commands/turns.txt"), text());
    assert.equal(await onDisk("commands/turns.txt"), text());
  });
});
