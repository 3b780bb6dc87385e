// The proposed side of a review is a document that can be written into: what stands there is what is accepted.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { showFile } from "../../src/shell/review/show-patches.ts";
import { schemes } from "../../src/shell/review/shown-change.ts";
import { closeAll, make, patchOf, put, textOf, type, undoIn } from "./support/files.ts";
import { activeEditor, heard } from "./support/heard.ts";
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
    await review.propose(proposal(path));
    await meanwhile?.();
    const [, uri] = review.documents.sidesOf(review.file(path));
    assert(uri !== undefined);
    const document = await vscode.workspace.openTextDocument(uri);
    return { uri, document };
  }

  const isEdited = (path: string) => review.file(path).pending.isEdited;

  async function typeInto(uri: vscode.Uri, row: number, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(row, 0, row, 1000), text);
    await make(edit);
  }

  /** Resolves when the desk has taken it over. */
  async function write(uri: vscode.Uri, row: number, text: string): Promise<void> {
    const { revision } = review.changes;
    await typeInto(uri, row, text);
    await review.until(() => review.changes.revision !== revision);
  }

  async function clean(document: vscode.TextDocument): Promise<void> {
    while (document.isDirty)
      await new Promise<void>((resolve) => {
        const listening = vscode.workspace.onDidSaveTextDocument(() => {
          listening.dispose();
          resolve();
        });
      });
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

  it("is what is accepted, and the model is told what was changed in it", async () => {
    const path = "edit/mine.txt";
    const { uri } = await proposed(path);
    await write(uri, 15, "mine\nmine again");
    assert.equal(isEdited(path), true);
    assert.equal(await textOf(path), lines(), "nothing before it is accepted");
    await review.desk.accept(review.target(path));
    const after = lines({ 5: "LINE 5", 15: "mine\nmine again", 30: "LINE 30" });
    assert.equal(await textOf(path), after);
    const news = await review.news();
    assert.match(news, /The user edited it before accepting it/);
    assert.match(news, /-LINE 15\n\+mine\n\+mine again\n/);
    await undoIn(path);
    assert.equal(await textOf(path), lines(), "one Undo takes it back");
  });

  it("is accepted with what was typed a moment before", async () => {
    const path = "edit/moment.txt";
    const { uri, document } = await proposed(path);
    const target = review.target(path);
    await typeInto(uri, 15, "mine");
    await review.desk.accept(target);
    assert.equal(await textOf(path), lines({ 5: "LINE 5", 15: "mine", 30: "LINE 30" }));
    await clean(document);
  });

  it("is accepted around what was typed into the real file meanwhile", async () => {
    const path = "edit/both.txt";
    const { uri } = await proposed(path);
    await write(uri, 15, "mine");
    await type(path, 0, "typed\n");
    await review.desk.accept(review.target(path));
    const after = lines({ 5: "LINE 5", 15: "mine", 30: "LINE 30" });
    assert.equal(await textOf(path), `typed\n${after}`);
  });

  it("keeps what was typed into the real file while somebody wrote into it, at every moment", async () => {
    const path = "edit/meanwhile.txt";
    const { uri, document } = await proposed(path);
    await typeInto(uri, 15, "mine, at some length");
    await type(path, 0, "typed\n");
    await review.until(() => isEdited(path));
    await clean(document);
    const after = lines({ 5: "LINE 5", 15: "mine, at some length", 30: "LINE 30" });
    await heard(
      () => document.getText() === `typed\n${after}` || undefined,
      vscode.workspace.onDidChangeTextDocument,
    );
    assert.equal(review.desk.waiting, 3);
    await review.desk.accept(review.target(path));
    assert.equal(await textOf(path), `typed\n${after}`);
  });

  it("keeps what the model proposes beside it while somebody writes into it", async () => {
    const path = "edit/beside.txt";
    const { uri, document } = await proposed(path);
    await typeInto(uri, 15, "mine");
    await review.propose(patchOf(`*** Update File: ${path}`, ...hunk(22)));
    await typeInto(uri, 0, "first");
    const after = lines({ 0: "first", 5: "LINE 5", 15: "mine", 22: "LINE 22", 30: "LINE 30" });
    await heard(() => document.getText() === after || undefined, vscode.workspace.onDidChangeTextDocument);
    await review.desk.accept(review.target(path));
    assert.equal(await textOf(path), after);
    await clean(document);
  });

  it("keeps what is typed while a save of what stood there before is under way", async () => {
    const path = "older.txt";
    const { uri, document } = await proposed(path);
    await typeInto(uri, 15, "mine");
    const older = document.getText();
    await typeInto(uri, 0, "first");
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(older));
    await review.desk.accept(review.target(path));
    assert.equal(await textOf(path), lines({ 0: "first", 5: "LINE 5", 15: "mine", 30: "LINE 30" }));
    await clean(document);
  });

  it("is saved by itself, so that closing it loses nothing", async () => {
    const path = "edit/closed.txt";
    await put(path, lines());
    await review.propose(proposal(path));
    await showFile(review.file(path), review.desk, review.documents);
    const { document } = await activeEditor((editor) => editor.document.uri.scheme === schemes.review);
    const saved = new Promise<void>((resolve) => {
      vscode.workspace.onDidSaveTextDocument((each) => each === document && resolve());
    });
    await write(document.uri, 5, "mine");
    await saved;
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    assert.equal(isEdited(path), true);
    await review.desk.accept(review.target(path));
    assert.equal(await textOf(path), lines({ 5: "mine", 15: "LINE 15", 30: "LINE 30" }));
  });

  it("leaves no unsaved document behind when it was decided", async () => {
    const path = "edit/clean.txt";
    const { document, uri } = await proposed(path);
    await write(uri, 0, "mine");
    await review.desk.reject(review.target(path));
    await clean(document);
    assert.equal(await textOf(path), lines());
  });

  it("from which somebody takes a whole change has that change no more", async () => {
    const path = "edit/choice.txt";
    const { uri } = await proposed(path);
    await write(uri, 15, "é line 15");
    assert.equal(review.desk.waiting, 2);
    await review.desk.accept(review.target(path));
    assert.equal(await textOf(path), lines({ 5: "LINE 5", 30: "LINE 30" }));
  });
});
