// The commands of a review that need no dialog, each as tree, keys and buttons call it.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import {
  createLeftEdits,
  createRevertCommands,
} from "../../src/editor/review/internal/accepted-edits-commands.ts";
import { showFile } from "../../src/editor/review/internal/show-changes.ts";
import { schemes } from "../../src/editor/review/shown-change.ts";
import { onDisk, patchOf, put, show, textOf, type } from "./support/files.ts";
import { activeEditor, activeTab, cursorIn } from "./support/heard.ts";
import { enter, until } from "./support/impatient.ts";
import { reviewForEach } from "./support/review-fixture.ts";

const text = (change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 30 }, (_, row) => change[row] ?? `line ${row}`).join("\n");

const hunk = (row: number) => ["@@", ` line ${row - 1}`, `-line ${row}`, `+LINE ${row}`, ` line ${row + 1}`];

const twoFiles = (one: string, two: string) =>
  patchOf(`*** Update File: ${one}`, ...hunk(5), ...hunk(15), `*** Update File: ${two}`, ...hunk(10));

describe("the review commands", () => {
  const review = reviewForEach();

  async function cursorAt(path: string, row: number): Promise<void> {
    const editor = await show(path);
    editor.selection = new vscode.Selection(row, 0, row, 0);
  }

  it("accept or reject the file at the cursor", async () => {
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

  it("accept the change at the cursor in the proposed side", async () => {
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

  it("accept all of a file when called by key in its diff, and nothing elsewhere", async () => {
    const [one, two] = ["commands/all-one.txt", "commands/all-two.txt"];
    for (const path of [one, two]) await put(path, text());
    await review.propose(twoFiles(one, two));
    await show(one);
    await review.commands["patchbay.review.acceptFile"]("cursor");
    assert.equal(review.desk.waiting, 3, "the cursor is on no change of the file");
    await showFile(review.file(one), review.desk, review.documents);
    const editor = await activeEditor(({ document }) => document.uri.scheme === schemes.review);
    editor.selection = new vscode.Selection(25, 0, 25, 0);
    await review.commands["patchbay.review.acceptFile"]("cursor");
    assert.equal(await textOf(one), text({ 5: "LINE 5", 15: "LINE 15" }));
    assert.deepEqual(
      review.desk.files.map(({ path }) => path),
      [two],
    );
  });

  it("decide the change at the cursor when called by key, and nothing elsewhere", async () => {
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

  describe("the keys in an editor", () => {
    let count = 0;
    let path: string;
    const accept = { at: "cursor", otherwise: "insertLineAfter" };
    const reject = { at: "cursor" };
    let editor: vscode.TextEditor;
    const cursors = (...rows: readonly number[]) => {
      editor.selections = rows.map((row) => new vscode.Selection(row, 0, row, 0));
    };

    beforeEach(async () => {
      path = `commands/keys-${++count}.txt`;
      await put(path, text());
      await review.propose(patchOf(`*** Update File: ${path}`, ...hunk(5), ...hunk(15), ...hunk(25)));
      editor = await show(path);
    });

    it("decide the change at the cursor in the file and move to the next", async () => {
      cursors(5);
      await review.commands["patchbay.review.acceptHunk"](accept);
      assert.equal(await onDisk(path), text({ 5: "LINE 5" }));
      assert.equal(editor.selection.active.line, 15);
      await review.commands["patchbay.review.rejectHunk"](reject);
      assert.equal(editor.selection.active.line, 25);
      await review.commands["patchbay.review.acceptHunk"](accept);
      assert.equal(await onDisk(path), text({ 5: "LINE 5", 25: "LINE 25" }));
      assert.match(await review.news(), /#2 was rejected by the user/);
    });

    it("run the editor's own command when no change is at the cursor", async () => {
      cursors(6);
      await review.commands["patchbay.review.acceptHunk"](accept);
      await review.commands["patchbay.review.rejectHunk"](reject);
      assert.equal(editor.document.getText(), text({ 6: "line 6\n" }));
      assert.equal(editor.selection.active.line, 7);
      assert.deepEqual([review.desk.waiting, review.desk.conflicts], [3, 0]);
    });

    it("decide several changes with a cursor each, and none when a cursor is elsewhere", async () => {
      cursors(5, 15);
      await review.commands["patchbay.review.acceptHunk"](accept);
      assert.equal(await onDisk(path), text({ 5: "LINE 5", 15: "LINE 15" }));
      assert.deepEqual(
        editor.selections.map(({ active }) => active.line),
        [25],
      );
      cursors(25, 28);
      await review.commands["patchbay.review.rejectHunk"](reject);
      assert.equal(review.desk.waiting, 1);
    });

    it("leave a change that its file does not show undecided", async () => {
      await put("commands/quiet.txt", text());
      await review.propose(patchOf("*** Update File: commands/quiet.txt", ...hunk(5)));
      cursors(5);
      await review.commands["patchbay.review.acceptHunk"](accept);
      assert.equal(review.desk.waiting, 4);
      assert.equal(editor.document.getText(), text({ 5: "line 5\n" }));
    });

    it("decide the change whose thread has the focus, wherever the cursor is", async () => {
      cursors(5);
      const threads = await review.untilThreads(({ length }) => length === 3);
      const [, second] = threads.toSorted((a, b) => (a.range?.start.line ?? 0) - (b.range?.start.line ?? 0));
      const number = Number(/\.at(\d)$/.exec(second?.contextValue ?? "")?.[1]);
      await review.commands["patchbay.review.acceptHunk"]({ thread: number });
      assert.equal(await onDisk(path), text({ 15: "LINE 15" }));
      assert.equal(editor.selection.active.line, 25, "and goes on from there");
      await review.commands["patchbay.review.acceptHunk"]({ thread: number });
      assert.equal(review.desk.waiting, 2, "it is gone");
    });

    it("move to the next file once the current one has no change left", async () => {
      const other = "commands/keys-too.txt";
      await review.commands["patchbay.review.rejectAll"](undefined);
      await put(other, text());
      await review.propose(twoFiles(path, other));
      await showFile(review.file(other), review.desk, review.documents);
      const isShown = (name: string) => (shown: vscode.TextEditor) =>
        shown.document.uri.scheme === schemes.review && shown.document.uri.path.endsWith(`/${name}`);
      (await activeEditor(isShown(other))).selection = new vscode.Selection(10, 0, 10, 0);
      await review.commands["patchbay.review.acceptHunk"](accept);
      await activeEditor(isShown(path));
      await cursorIn(5);
    });
  });

  describe("a custom key without arguments", () => {
    let count = 0;
    let path: string;
    let said: string[];
    let told: typeof vscode.window.setStatusBarMessage;

    beforeEach(async () => {
      said = [];
      told = vscode.window.setStatusBarMessage;
      vscode.window.setStatusBarMessage = (sentence: string) => {
        said.push(sentence);
        return new vscode.Disposable(() => {});
      };
      path = `commands/own-key-${++count}.txt`;
      await put(path, text());
      await review.propose(patchOf(`*** Update File: ${path}`, ...hunk(5), ...hunk(15), ...hunk(25)));
    });
    afterEach(() => {
      vscode.window.setStatusBarMessage = told;
    });

    it("decides the change at the cursor in the file, reports it and moves to the next", async () => {
      await cursorAt(path, 5);
      await review.commands["patchbay.review.acceptHunk"](undefined);
      await cursorIn(15);
      await review.commands["patchbay.review.rejectHunk"](undefined);
      await cursorIn(25);
      assert.deepEqual(said, ["Accepted. 2 changes left to review.", "Rejected. 1 change left to review."]);
      assert.equal(await onDisk(path), text({ 5: "LINE 5" }));
    });

    it("decides the change at the cursor in the diff, reports it and moves to the next", async () => {
      await showFile(review.file(path), review.desk, review.documents);
      await activeEditor(({ document }) => document.uri.scheme === schemes.review);
      await cursorIn(5);
      await review.commands["patchbay.review.rejectHunk"](undefined);
      await cursorIn(15);
      await review.commands["patchbay.review.acceptHunk"](undefined);
      await cursorIn(25);
      assert.deepEqual(said, ["Rejected. 2 changes left to review.", "Accepted. 1 change left to review."]);
      assert.equal(await onDisk(path), text({ 15: "LINE 15" }));
    });

    it("decides the change at the cursor while a thread has the focus", async () => {
      await cursorAt(path, 15);
      await review.untilThreads(({ length }) => length === 3);
      await vscode.commands.executeCommand("editor.action.nextCommentThreadAction");
      await review.commands["patchbay.review.acceptHunk"](undefined);
      assert.deepEqual(said, ["Accepted. 2 changes left to review."]);
      assert.equal(await onDisk(path), text({ 15: "LINE 15" }));
    });
  });

  it("show a deleted file beside an empty side", async () => {
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

  it("undo the edits of a turn, or of all turns since one, and list what stays", async () => {
    const after = createRevertCommands({
      session: () => review.session,
      folders: () => [],
      left: createLeftEdits(review.documents, () => []),
    });
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

    // What stays is listed, and shown from there; nothing of it is said in passing alone.
    await review.propose(patchOf("*** Update File: commands/turns.txt", ...hunk(5)));
    await review.commands["patchbay.review.acceptAll"](undefined);
    await type("commands/turns.txt", 5, "typed into ");
    await until(after["patchbay.review.undoTurn"](), enter);
    const { label } = await activeTab((tab) => tab.input instanceof vscode.TabInputTextDiff);
    assert.equal(label, "commands/turns.txt (left as it is)");
  });
});
