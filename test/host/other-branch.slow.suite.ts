// Files that another program changes while proposals wait for them: a branch is switched in a terminal, and switched back.
// What is shown follows the disk by itself, and what is accepted is what fits then. How long that took is printed, for people to
// read, beside how long VS Code's own watcher has taken to tell of it.
import { strict as assert } from "node:assert";
import { execFile } from "node:child_process";
import { appendFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";

import { promisify } from "node:util";
import * as vscode from "vscode";
import { onDisk, open, patchOf, plan, put, show, testWorkspace, uriOf } from "./support/files.ts";
import { reviewForEach } from "./support/review-fixture.ts";

const run = promisify(execFile);
const lines = (change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 20 }, (_, row) => `${change[row] ?? `line ${row}`}\n`).join("");
const hunk = (row: number) => ["@@", ` line ${row - 1}`, `-line ${row}`, `+LINE ${row}`, ` line ${row + 1}`];

describe("proposals after a branch switch", () => {
  const review = reviewForEach();

  /** As in a terminal: nothing of the editor is told. */
  async function git(folder: string, ...words: readonly string[]): Promise<void> {
    const identity = ["-c", "user.name=Test", "-c", "user.email=test@localhost"];
    await run("git", [...identity, ...words], { cwd: uriOf(folder).fsPath });
  }

  /** Two branches; the changes of the first are proposed, and the other one has its own mind about all but the last. */
  async function propose(folder: string): Promise<void> {
    for (const name of ["typed", "gone", "same"]) await put(`${folder}/${name}.txt`, lines());
    await git(folder, "init", "--initial-branch", "first");
    await git(folder, "add", ".");
    await git(folder, "commit", "-m", "First");
    await git(folder, "checkout", "-b", "other");
    await put(`${folder}/typed.txt`, lines({ 5: "theirs" }));
    await put(`${folder}/same.txt`, lines({ 5: "LINE 5" }));
    await put(`${folder}/deep/new.txt`, "theirs\n");
    await git(folder, "rm", "gone.txt");
    await git(folder, "add", ".");
    await git(folder, "commit", "-m", "Other");
    await git(folder, "checkout", "first");
    const update = (name: string) => [`*** Update File: ${folder}/${name}.txt`, ...hunk(5)];
    await review.propose(
      patchOf(
        ...[...update("typed"), ...update("gone"), ...update("same")],
        ...[`*** Add File: ${folder}/deep/new.txt`, "+ours"],
      ),
    );
    assert.deepEqual(shown(), [4, 4, 0]);
  }

  /** Until list, badge and status, which ask the desk, and the bar say so. The console of the host is the workbench's. */
  async function untilSaid(checkout: Promise<void>, files: number, conflicts: number): Promise<void> {
    const told: number[] = [];
    const watcher = vscode.workspace.createFileSystemWatcher("**/*.txt");
    const listening = vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(() => told.push(performance.now())),
      watcher.onDidChange(() => told.push(performance.now())),
      watcher.onDidDelete(() => told.push(performance.now())),
    );
    const saying = until(files, conflicts).then(() => performance.now());
    await checkout;
    const began = performance.now();
    const took = Math.max(0, Math.round((await saying) - began));
    while (told.length === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    listening.dispose();
    const byEditor = Math.round((told[0] ?? 0) - began);
    const bar = review.session.waiting;
    assert.deepEqual([bar?.files, bar?.conflicts], [files, conflicts]);
    const line = `    said ${took} ms after git checkout was over, which VS Code told of after ${byEditor} ms\n`;
    appendFileSync(process.env["PATCHBAY_SUITES_OUTPUT"] ?? "/dev/null", line);
  }

  /** Files, changes, conflicts. */
  const shown = () => [review.desk.files.length, review.desk.waiting, review.desk.conflicts];

  const until = (files: number, conflicts: number) =>
    review.until(() => review.desk.files.length === files && review.desk.conflicts === conflicts);

  for (const inSight of [false, true])
    it(`show the conflicts of each branch, and are accepted after switching back${inSight ? ", with a file in sight" : ""}`, async () => {
      const folder = `switched-${inSight}`;
      await propose(folder);
      if (inSight) await show(`${folder}/typed.txt`);
      // The same is there already, the others are in the way.
      await untilSaid(git(folder, "checkout", "other"), 3, 3);
      assert.deepEqual(shown(), [3, 3, 3]);
      await untilSaid(git(folder, "checkout", "first"), 4, 0);
      assert.deepEqual(shown(), [4, 4, 0]);
      await review.commands["patchbay.review.acceptAll"](undefined);
      assert.equal(review.desk.files.length, 0);
      for (const name of ["typed", "gone", "same"])
        assert.equal(await onDisk(`${folder}/${name}.txt`), lines({ 5: "LINE 5" }), name);
      assert.equal(await onDisk(`${folder}/deep/new.txt`), "ours\n");
    });

  it("are accepted where they fit, even before the review has refreshed", async () => {
    const folder = "switched-at-once";
    await propose(folder);
    await show(`${folder}/typed.txt`);
    const set = review.file().set;
    await git(folder, "checkout", "other");
    await writeFile(uriOf(`${folder}/gone.txt`).fsPath, lines());
    await review.desk.acceptAll(set);
    assert.equal(await onDisk(`${folder}/gone.txt`), lines({ 5: "LINE 5" }));
    assert.equal(await onDisk(`${folder}/typed.txt`), lines({ 5: "theirs" }));
    assert.equal(await onDisk(`${folder}/deep/new.txt`), "theirs\n");
    await until(2, 2);
    await assert.rejects(review.desk.acceptAll(set), /no longer fit the files/);
  });

  it("are stale for a file that the editor has not reloaded yet", async () => {
    await put("loaded/late.txt", lines());
    await show("loaded/late.txt");
    const workspace = testWorkspace({ savesAfterApply: () => true });
    const changes = await plan(patchOf("*** Update File: loaded/late.txt", ...hunk(5)), workspace);
    await writeFile(uriOf("loaded/late.txt").fsPath, lines({ 5: "theirs" }));
    assert.deepEqual(await workspace.apply(changes, "test"), { outcome: "stale" });
    assert.equal(await onDisk("loaded/late.txt"), lines({ 5: "theirs" }));
    assert.equal((await open("loaded/late.txt")).isDirty, false);
  });
});
