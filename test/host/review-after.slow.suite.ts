// After a patch was applied: taken back exactly, around what was typed since; what was typed into stays.
import { strict as assert } from "node:assert";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { printPatch } from "../../src/patch/print-patch.ts";
import { onDisk, open, patchOf, put, textOf, type, undoIn, uriOf } from "./support/files.ts";
import { heard } from "./support/heard.ts";
import { reviewForEach } from "./support/review-fixture.ts";

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");

describe("an applied patch", () => {
  const review = reviewForEach();

  /** Answers the call by which the patch is known. */
  async function applied(patch: string): Promise<string> {
    const { call } = await review.propose(patch);
    const { set } = review.file();
    const hunks = review.desk.files.flatMap(({ pending }) => pending.hunks.map(({ id }) => id));
    assert.equal(await review.desk.accept({ set, hunks }), true);
    assert.equal(isApplied(call), true);
    return call;
  }

  const isApplied = (call: string) => [...review.changes.statusesOf(call).values()].includes("applied");
  const takeBack = (call: string) => review.changes.undo([call]);
  /** What is not taken back, and why. */
  async function leftOf(call: string): Promise<(readonly [string, string])[]> {
    const turned = await takeBack(call);
    assert(turned.outcome === "done");
    return turned.left.map(({ path, why }) => [path, why.code]);
  }

  const edit = (path: string) => patchOf(`*** Update File: ${path}`, "@@", " one", "-two", "+zwei", " three");

  it("is undone completely: edited, deleted, moved and added files with their exact bytes", async () => {
    await put("after/edited.txt", "one\r\ntwo\r\nthree\r\n");
    await put("after/deleted.txt", utf16("deleted\r\n"));
    await put("after/moved.txt", "moved");
    const call = await applied(
      patchOf(
        ...["*** Update File: after/edited.txt", "@@", " one", "-two", "+zwei", " three"],
        "*** Delete File: after/deleted.txt",
        ...["*** Update File: after/moved.txt", "*** Move to: after/elsewhere.txt"],
        ...["*** Add File: after/added.txt", "+added"],
      ),
    );
    assert.equal(await onDisk("after/deleted.txt"), undefined);
    await takeBack(call);
    assert.equal(await textOf("after/edited.txt"), "one\r\ntwo\r\nthree\r\n");
    assert.equal(await onDisk("after/deleted.txt"), utf16("deleted\r\n").toString("latin1"));
    assert.equal(await onDisk("after/moved.txt"), "moved");
    assert.equal(await onDisk("after/elsewhere.txt"), undefined);
    assert.equal(await onDisk("after/added.txt"), undefined);
    assert.equal(isApplied(call), false);
  });

  it("is undone around text that was typed since (row 92)", async () => {
    await put("after/typed.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
    const call = await applied(edit("after/typed.txt"));
    await type("after/typed.txt", 6, "typed\n");
    await takeBack(call);
    assert.equal(await textOf("after/typed.txt"), "one\ntwo\nthree\nfour\nfive\nsix\ntyped\nseven\n");
  });

  it("keeps lines that were edited since, together with those edits (row 92)", async () => {
    await put("after/changed.txt", "one\ntwo\nthree\n");
    const call = await applied(edit("after/changed.txt"));
    await type("after/changed.txt", 1, "typed ");
    assert.deepEqual(await leftOf(call), [["after/changed.txt", "editsTouched"]]);
    assert.equal(await textOf("after/changed.txt"), "one\ntyped zwei\nthree\n");
  });

  it("shows the errors it introduced, including those of a new file, and reports them to the model", async () => {
    await put("after/wrong.txt", "one\ntwo\nthree\n");
    const document = await open("after/wrong.txt");
    await vscode.window.showTextDocument(document);
    const collection = vscode.languages.createDiagnosticCollection("after");
    const error = (line: number, words: string) =>
      new vscode.Diagnostic(new vscode.Range(line, 0, line, 1), words, vscode.DiagnosticSeverity.Error);
    try {
      collection.set(document.uri, [error(0, "old")]);
      const { errors } = review.session.patches;
      const call = await applied(
        patchOf(
          ...["*** Update File: after/wrong.txt", "@@", " one", "-two", "+zwei", " three"],
          ...["*** Add File: after/new.txt", "+four"],
        ),
      );
      collection.set(document.uri, [error(2, "old"), error(1, "zwei is no number")]);
      collection.set(uriOf("after/new.txt"), [error(0, "four is no number")]);
      const lists = (...words: readonly string[]) =>
        heard(() => {
          const listed = errors.list.map((each) => [each.call, each.errors.map(({ text }) => text)]);
          return isDeepStrictEqual(listed, [[call, words]]) || undefined;
        }, errors.onDidChange);
      await lists("zwei is no number", "four is no number");
      assert.match(await review.news(), /zwei is no number/);
      collection.set(document.uri, [error(1, "zwei is no number"), error(0, "a late one")]);
      collection.delete(uriOf("after/new.txt"));
      await lists("zwei is no number");
    } finally {
      collection.dispose();
    }
  });

  it("keeps an added file that was edited since", async () => {
    const call = await applied(patchOf("*** Add File: after/grown.txt", "+added"));
    await type("after/grown.txt", 0, "typed\n");
    await (await open("after/grown.txt")).save();
    assert.deepEqual(await leftOf(call), [["after/grown.txt", "editsGrown"]]);
    assert.equal(await onDisk("after/grown.txt"), "typed\nadded\n");
  });

  it("is not undone twice after the editor's own Undo", async () => {
    await put("after/undone.txt", "one\ntwo\nthree\n");
    const call = await applied(edit("after/undone.txt"));
    await undoIn("after/undone.txt");
    await takeBack(call);
    assert.equal(await textOf("after/undone.txt"), "one\ntwo\nthree\n");
  });

  it("counts as undone after the editor's own Undo, and as applied after Redo", async () => {
    await put("after/one.txt", "one\ntwo\nthree\n");
    await put("after/here.txt", "here\n");
    await put("after/gone.txt", "gone\n");
    const call = await applied(
      patchOf(
        ...["*** Update File: after/one.txt", "@@", " one", "-two", "+zwei", " three"],
        ...["*** Update File: after/here.txt", "*** Move to: after/there.txt"],
        ...["*** Add File: after/fresh.txt", "+fresh", "*** Delete File: after/gone.txt"],
      ),
    );
    const becomes = (status: string) =>
      new Promise<void>((resolve) => {
        const listening = review.session.onEvent((event) => {
          if (event.type !== "patch-state" || event.call !== call || event.status !== status) return;
          listening.dispose();
          resolve();
        });
      });
    const undone = becomes("undone");
    await undoIn("after/one.txt");
    await undone;
    assert.equal(await onDisk("after/fresh.txt"), undefined);
    assert.equal(isApplied(call), false);
    const again = becomes("applied");
    await undoIn("after/one.txt", "redo");
    await again;
    assert.equal(await onDisk("after/fresh.txt"), "fresh\n");
    assert.equal(isApplied(call), true);
  });

  it("leaves other files unchanged when it is undone (row 93)", async () => {
    await put("after/own.txt", "one\ntwo\nthree\n");
    await put("after/foreign.txt", "foreign\n");
    const call = await applied(edit("after/own.txt"));
    await put("after/untracked.txt", "mine\n");
    await put("after/foreign.txt", "changed by somebody\n");
    await takeBack(call);
    assert.equal(await onDisk("after/untracked.txt"), "mine\n");
    assert.equal(await onDisk("after/foreign.txt"), "changed by somebody\n");
  });

  it("is undone from its record on disk when its conversation is reopened", async () => {
    await put("after/later.txt", "one\r\ntwo\r\nthree\r\n");
    const call = await applied(edit("after/later.txt"));
    const { id } = review.session.state;
    await review.newConversation();
    assert.equal(isApplied(call), false);
    await review.open(id);
    await review.changes.refresh();
    await takeBack(call);
    assert.equal(await textOf("after/later.txt"), "one\r\ntwo\r\nthree\r\n");
    assert.equal(isApplied(call), false);
  });

  it("is exported as a patch that applies again", async () => {
    await put("after/kept.txt", "one\ntwo\nthree\n");
    const call = await applied(edit("after/kept.txt"));
    const text = printPatch(await review.changes.changesOf(call), ({ path }) => path);
    await takeBack(call);
    await applied(text);
    assert.equal(await textOf("after/kept.txt"), "one\nzwei\nthree\n");
  });
});
