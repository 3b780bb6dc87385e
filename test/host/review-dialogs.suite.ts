// What a review asks through the editor's own windows: a reason, the Refactor Preview, a file's name; and the notice
// while a patch still arrives, which can stop it.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import {
  createLeftEdits,
  createRevertCommands,
} from "../../src/editor/review/internal/accepted-edits-commands.ts";
import { createStreamingPreview } from "../../src/editor/review/internal/streaming-preview.ts";
import { text as reply } from "../sim/script.ts";
import { onDisk, patchOf, put, textOf, type, uriOf } from "./support/files.ts";
import { activeEditor } from "./support/heard.ts";
import { enter, leave, until } from "./support/impatient.ts";
import { reviewForEach } from "./support/review-fixture.ts";

const text = "one\ntwo\nthree\n";
const edit = (path: string) => [`*** Update File: ${path}`, "@@", " one", "-two", "+zwei", " three"];

describe("the dialogs of a review", () => {
  const review = reviewForEach();

  it("reject with a reason on Enter, and change nothing on Escape", async () => {
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

  it("send the reason of a rejection as a prompt, and show it in the row of the change", async () => {
    await put("dialogs/feedback.txt", text);
    const { call } = await review.propose(patchOf(...edit("dialogs/feedback.txt")));
    const { showInputBox } = vscode.window;
    Object.assign(vscode.window, { showInputBox: async () => " Keep the old name. " });
    review.sim.reply(reply("As you wish."));
    try {
      await review.commands["patchbay.review.rejectWithReason"](undefined);
    } finally {
      Object.assign(vscode.window, { showInputBox });
    }
    const { turns } = review.session.state;
    assert.equal(turns.at(-1)?.prompt, "Keep the old name.");
    assert.match(JSON.stringify(review.sim.requests.at(-1)?.body), /was rejected by the user/);
    const row = turns[0]?.parts.find((part) => part.type === "patch" && part.call === call);
    assert.deepEqual(row?.type === "patch" && row.message, {
      code: "patchFeedback",
      args: { words: "Keep the old name." },
    });
  });

  it("reject a conflict with a reason from the row of its file", async () => {
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

  it("leave everything undecided when the Refactor Preview is discarded or applied unticked", async () => {
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

  it("preview a file as it is now, also where an earlier preview was discarded", async () => {
    const path = "dialogs/again.txt";
    await put(path, text);
    await review.propose(patchOf(...edit(path)));
    const { applyEdit } = vscode.workspace;
    const preview = () => review.commands["patchbay.review.refactorPreview"](undefined);
    try {
      Object.assign(vscode.workspace, { applyEdit: async () => false });
      await preview();
      Object.assign(vscode.workspace, { applyEdit });
      await type(path, 0, "zero\n");
      await review.until(() => {
        const { change } = review.file(path);
        return change.kind === "update" && change.base.text.startsWith("zero");
      });
      // A person ticks everything.
      const tickAll = (shown: vscode.WorkspaceEdit) => {
        const ticked = new vscode.WorkspaceEdit();
        for (const [uri, edits] of shown.entries()) ticked.set(uri, edits);
        return applyEdit.call(vscode.workspace, ticked);
      };
      Object.assign(vscode.workspace, { applyEdit: tickAll });
      await preview();
    } finally {
      Object.assign(vscode.workspace, { applyEdit });
    }
    assert.equal(review.desk.waiting, 0);
    assert.equal(await textOf(path), "zero\none\nzwei\nthree\n");
  });

  it("export the patch of a turn under the confirmed file name", async () => {
    await put("dialogs/exported.txt", text);
    await review.propose(patchOf(...edit("dialogs/exported.txt")));
    await review.commands["patchbay.review.acceptAll"](undefined);
    const { "patchbay.review.exportPatch": exportPatch } = createRevertCommands({
      session: () => review.session,
      folders: () => [],
      left: createLeftEdits(review.documents, () => []),
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

  it("report an arriving patch while the chat is hidden, and stop it by button", async () => {
    await put("dialogs/arriving.txt", text);
    let stopped = false;
    const arriving = createStreamingPreview({
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
