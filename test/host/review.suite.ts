// A proposed patch in the real editor: looked at, decided hunk by hunk, taken back.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { schemes } from "../../src/shell/review/shown-change.ts";
import { onDisk, open, patchOf, put, show, textOf, type, undoIn } from "./support/files.ts";
import { activeTab } from "./support/heard.ts";
import { reviewForEach, type TestReview } from "./support/review-desk.ts";

const lines = (change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 40 }, (_, row) => change[row] ?? `line ${row}`).join("\n");

const hunk = (row: number) => ["@@", ` line ${row - 1}`, `-line ${row}`, `+LINE ${row}`, ` line ${row + 1}`];

const threeHunks = (path: string) =>
  patchOf(`*** Update File: ${path}`, ...hunk(5), ...hunk(15), ...hunk(30));

describe("a review", function () {
  this.timeout(120_000);
  let review: TestReview;

  reviewForEach((opened) => {
    review = opened;
  });

  const pending = () => {
    const [patch] = review.desk.pending;
    assert(patch !== undefined, "nothing waits");
    return patch;
  };

  it("opens no editor and takes no focus when a patch arrives, and writes nothing", async () => {
    await put("review/quiet.txt", lines());
    const editor = await show("README.md");
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
    const before = tabs();
    await review.propose(threeHunks("review/quiet.txt"));
    assert.deepEqual(tabs(), before);
    assert.equal(vscode.window.activeTextEditor, editor);
    assert.equal(review.desk.waiting, 3);
    assert.equal(await onDisk("review/quiet.txt"), lines());
  });

  it("applies the hunks that were accepted and tells the model about the one that was not", async () => {
    await put("review/two-of-three.txt", lines());
    const { turn } = await review.propose(threeHunks("review/two-of-three.txt"));
    const { call, files } = pending();
    const [one, two, three] = files.flatMap(({ hunks }) => hunks.map(({ id }) => id));
    assert(one !== undefined && two !== undefined && three !== undefined);
    review.desk.settle({ call, hunks: [one] }, true);
    review.desk.settle({ call, hunks: [two] }, false, "Line 15 is right.");
    assert.equal(await textOf("review/two-of-three.txt"), lines(), "nothing before the last one is settled");
    review.desk.settle({ call, hunks: [three] }, true);
    await turn;
    assert.equal(await textOf("review/two-of-three.txt"), lines({ 5: "LINE 5", 30: "LINE 30" }));
    assert.match(review.answer(), /hunk 2 of review\/two-of-three\.txt: rejected by the user/);
    assert.match(review.answer(), /They said: Line 15 is right\./);
    await undoIn("review/two-of-three.txt");
    assert.equal(await textOf("review/two-of-three.txt"), lines(), "one Undo takes both back");
  });

  it("takes what is ticked when all is applied", async () => {
    await put("review/ticks.txt", lines());
    const { turn } = await review.propose(threeHunks("review/ticks.txt"));
    const { call } = pending();
    review.desk.tick({ call, hunks: ["review/ticks.txt#1"] }, false);
    review.commands["patchbay.review.acceptAll"](undefined);
    await turn;
    assert.equal(await textOf("review/ticks.txt"), lines({ 15: "LINE 15", 30: "LINE 30" }));
  });

  it("writes nothing when all is rejected", async () => {
    await put("review/rejected.txt", lines());
    const { turn } = await review.propose(threeHunks("review/rejected.txt"));
    review.commands["patchbay.review.rejectAll"](undefined);
    await turn;
    assert.equal(await textOf("review/rejected.txt"), lines());
    assert.match(review.answer(), /rejected this patch/);
  });

  it("accepts and rejects the hunk at the cursor of the real file, wherever typing has moved it", async () => {
    await put("review/cursor.txt", lines());
    await review.propose(threeHunks("review/cursor.txt"));
    await type("review/cursor.txt", 0, "typed\ntyped\n");
    const editor = await show("review/cursor.txt");
    const places = review.desk.hunksIn(editor.document).map(({ place }) => place.before.first);
    assert.deepEqual(places, [7, 17, 32]);
    editor.selection = new vscode.Selection(17, 2, 17, 2);
    await review.commands["patchbay.review.rejectHunk"](undefined);
    const { call } = pending();
    assert.equal(review.desk.isSettled(call, "review/cursor.txt#2"), true);
    assert.equal(review.desk.takes(call, "review/cursor.txt#2"), false);
    assert.equal(review.desk.isSettled(call, "review/cursor.txt#1"), false);
  });

  it("says that a file is stale when somebody has typed into the lines of a change", async () => {
    await put("review/stale.txt", lines());
    await review.propose(threeHunks("review/stale.txt"));
    const [file] = pending().files;
    assert(file !== undefined);
    await open("review/stale.txt");
    assert.equal(review.desk.staleness(pending(), file), undefined);
    await type("review/stale.txt", 5, "typed ");
    assert.match(review.desk.staleness(pending(), file) ?? "", /changed these lines/);
    assert.deepEqual(review.desk.hunksIn(await open("review/stale.txt")), []);
  });

  it("goes from change to change, round and round, in the real file", async () => {
    await put("review/steps.txt", lines());
    await review.propose(threeHunks("review/steps.txt"));
    await show("review/steps.txt");
    const seen: number[] = [];
    for (let step = 0; step < 4; step++) {
      await review.commands["patchbay.review.next"](undefined);
      seen.push(vscode.window.activeTextEditor?.selection.active.line ?? -1);
    }
    await review.commands["patchbay.review.previous"](undefined);
    seen.push(vscode.window.activeTextEditor?.selection.active.line ?? -1);
    assert.deepEqual(seen, [5, 15, 30, 5, 30]);
  });

  it("shows both sides of every file, new and deleted ones too, in one multi-file diff", async () => {
    await put("review/sides/old.txt", "old\n");
    await put("review/sides/both.txt", lines());
    const patch = [
      "*** Delete File: review/sides/old.txt",
      "*** Add File: review/sides/new.txt",
      "+new",
      "*** Update File: review/sides/both.txt",
      ...hunk(5),
    ];
    await review.propose(patchOf(...patch));
    const sides: Record<string, (string | undefined)[]> = {};
    for (const shown of review.desk.shown(pending().call)) {
      const uris = review.documents.sidesOf(shown);
      sides[shown.path] = await Promise.all(
        uris.map(async (uri) => uri && (await vscode.workspace.openTextDocument(uri)).getText()),
      );
    }
    assert.deepEqual(sides, {
      "review/sides/old.txt": ["old\n", undefined],
      "review/sides/new.txt": [undefined, "new\n"],
      "review/sides/both.txt": [lines(), lines({ 5: "LINE 5" })],
    });
    await review.commands["patchbay.review.open"](undefined);
    await activeTab(({ label }) => label.startsWith("Turn 1: proposed edits"));
  });

  it("shows in the proposed side only what is ticked", async () => {
    await put("review/live.txt", lines());
    await review.propose(threeHunks("review/live.txt"));
    const { call } = pending();
    const [, uri] = review.documents.sidesOf(review.desk.shown(call)[0]!);
    assert(uri?.scheme === schemes.review);
    const document = await vscode.workspace.openTextDocument(uri);
    const changed = new Promise<void>((resolve) => {
      vscode.workspace.onDidChangeTextDocument((event) => event.document === document && resolve());
    });
    review.desk.tick({ call, hunks: ["review/live.txt#2"] }, false);
    await changed;
    assert.equal(document.getText(), lines({ 5: "LINE 5", 30: "LINE 30" }));
  });
});
