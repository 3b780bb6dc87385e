// A person goes back over three turns after they have worked on: what can be taken back is, and the rest is listed, with the
// reason and what would have been changed.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { message } from "../../src/conversation/messages.ts";
import { createLeftEdits } from "../../src/editor/review/internal/accepted-edits-commands.ts";
import { onDisk, patchOf, put, textOf, type, uriOf } from "./support/files.ts";
import { activeTab } from "./support/heard.ts";
import { enter, until } from "./support/impatient.ts";
import { reviewForEach } from "./support/review-fixture.ts";

const text = (change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 30 }, (_, row) => `${change[row] ?? `line ${row}`}\n`).join("");

const update = (path: string, ...rows: readonly number[]) => [
  `*** Update File: story/${path}`,
  ...rows.flatMap((row) => ["@@", ` line ${row - 1}`, `-line ${row}`, `+LINE ${row}`, ` line ${row + 1}`]),
];

describe("three accepted turns", () => {
  const review = reviewForEach();

  it("are undone around later edits and a deletion, and what stays is listed with reason and diff", async () => {
    for (const path of ["typed.txt", "deleted.txt", "plain.txt"]) await put(`story/${path}`, text());
    const calls: string[] = [];
    for (const patch of [
      [...update("typed.txt", 5), ...update("deleted.txt", 5)],
      [...update("typed.txt", 15), ...update("plain.txt", 10)],
      [...update("typed.txt", 25), "*** Add File: story/new.txt", "+new"],
    ]) {
      calls.push((await review.propose(patchOf(...patch))).call);
      await review.commands["patchbay.review.acceptAll"](undefined);
    }
    await type("story/typed.txt", 20, "typed elsewhere\n");
    await type("story/typed.txt", 15, "typed into ");
    await vscode.workspace.fs.delete(uriOf("story/deleted.txt"));

    const turned = await review.changes.undo(calls);
    assert.equal(
      await textOf("story/typed.txt"),
      text({ 15: "typed into LINE 15", 19: "line 19\ntyped elsewhere" }),
    );
    assert.equal(await onDisk("story/plain.txt"), text());
    assert.equal(await onDisk("story/new.txt"), undefined);
    assert.equal(await onDisk("story/deleted.txt"), undefined);
    assert(turned.outcome === "done");
    assert.deepEqual(
      turned.said,
      message("undoneInPart", { count: 2, all: 4, names: "story/typed.txt, story/deleted.txt" }),
    );
    assert.deepEqual(
      turned.left.map(({ path, why }) => [path, why.code]),
      [
        ["story/typed.txt", "editsTouched"],
        ["story/deleted.txt", "editsMissing"],
      ],
    );
    assert.match(await review.news(), /story\/typed\.txt#1 was accepted and is in the files/);

    // From the row of the second turn, at any time later.
    const edits = createLeftEdits(review.documents, () => []);
    const [, second = ""] = calls;
    const left = await review.changes.leftOf(second);
    assert.equal(left.length, 1);
    await until(edits.list(left), enter);
    const { input, label } = await activeTab((tab) => tab.input instanceof vscode.TabInputTextDiff);
    assert.equal(label, "story/typed.txt (left as it is)");
    assert(input instanceof vscode.TabInputTextDiff);
    const sides = [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri));
    assert.deepEqual(
      (await Promise.all(sides)).map((side) => side.getText()),
      [text({ 5: "LINE 5", 15: "LINE 15" }), text({ 5: "LINE 5" })],
    );
  });
});
