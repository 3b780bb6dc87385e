// What is open in the editor after many files were accepted, and after they were taken back: what was open before.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { discard, onDisk, patchOf, put, show, type } from "./support/files.ts";
import { heard } from "./support/heard.ts";
import { reviewForEach } from "./support/review-fixture.ts";

const count = 60;
const text = "one\ntwo\nthree\n";
const after = "one\nzwei\nthree\n";

describe("accepting many files", function () {
  this.timeout(240_000);
  const review = reviewForEach();

  const tabs = () =>
    vscode.window.tabGroups.all.flatMap((group) =>
      group.tabs.flatMap(({ input }) =>
        input instanceof vscode.TabInputText ? [vscode.workspace.asRelativePath(input.uri)] : [],
      ),
    );

  /** VS Code shows what stays unsaved after a while, and all of it at once: it has done so when it shows this one. */
  async function shownByItself(): Promise<void> {
    const path = "tabs/unsaved.txt";
    await put(path, text);
    await type(path, 0, "typed\n");
    await heard(() => tabs().includes(path) || undefined, vscode.window.tabGroups.onDidChangeTabs);
    await discard(path);
    const own = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(own.filter(({ label }) => label === "unsaved.txt"));
  }

  it("keeps exactly the editors that were open, also after it is undone", async () => {
    const paths = Array.from({ length: count }, (_, at) => `tabs/file-${at}.txt`);
    for (const path of paths) await put(path, text);
    const own = ["tabs/file-1.txt", "tabs/file-2.txt", "tabs/mine.txt"];
    await put("tabs/mine.txt", text);
    for (const path of own) await show(path);
    await type("tabs/mine.txt", 0, "mine\n");
    const update = (path: string) => [`*** Update File: ${path}`, "@@", " one", "-two", "+zwei", " three"];
    const { call } = await review.propose(
      patchOf(...paths.flatMap(update), "*** Update File: tabs/mine.txt", "@@", "-three", "+drei"),
    );
    await review.commands["patchbay.review.acceptAll"](undefined);
    for (const path of paths) assert.equal(await onDisk(path), after, path);
    await shownByItself();
    assert.deepEqual(tabs(), own);
    assert.deepEqual(await review.changes.undo([call]), { outcome: "done", left: [] });
    for (const path of paths) assert.equal(await onDisk(path), text, path);
    await shownByItself();
    assert.deepEqual(tabs(), own);
    assert.equal(await onDisk("tabs/mine.txt"), text, "what was typed there is not saved");
  });

  it("opens no editor when none was open", async () => {
    const paths = Array.from({ length: count }, (_, at) => `none/file-${at}.txt`);
    for (const path of paths) await put(path, text);
    const update = (path: string) => [`*** Update File: ${path}`, "@@", " one", "-two", "+zwei", " three"];
    const move = [...["*** Update File: none/file-0.txt", "*** Move to: none/moved.txt"]];
    const { call } = await review.propose(
      patchOf(...move, "@@", " one", "-two", "+zwei", ...paths.slice(1).flatMap(update)),
    );
    await review.commands["patchbay.review.acceptAll"](undefined);
    await shownByItself();
    assert.deepEqual(tabs(), []);
    assert.deepEqual(await review.changes.undo([call]), { outcome: "done", left: [] });
    await shownByItself();
    assert.deepEqual(tabs(), []);
    assert.equal(await onDisk("none/file-0.txt"), text);
  });
});
