// The threads of hundreds of changes, which VS Code draws one by one: which of them are drawn, and that a person need not wait.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { showFile } from "../../src/editor/review/internal/show-changes.ts";
import { patchOf, put, textOf } from "./support/files.ts";
import { reviewForEach } from "./support/review-fixture.ts";

describe("the threads of many changes", function () {
  // The window draws each thread by itself, and a busy one takes half a minute for two hundred.
  this.timeout(240_000);
  const review = reviewForEach();
  // A file for each test: VS Code goes on holding what the last one wrote into it for a while.
  let path = "";
  let count = 0;
  beforeEach(() => {
    path = `threads/many-${++count}.txt`;
  });
  const upTo = (end: number) => Array.from({ length: end }, (_, at) => at);
  const file = (count: number, ...changed: readonly number[]) =>
    upTo(count)
      .map((at) => `row ${at}\n${changed.includes(at) ? "CHANGED" : "between"} ${at}\nafter ${at}\n`)
      .join("");
  const hunk = (at: number) => ["@@", ` row ${at}`, `-between ${at}`, `+CHANGED ${at}`, ` after ${at}`];
  const propose = async (changed: readonly number[]) => {
    await review.propose(patchOf(`*** Update File: ${path}`, ...changed.flatMap(hunk)));
    assert.equal(review.desk.files.length, 1, `nothing waits: ${review.answer()}`);
  };
  const showDiff = () => showFile(review.file(path), review.desk, review.documents);
  /** All that are there are drawn, and say of how many they are one. */
  const areAll = (threads: readonly vscode.CommentThread[], count: number, of = count) =>
    threads.length === count && threads.every(({ label }) => label?.includes(` of ${of} `) === true);
  const rowsOf = (threads: readonly vscode.CommentThread[]) =>
    threads.map(({ range }) => Math.floor((range?.start.line ?? -1) / 3));

  it("show at most two hundred changes, and each decides its own", async () => {
    await put(path, file(220));
    await propose(upTo(220));
    await showDiff();
    const threads = await review.untilThreads((all) => areAll(all, 200, 220));
    assert.match(threads[150]?.label ?? "", /^Change 151 of 220 /);
    await review.commands["patchbay.thread.accept"](threads[150]);
    await review.untilThreads((all) => areAll(all, 200, 219));
    assert.equal(await textOf(path), file(220, 150));
  });

  it("decide changes while others are still being drawn, and disappear afterwards", async () => {
    await put(path, file(60));
    await propose(upTo(60));
    await showDiff();
    const threads = await review.untilThreads(({ length }) => length > 0);
    assert(threads.length < 60, "all were drawn at once");
    const [first] = rowsOf(threads);
    const others = [20, 21, 59].filter((row) => row !== first);
    await Promise.all([
      review.commands["patchbay.thread.accept"](threads[0]),
      review.desk.reject(review.target(path, ...others)),
    ]);
    const left = upTo(60).filter((row) => row !== first && !others.includes(row));
    const drawn = await review.untilThreads((all) => areAll(all, left.length));
    assert.deepEqual(
      rowsOf(drawn).toSorted((one, other) => one - other),
      left,
    );
    assert.equal(await textOf(path), file(60, first ?? 0));
  });

  it("disappear when the diff is closed early, and return when it is reopened", async () => {
    await put(path, file(60));
    await propose(upTo(60));
    await showDiff();
    await review.untilThreads(({ length }) => length > 0);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await review.untilThreads(({ length }) => length === 0);
    await showDiff();
    const threads = await review.untilThreads((all) => areAll(all, 60));
    assert.deepEqual(
      rowsOf(threads).toSorted((one, other) => one - other),
      upTo(60),
    );
  });

  it("appear first near the visible lines", async () => {
    await put(path, file(60));
    await propose([55]);
    await showDiff();
    await review.untilThreads(({ length }) => length === 1);
    const editor = vscode.window.visibleTextEditors.find(
      ({ document }) => document.uri.scheme === "patchbay-review",
    );
    assert(editor !== undefined);
    const last = new vscode.Range(165, 0, 165, 0);
    editor.revealRange(last, vscode.TextEditorRevealType.AtTop);
    while (!editor.visibleRanges.some((seen) => seen.contains(last)))
      await new Promise<void>((resolve) => {
        const listening = vscode.window.onDidChangeTextEditorVisibleRanges(() => {
          listening.dispose();
          resolve();
        });
      });
    await propose(upTo(60).filter((row) => row !== 55));
    const [, second = 0, third = 0] = rowsOf(await review.untilThreads(({ length }) => length === 60));
    assert(Math.min(second, third) > 30, `rows ${second} and ${third}`);
  });
});
