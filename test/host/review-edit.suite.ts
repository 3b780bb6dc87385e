// The proposed side of a review is a document that can be written into: what stands there is what is accepted.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { showChange } from "../../src/shell/review/show-patches.ts";
import { schemes } from "../../src/shell/review/shown-change.ts";
import { closeAll, patchOf, put, textOf, type, undoIn } from "./support/files.ts";
import { activeEditor } from "./support/heard.ts";
import { reviewForEach, type TestReview } from "./support/review-desk.ts";

const lines = (change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 40 }, (_, row) => change[row] ?? `é line ${row}`).join("\n");

const hunk = (row: number) => [
  "@@",
  ` é line ${row - 1}`,
  `-é line ${row}`,
  `+LINE ${row}`,
  ` é line ${row + 1}`,
];

const proposal = (path: string) => patchOf(`*** Update File: ${path}`, ...hunk(5), ...hunk(15), ...hunk(30));

describe("the proposed side of a review", function () {
  this.timeout(120_000);
  let review: TestReview;

  afterEach(async () => {
    // What is left unsaved VS Code shows sooner or later in an editor of its own, in the middle of another test; a
    // slow machine may have shown it already.
    for (const document of vscode.workspace.textDocuments)
      if (document.isDirty && document.uri.scheme === schemes.review) await document.save();
    await closeAll();
  });

  reviewForEach((opened) => {
    review = opened;
  });

  async function proposed(path: string, meanwhile?: () => Thenable<void>) {
    await put(path, lines());
    const { turn } = await review.propose(proposal(path));
    await meanwhile?.();
    const [patch] = review.desk.pending;
    assert(patch !== undefined);
    const [shown] = review.desk.shown(patch.call);
    assert(shown !== undefined);
    const [, uri] = review.documents.sidesOf(shown);
    assert(uri !== undefined);
    const document = await vscode.workspace.openTextDocument(uri);
    return { turn, call: patch.call, uri, document };
  }

  async function write(uri: vscode.Uri, row: number, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(row, 0, row, 1000), text);
    const heard = new Promise<void>((resolve) => {
      const listening = review.desk.onDidChange(() => {
        listening.dispose();
        resolve();
      });
    });
    assert(await vscode.workspace.applyEdit(edit));
    await heard;
  }

  it("holds the proposed text, whatever encoding is set for other files", async () => {
    const files = vscode.workspace.getConfiguration("files");
    const set = (encoding?: string) =>
      files.update("encoding", encoding, vscode.ConfigurationTarget.Workspace);
    try {
      const { document } = await proposed("edit/encoding.txt", () => set("utf16le"));
      assert.equal(document.getText(), lines({ 5: "LINE 5", 15: "LINE 15", 30: "LINE 30" }));
    } finally {
      await set();
    }
  });

  it("is what is applied, unsaved as it is, and the model is told what was changed in it", async () => {
    const { turn, call, uri } = await proposed("edit/mine.txt");
    await write(uri, 15, "mine\nmine again");
    assert.equal(review.desk.isEdited(call, "edit/mine.txt"), true);
    assert.equal(await textOf("edit/mine.txt"), lines(), "nothing before it is accepted");
    review.desk.settle({ call, hunks: ["edit/mine.txt#1"] }, true);
    await turn;
    const after = lines({ 5: "LINE 5", 15: "mine\nmine again", 30: "LINE 30" });
    assert.equal(await textOf("edit/mine.txt"), after);
    assert.match(review.answer(), /The user edited edit\/mine\.txt before accepting it/);
    assert.match(review.answer(), /-LINE 15\n\+mine\n\+mine again\n/);
    await undoIn("edit/mine.txt");
    assert.equal(await textOf("edit/mine.txt"), lines(), "one Undo takes it back");
  });

  it("is applied around what was typed into the real file meanwhile", async () => {
    const { turn, call, uri } = await proposed("edit/both.txt");
    await write(uri, 15, "mine");
    await type("edit/both.txt", 0, "typed\n");
    review.desk.finish(call);
    await turn;
    const after = lines({ 5: "LINE 5", 15: "mine", 30: "LINE 30" });
    assert.equal(await textOf("edit/both.txt"), `typed\n${after}`);
  });

  it("leaves no unsaved document behind when it was decided", async () => {
    const { turn, call, uri, document } = await proposed("edit/clean.txt");
    await write(uri, 0, "mine");
    assert.equal(document.isDirty, true);
    const saved = new Promise<void>((resolve) => {
      vscode.workspace.onDidSaveTextDocument((each) => each.uri.toString() === uri.toString() && resolve());
    });
    review.desk.reject(call);
    await turn;
    await saved;
    assert.equal(await textOf("edit/clean.txt"), lines());
  });

  it("from which somebody takes a whole change is a choice among the changes, not an edit", async () => {
    const { turn, call, uri } = await proposed("edit/choice.txt");
    await write(uri, 15, "é line 15");
    assert.equal(review.desk.isEdited(call, "edit/choice.txt"), false);
    assert.equal(review.desk.takes(call, "edit/choice.txt#2"), false);
    review.desk.finish(call);
    await turn;
    assert.equal(await textOf("edit/choice.txt"), lines({ 5: "LINE 5", 30: "LINE 30" }));
    assert.match(review.answer(), /hunk 2 of edit\/choice\.txt: rejected by the user/);
  });

  it("counts as untouched when it is again what was proposed", async () => {
    const { call, uri } = await proposed("edit/again.txt");
    await write(uri, 5, "mine");
    assert.equal(review.desk.isEdited(call, "edit/again.txt"), true);
    await write(uri, 5, "LINE 5");
    assert.equal(review.desk.isEdited(call, "edit/again.txt"), false);
  });

  it("that is closed without saving is again as it was proposed", async () => {
    await put("edit/closed.txt", lines());
    await review.propose(proposal("edit/closed.txt"));
    const [patch] = review.desk.pending;
    const [shown] = patch === undefined ? [] : review.desk.shown(patch.call);
    assert(shown !== undefined);
    await showChange(shown, 1, review.desk);
    const editor = await activeEditor(({ document }) => document.uri.scheme === schemes.review);
    const { uri } = editor.document;
    await write(uri, 5, "mine");
    assert.equal(review.desk.isEdited(shown.call, shown.path), true);
    const told = new Promise<void>((resolve) => {
      review.desk.onDidChange(() => review.desk.isEdited(shown.call, shown.path) || resolve());
    });
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await told;
  });
});
