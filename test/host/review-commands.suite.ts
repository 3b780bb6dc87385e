// The commands of a review that need no dialog, each as tree, keys and buttons call it.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { createAfterCommands } from "../../src/shell/review/after-commands.ts";
import { showFile } from "../../src/shell/review/show-patches.ts";
import { schemes } from "../../src/shell/review/shown-change.ts";
import { onDisk, patchOf, put, show, textOf } from "./support/files.ts";
import { activeEditor, activeTab, cursorIn } from "./support/heard.ts";
import { enter, until } from "./support/impatient.ts";
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
    await review.propose(twoFiles("commands/one.txt", "commands/two.txt"));
    await cursorAt("commands/one.txt", 5);
    await review.commands["patchbay.review.acceptFile"](undefined);
    await cursorAt("commands/two.txt", 10);
    await review.commands["patchbay.review.rejectFile"](undefined);
    assert.equal(await textOf("commands/one.txt"), text({ 5: "LINE 5", 15: "LINE 15" }));
    assert.equal(await textOf("commands/two.txt"), text());
    assert.match(await review.news(), /commands\/two\.txt#1 was rejected by the user/);
  });

  it("accepts the change at the cursor of the proposed side", async () => {
    const path = "commands/side.txt";
    await put(path, text());
    await review.propose(patchOf(`*** Update File: ${path}`, ...hunk(5), ...hunk(15)));
    await review.commands["patchbay.review.next"](undefined);
    await activeEditor(({ document }) => document.uri.path.endsWith("/side.txt"));
    await review.commands["patchbay.review.openChange"](undefined);
    const editor = await activeEditor(({ document }) => document.uri.scheme === schemes.review);
    await cursorIn(5);
    await review.commands["patchbay.review.acceptHunk"](undefined);
    assert.equal(await onDisk(path), text({ 5: "LINE 5" }));
    assert.equal(editor.selection.active.line, 15, "and goes on to the next one");
    await review.commands["patchbay.review.acceptAll"](undefined);
    assert.equal(await textOf(path), text({ 5: "LINE 5", 15: "LINE 15" }));
  });

  it("by its key means the change at the cursor, and says so where there is none", async () => {
    const path = "commands/key.txt";
    await put(path, text());
    await review.propose(patchOf(`*** Update File: ${path}`, ...hunk(5), ...hunk(15)));
    await showFile(review.file(path), review.desk, review.documents);
    const editor = await activeEditor(({ document }) => document.uri.scheme === schemes.review);
    editor.selection = new vscode.Selection(25, 0, 25, 0);
    // Asked which one is meant, nobody would answer here.
    await review.commands["patchbay.review.acceptHunk"]("cursor");
    await review.commands["patchbay.review.rejectHunk"]("cursor");
    assert.equal(review.desk.waiting, 2);
    for (const row of [5, 15]) {
      editor.selection = new vscode.Selection(row, 0, row, 0);
      await review.commands["patchbay.review.acceptHunk"]("cursor");
    }
    assert.equal(await textOf(path), text({ 5: "LINE 5", 15: "LINE 15" }));
  });

  it("shows what would be deleted beside nothing", async () => {
    await put("commands/gone.txt", text());
    await review.propose(patchOf("*** Delete File: commands/gone.txt"));
    await showFile(review.file("commands/gone.txt"), review.desk, review.documents);
    const { input } = await activeTab((tab) => tab.input instanceof vscode.TabInputTextDiff);
    assert(input instanceof vscode.TabInputTextDiff);
    const sides = [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri));
    assert.deepEqual(
      (await Promise.all(sides)).map((side) => side.getText()),
      [text(), ""],
    );
  });

  it("takes back the edits of a turn, or all since one", async () => {
    const after = createAfterCommands({ session: () => review.session, folders: () => [] });
    await put("commands/turns.txt", text());
    for (const row of [5, 15, 25]) {
      await review.propose(patchOf("*** Update File: commands/turns.txt", ...hunk(row)));
      await review.commands["patchbay.review.acceptAll"](undefined);
    }
    // The newest stands first in the list.
    await until(after["patchbay.review.undoTurn"](), enter);
    assert.equal(await textOf("commands/turns.txt"), text({ 5: "LINE 5", 15: "LINE 15" }));
    await until(after["patchbay.review.restore"](), enter);
    assert.equal(await textOf("commands/turns.txt"), text({ 5: "LINE 5" }));
    await until(after["patchbay.review.restore"](), enter);
    assert.equal(await onDisk("commands/turns.txt"), text());
  });
});
