// The proposed side of a review is a document that can be written into: what stands there is what is accepted.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { showFile } from "../../src/editor/review/internal/show-changes.ts";
import { schemes } from "../../src/editor/review/shown-change.ts";
import { closeAll, make, patchOf, put, textOf, type, undoIn, uriOf } from "./support/files.ts";
import { activeEditor, heard } from "./support/heard.ts";
import { reviewForEach } from "./support/review-fixture.ts";

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

describe("the proposed side of a review", () => {
  afterEach(async () => {
    // What is left unsaved VS Code shows sooner or later in an editor of its own, in the middle of another test; a
    // slow machine may have shown it already.
    for (const document of vscode.workspace.textDocuments)
      if (document.isDirty && document.uri.scheme === schemes.review) await document.save();
    await closeAll();
  });
  const review = reviewForEach();

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

  it("holds the proposed text regardless of the encoding set for other files", async () => {
    const files = vscode.workspace.getConfiguration("files");
    const set = (encoding?: string) =>
      files.update("encoding", encoding, vscode.ConfigurationTarget.Workspace);
    try {
      const { document } = await proposed("edit/encoding.txt", async () => {
        // Open, it keeps the encoding that it was read by; closed, whoever looks at it once more reads it by the new one.
        await vscode.window.showTextDocument(uriOf("edit/encoding.txt"));
        await set("utf16le");
      });
      assert.equal(document.getText(), lines({ 5: "LINE 5", 15: "LINE 15", 30: "LINE 30" }));
    } finally {
      await set();
    }
  });

  it("is accepted with its edits, which are reported to the model", async () => {
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

  it("is accepted with what was typed just before", async () => {
    const path = "edit/moment.txt";
    const { uri, document } = await proposed(path);
    const target = review.target(path);
    await typeInto(uri, 15, "mine");
    await review.desk.accept(target);
    assert.equal(await textOf(path), lines({ 5: "LINE 5", 15: "mine", 30: "LINE 30" }));
    await clean(document);
  });

  it("is accepted around text that was typed into the real file meanwhile", async () => {
    const path = "edit/both.txt";
    const { uri } = await proposed(path);
    await write(uri, 15, "mine");
    await type(path, 0, "typed\n");
    await review.desk.accept(review.target(path));
    const after = lines({ 5: "LINE 5", 15: "mine", 30: "LINE 30" });
    assert.equal(await textOf(path), `typed\n${after}`);
  });

  it("keeps text typed into the real file while it is edited itself", async () => {
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

  it("keeps a new proposal that arrives while it is edited", async () => {
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

  it("keeps newer text when an older save arrives", async () => {
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

  it("is saved automatically, so that closing it loses nothing", async () => {
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

  it("leaves no unsaved document once it is decided", async () => {
    const path = "edit/clean.txt";
    const { document, uri } = await proposed(path);
    await write(uri, 0, "mine");
    await review.desk.reject(review.target(path));
    await clean(document);
    assert.equal(await textOf(path), lines());
  });

  it("drops a change whose old lines are restored in it", async () => {
    const path = "edit/choice.txt";
    const { uri } = await proposed(path);
    await write(uri, 15, "é line 15");
    assert.equal(review.desk.waiting, 2);
    await review.desk.accept(review.target(path));
    assert.equal(await textOf(path), lines({ 5: "LINE 5", 30: "LINE 30" }));
  });
});
