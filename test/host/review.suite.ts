// A proposed patch in the real editor: looked at, decided hunk by hunk, taken back.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { showFile } from "../../src/editor/review/internal/show-changes.ts";
import { schemes } from "../../src/editor/review/shown-change.ts";
import { text } from "../sim/script.ts";
import { onDisk, open, patchOf, put, show, textOf, type, undoIn } from "./support/files.ts";
import { activeTab, cursorIn, heard } from "./support/heard.ts";
import { reviewForEach } from "./support/review-fixture.ts";

const lines = (change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 40 }, (_, row) => change[row] ?? `line ${row}`).join("\n");

const hunk = (row: number) => ["@@", ` line ${row - 1}`, `-line ${row}`, `+LINE ${row}`, ` line ${row + 1}`];

const threeHunks = (path: string) =>
  patchOf(`*** Update File: ${path}`, ...hunk(5), ...hunk(15), ...hunk(30));

describe("the review", () => {
  const review = reviewForEach();

  it("opens no editor, takes no focus and writes nothing when a patch arrives", async () => {
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

  it("saves accepted hunks at once, and reports the rejected one to the model", async () => {
    const path = "review/two-of-three.txt";
    await put(path, lines());
    await review.propose(threeHunks(path));
    await review.desk.accept(review.target(path, 0));
    assert.equal(await onDisk(path), lines({ 5: "LINE 5" }));
    assert.equal(review.desk.waiting, 2);
    await review.desk.reject(review.target(path, 0), "Line 15 is right.");
    await review.desk.accept(review.target(path));
    assert.equal(await onDisk(path), lines({ 5: "LINE 5", 30: "LINE 30" }));
    assert.equal(review.desk.waiting, 0);
    const news = await review.news();
    assert.match(news, /two-of-three\.txt#2 was rejected by the user/);
    assert.match(news, /The user said: Line 15 is right\./);
    await undoIn(path);
    assert.equal(await textOf(path), lines({ 5: "LINE 5" }), "one Undo for what was accepted last");
  });

  it("reverts with one Undo what one click accepted in all files", async () => {
    await put("review/one.txt", lines());
    await put("review/two.txt", lines());
    await review.propose(
      patchOf("*** Update File: review/one.txt", ...hunk(5), "*** Update File: review/two.txt", ...hunk(15)),
    );
    await review.commands["patchbay.review.acceptAll"](undefined);
    assert.equal(await onDisk("review/one.txt"), lines({ 5: "LINE 5" }));
    await undoIn("review/one.txt");
    assert.equal(await textOf("review/one.txt"), lines());
    assert.equal(await textOf("review/two.txt"), lines());
  });

  it("writes nothing when everything is rejected", async () => {
    await put("review/rejected.txt", lines());
    await review.propose(threeHunks("review/rejected.txt"));
    await review.commands["patchbay.review.rejectAll"](undefined);
    assert.equal(await onDisk("review/rejected.txt"), lines());
    assert.equal(review.desk.waiting, 0);
    assert.match(await review.news(), /all of it was rejected by the user/);
  });

  it("leaves a file with the person's unsaved changes unsaved, and reports it until it is saved", async () => {
    await put("review/dirty.txt", lines());
    await type("review/dirty.txt", 0, "typed\n");
    await review.propose(threeHunks("review/dirty.txt"));
    await review.desk.accept(review.target("review/dirty.txt"));
    const after = `typed\n${lines({ 5: "LINE 5", 15: "LINE 15", 30: "LINE 30" })}`;
    assert.equal(await textOf("review/dirty.txt"), after);
    assert.equal(await onDisk("review/dirty.txt"), lines());
    const { session } = review;
    const said = () =>
      session.state.turns
        .at(-1)
        ?.parts.map((part) => (part.type === "patch" ? part.message?.code : undefined))
        .find((code) => code !== undefined);
    assert.equal(said(), "patchUnsaved");
    await (await open("review/dirty.txt")).save();
    await session.patches.changes.refresh();
    assert.equal(said(), undefined);
  });

  it("accepts and rejects the hunk at the cursor of the real file after typing has moved it", async () => {
    const path = "review/cursor.txt";
    await put(path, lines());
    await review.propose(threeHunks(path));
    await type(path, 0, "typed\ntyped\n");
    const editor = await show(path);
    const places = review.desk.hunksIn(editor.document).map(({ place }) => place.before.first);
    assert.deepEqual(places, [7, 17, 32]);
    editor.selection = new vscode.Selection(17, 2, 17, 2);
    await review.commands["patchbay.review.rejectHunk"](undefined);
    assert.equal(review.desk.waiting, 2);
    assert.equal(editor.selection.active.line, 32, "and goes on to the next one");
    await review.commands["patchbay.review.acceptHunk"](undefined);
    assert.equal(await textOf(path), `typed\ntyped\n${lines({ 30: "LINE 30" })}`);
  });

  it("reports a conflict for lines that were edited, and none once the edit is undone", async () => {
    const path = "review/conflict.txt";
    await put(path, lines());
    await review.propose(threeHunks(path));
    await type(path, 5, "typed ");
    await review.until(() => review.file(path).pending.conflicts.length === 1);
    assert.equal(review.desk.hunksIn(await open(path)).length, 2);
    assert.equal(review.desk.waiting, 3, "what is in conflict waits as well");
    await undoIn(path);
    await review.until(() => review.file(path).pending.conflicts.length === 0);
    assert.equal(review.desk.waiting, 3);
    await type(path, 5, "typed ");
    await review.until(() => review.file(path).pending.conflicts.length === 1);
    await review.desk.accept(review.target(path));
    assert.equal(await textOf(path), lines({ 5: "typed line 5", 15: "LINE 15", 30: "LINE 30" }));
    assert.equal(review.file(path).pending.conflicts.length, 1, "what stands aside still does");
    await review.commands["patchbay.review.open"](undefined);
    await activeTab(({ label }) => label.startsWith("1 conflict"));
    review.sim.reply(text("I see."));
    await review.commands["patchbay.review.retryWithCurrent"]({ kind: "file", file: review.file(path) });
    assert.match(
      JSON.stringify(review.sim.requests.at(-1)?.body),
      /typed line 5/,
      "the model is shown the file",
    );
  });

  it("rejects conflicts with everything else, and reports why none can be accepted", async () => {
    const path = "review/stuck.txt";
    await put(path, lines());
    await review.propose(patchOf(`*** Update File: ${path}`, ...hunk(5)));
    await type(path, 5, "typed ");
    await review.until(() => review.file(path).pending.conflicts.length === 1);
    const { set } = review.file(path);
    await assert.rejects(review.desk.acceptAll(set), /no longer fit/);
    await review.commands["patchbay.review.rejectAll"](undefined);
    assert.equal(review.desk.waiting, 0);
    assert.match(await review.news(), /rejected/);
  });

  it("rejects a conflict from the row of its file, alone and with other changes", async () => {
    const path = "review/row.txt";
    await put(path, lines());
    const node = () => ({ kind: "file", file: review.file(path) });
    for (const rows of [[5], [5, 15]]) {
      await review.propose(patchOf(`*** Update File: ${path}`, ...rows.flatMap(hunk)));
      await type(path, 5, "typed ");
      await review.until(() => review.file(path).pending.conflicts.length === 1);
      await review.commands["patchbay.review.rejectFile"](node());
      assert.equal(review.desk.waiting, 0);
      await undoIn(path);
    }
    assert.equal(await textOf(path), lines());
  });

  it("steps through the changes in the real file and wraps around", async () => {
    await put("review/steps.txt", lines());
    await review.propose(threeHunks("review/steps.txt"));
    await show("review/steps.txt");
    for (const line of [5, 15, 30, 5]) {
      await review.commands["patchbay.review.next"](undefined);
      await cursorIn(line);
    }
    await review.commands["patchbay.review.previous"](undefined);
    await cursorIn(30);
  });

  it("shows both sides of every file, including new and deleted ones, in one multi-file diff", async () => {
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
    for (const shown of review.desk.files) {
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
    await activeTab(({ label }) => label.startsWith("3 proposed changes"));
  });

  it("closes its diff once all is decided, counts in its title, and keeps another conversation's", async () => {
    const paths = ["review/first.txt", "review/second.txt"];
    for (const path of paths) await put(path, lines());
    await review.propose(
      patchOf(...paths.flatMap((path) => [`*** Update File: ${path}`, ...hunk(5), ...hunk(15)])),
    );
    await review.until(() => review.desk.files.length === 2);
    const isReview = (label: string) => label.includes("proposed");
    const reviews = () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label)).filter(isReview);
    const until = (isSo: (labels: readonly string[]) => boolean) =>
      heard(() => isSo(reviews()) || undefined, vscode.window.tabGroups.onDidChangeTabs);
    await showFile(review.file(paths[0]), review.desk, review.documents);
    await until((labels) => labels.length === 1);
    await review.desk.accept(review.target(paths[0]));
    await until((labels) => labels.length === 0);
    await review.commands["patchbay.review.open"](undefined);
    await until(([first = ""]) => first.startsWith("2 proposed changes"));
    await review.desk.reject(review.target(paths[1], 0));
    assert.equal(reviews().length, 1);
    await review.commands["patchbay.review.open"](undefined);
    await until(([first = "", ...more]) => first.startsWith("1 proposed change") && more.length === 0);
    const { session } = review;
    await review.newConversation();
    await review.until(() => review.desk.files.length === 0);
    assert.equal(reviews().length, 1, "it still waits");
    await review.open(session.id);
    await review.until(() => review.desk.files.length === 1);
    await review.desk.accept(review.target(paths[1]));
    await until((labels) => labels.length === 0);
  });

  it("removes a rejected hunk from the proposed side", async () => {
    const path = "review/live.txt";
    await put(path, lines());
    await review.propose(threeHunks(path));
    const [, uri] = review.documents.sidesOf(review.file(path));
    assert(uri?.scheme === schemes.review);
    const document = await vscode.workspace.openTextDocument(uri);
    const changed = new Promise<void>((resolve) => {
      vscode.workspace.onDidChangeTextDocument((event) => event.document === document && resolve());
    });
    await review.desk.reject(review.target(path, 1));
    await changed;
    assert.equal(document.getText(), lines({ 5: "LINE 5", 30: "LINE 30" }));
  });
});
