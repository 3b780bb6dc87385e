// What a review asks through the editor's own windows: a reason, the Refactor Preview, a file's name; and the notice
// while a patch still arrives, which can stop it.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { createAfterCommands } from "../../src/shell/review/after-commands.ts";
import { createArriving } from "../../src/shell/review/arriving.ts";
import { onDisk, patchOf, put, textOf, type, uriOf } from "./support/files.ts";
import { activeEditor } from "./support/heard.ts";
import { enter, leave, until } from "./support/impatient.ts";
import { reviewForEach, type TestReview } from "./support/review-desk.ts";

const text = "one\ntwo\nthree\n";
const edit = (path: string) => [`*** Update File: ${path}`, "@@", " one", "-two", "+zwei", " three"];

describe("a review that asks through the editor's own windows", function () {
  this.timeout(120_000);
  let review: TestReview;

  reviewForEach((opened) => {
    review = opened;
  });

  it("rejects for a reason once Enter is pressed, and leaves all as it was on Escape", async () => {
    await put("dialogs/reason.txt", text);
    await review.propose(patchOf(...edit("dialogs/reason.txt")));
    const reject = () => review.commands["patchbay.review.rejectWithReason"](undefined);
    await until(reject(), leave);
    assert.equal(review.desk.waiting, 1);
    await until(reject(), enter);
    assert.equal(review.desk.waiting, 0);
    assert.match(await review.news(), /rejected by the user/);
    assert.equal(await textOf("dialogs/reason.txt"), text);
  });

  it("rejects for a reason what is in conflict, from the row of its file", async () => {
    const path = "dialogs/conflict.txt";
    await put(path, text);
    await review.propose(patchOf(...edit(path)));
    await type(path, 1, "typed ");
    await review.until(() => review.file(path).pending.conflicts.length === 1);
    const node = { kind: "file", file: review.file(path) };
    await until(review.commands["patchbay.review.rejectWithReason"](node), enter);
    assert.equal(review.desk.waiting, 0);
    assert.match(await review.news(), /rejected by the user/);
  });

  it("stays as it was in the Refactor Preview where it is discarded, or applied with nothing ticked", async () => {
    await put("dialogs/preview.txt", text);
    await put("dialogs/gone.txt", text);
    await review.propose(
      patchOf(
        ...edit("dialogs/preview.txt"),
        ...["*** Add File: dialogs/new.txt", "+new"],
        "*** Delete File: dialogs/gone.txt",
      ),
    );
    for (const button of ["refactorPreview.discard", "refactorPreview.apply"]) {
      await until(review.commands["patchbay.review.refactorPreview"](undefined), button);
      assert.equal(review.desk.waiting, 3);
    }
    const paths = ["preview", "new", "gone"].map((name) => `dialogs/${name}.txt`);
    assert.deepEqual(await Promise.all(paths.map(onDisk)), [text, undefined, text]);
    await vscode.commands.executeCommand("workbench.action.closePanel");
  });

  it("keeps the patch of a turn as a file of the name that was agreed to", async () => {
    await put("dialogs/exported.txt", text);
    await review.propose(patchOf(...edit("dialogs/exported.txt")));
    await review.commands["patchbay.review.acceptAll"](undefined);
    const { "patchbay.review.exportPatch": exportPatch } = createAfterCommands({
      session: () => review.session,
      folders: () => [],
    });
    const exporting = exportPatch();
    // Which turn, and then the name.
    while (!(await onDisk("turn-1.patch"))) await vscode.commands.executeCommand(enter);
    assert.match(
      (await onDisk("turn-1.patch")) ?? "",
      /^\*\*\* Begin Patch\n\*\*\* Update File: dialogs\/exp/,
    );
    await until(exporting, "notification.acceptPrimaryAction");
    await activeEditor(({ document }) => document.uri.toString() === uriOf("turn-1.patch").toString());
  });

  it("says that a patch arrives while the chat is out of sight, and stops it by its button", async () => {
    await put("dialogs/arriving.txt", text);
    let stopped = false;
    const arriving = createArriving({
      pathOf: (uri) => vscode.workspace.asRelativePath(uri),
      isChatVisible: () => false,
      stop() {
        stopped = true;
      },
    });
    const hunk = {
      id: "dialogs/arriving.txt#1",
      status: "pending",
      added: 1,
      removed: 1,
      diff: "-two\n+zwei\n",
    };
    const file = { path: "dialogs/arriving.txt", change: "update", added: 1, removed: 1, hunks: [hunk] };
    const part = { type: "patch", id: "p", call: "", status: "arriving", files: [file] };
    const turn = { id: "1", status: "running", parts: [part] };
    arriving.update({ id: "c", turns: [turn] } as unknown as Parameters<typeof arriving.update>[0]);
    while (!stopped) await vscode.commands.executeCommand("notification.acceptPrimaryAction");
    arriving.update({ id: "c", turns: [] });
    arriving.dispose();
  });
});
