// Every kind of document that VS Code can show: a patch is applied to it, or refused with a reason.

import { strict as assert } from "node:assert";
import { chmod } from "node:fs/promises";
import * as vscode from "vscode";
import { message } from "../../src/conversation/messages.ts";
import { PatchError } from "../../src/patch/patch-error.ts";
import {
  applyPatch,
  closeAll,
  leaveNothing,
  onDisk,
  open,
  patchOf,
  plan,
  put,
  refusedFor,
  show,
  testWorkspace,
  textOf,
  uriOf,
} from "./support/files.ts";
import { activeTab } from "./support/heard.ts";

const edit = (path: string) => patchOf(`*** Update File: ${path}`, "@@", " one", "-two", "+zwei", " three");
const text = "one\ntwo\nthree\n";

async function refusal(patch: string): Promise<string> {
  const answer = await applyPatch(patch).catch((error: unknown) => error);
  assert(answer instanceof PatchError, `not refused: ${JSON.stringify(answer)}`);
  return answer.message;
}

describe("a patch on a document", () => {
  afterEach(leaveNothing);

  it("changes a document that is open in a diff (row 98)", async () => {
    await put("kinds/left.txt", text);
    await put("kinds/right.txt", text);
    await vscode.commands.executeCommand("vscode.diff", uriOf("kinds/left.txt"), uriOf("kinds/right.txt"));
    assert.deepEqual(await applyPatch(edit("kinds/right.txt")), { outcome: "applied" });
    assert.equal(await textOf("kinds/right.txt"), "one\nzwei\nthree\n");
    assert.equal(await textOf("kinds/left.txt"), text);
  });

  it("refuses an untitled document (row 98)", async () => {
    const untitled = await vscode.workspace.openTextDocument({ content: text });
    assert.match(await refusal(edit(untitled.uri.path)), /Untitled-1/);
    assert.equal(untitled.getText(), text);
  });

  it("refuses a document that is read-only on disk, with the reason (row 95)", async () => {
    const uri = await put("kinds/fixed.txt", text);
    await chmod(uri.fsPath, 0o444);
    // Root may write anything; then the file says nothing of itself.
    if (process.getuid?.() === 0)
      assert.deepEqual(await applyPatch(edit("kinds/fixed.txt")), { outcome: "applied" });
    else assert.match(await refusal(edit("kinds/fixed.txt")), /read-only/);
  });

  it("refuses a binary, too long or too large file, with the reason (row 96)", async () => {
    await put("kinds/binary.bin", Buffer.from([0, 1, 2, 0, 255]));
    assert.match(await refusal(edit("kinds/binary.bin")), /not a text file/);
    await put("kinds/long.txt", "a\n".repeat(300_001));
    assert.match(await refusal(edit("kinds/long.txt")), /more than 300,000 lines/);
    await put("kinds/large.txt", Buffer.alloc(5_000_001, "a"));
    assert.match(await refusal(edit("kinds/large.txt")), /larger than 5 MB/);
  });

  it("matches a closed file that changed on disk again, or is stale (row 88)", async () => {
    await put("kinds/disk.txt", `${text}four\nfive\nsix\n`);
    const workspace = testWorkspace();
    const changes = await plan(edit("kinds/disk.txt"), workspace);
    await put("kinds/disk.txt", `${text}four\nfive\nsix\nseven\n`);
    assert.deepEqual(await workspace.apply(changes, "test"), { outcome: "applied" });
    assert.equal(await textOf("kinds/disk.txt"), "one\nzwei\nthree\nfour\nfive\nsix\nseven\n");
    await put("kinds/other.txt", text);
    const planned = await plan(edit("kinds/other.txt"), workspace);
    await put("kinds/other.txt", "all new\n");
    assert.deepEqual(await workspace.apply(planned, "test"), { outcome: "stale" });
    assert.equal(await onDisk("kinds/other.txt"), "all new\n");
  });

  it("is stale as a whole when one of its files was deleted (row 102)", async () => {
    await put("kinds/gone.txt", text);
    await put("kinds/stays.txt", text);
    const workspace = testWorkspace();
    const both = patchOf(
      ...["*** Update File: kinds/stays.txt", "@@", "-two", "+zwei"],
      ...["*** Update File: kinds/gone.txt", "@@", "-two", "+zwei"],
    );
    const changes = await plan(both, workspace);
    await vscode.workspace.fs.delete(uriOf("kinds/gone.txt"));
    assert.deepEqual(await workspace.apply(changes, "test"), { outcome: "stale" });
    assert.equal(await textOf("kinds/stays.txt"), text);
  });

  it("applies in turn with a concurrent patch on the same document (row 99)", async () => {
    await put("kinds/twice.txt", `${text}four\nfive\nsix\nseven\n`);
    const workspace = testWorkspace();
    const one = await plan(edit("kinds/twice.txt"), workspace);
    const two = await plan(patchOf("*** Update File: kinds/twice.txt", "@@", "-six", "+sechs"), workspace);
    const outcomes = await Promise.all([workspace.apply(one, "one"), workspace.apply(two, "two")]);
    assert.deepEqual(outcomes, [{ outcome: "applied" }, { outcome: "applied" }]);
    assert.equal(await textOf("kinds/twice.txt"), "one\nzwei\nthree\nfour\nfive\nsechs\nseven\n");
  });

  it("keeps what the editor changes on save and leaves the document clean (row 100)", async () => {
    const files = vscode.workspace.getConfiguration("files");
    const set = (on?: boolean) =>
      files.update("trimTrailingWhitespace", on, vscode.ConfigurationTarget.Workspace);
    await set(true);
    try {
      await put("kinds/trimmed.txt", "one  \ntwo\nthree\n");
      await show("kinds/trimmed.txt");
      const saving = testWorkspace({ savesAfterApply: () => true });
      const patch = patchOf("*** Update File: kinds/trimmed.txt", "@@", "-two", "+zwei");
      assert.deepEqual(await applyPatch(patch, saving), { outcome: "applied" });
      assert.equal(await onDisk("kinds/trimmed.txt"), "one\nzwei\nthree\n");
      assert.equal((await open("kinds/trimmed.txt")).isDirty, false);
    } finally {
      await set();
    }
  });

  it("refuses to overwrite an existing file with a new or moved one (row 94)", async () => {
    await put("kinds/there.txt", "theirs\n");
    await put("kinds/moving.txt", text);
    assert.match(await refusal(patchOf("*** Add File: kinds/there.txt", "+new")), /there\.txt/);
    assert.match(await refusal(patchOf("*** Add File: kinds/THERE.txt", "+new")), /there\.txt/);
    const move = ["*** Update File: kinds/moving.txt", "*** Move to: kinds/there.txt"];
    assert.match(await refusal(patchOf(...move)), /there\.txt/);
    assert.equal(await onDisk("kinds/there.txt"), "theirs\n");
    assert.equal(await onDisk("kinds/moving.txt"), text);
  });

  it("changes a document that another extension's editor shows as text (row 98)", async () => {
    const uri = await put("kinds/shown.test-text", text);
    await vscode.commands.executeCommand("vscode.openWith", uri, "test.text");
    assert.deepEqual(await applyPatch(edit("kinds/shown.test-text")), { outcome: "applied" });
    assert.equal(await textOf("kinds/shown.test-text"), "one\nzwei\nthree\n");
  });

  it("refuses a document with unsaved changes in another extension's own editor (row 98)", async () => {
    const uri = await put("kinds/own.test-own", text);
    await vscode.commands.executeCommand("vscode.openWith", uri, "test.own");
    const tools = vscode.extensions.getExtension<{ touch(): Promise<void> }>("test.tools");
    await (await tools?.activate())?.touch();
    await activeTab(({ isDirty }) => isDirty);
    const why = message("editsOwnEditor", { name: "kinds/own.test-own" });
    assert.deepEqual(await applyPatch(edit("kinds/own.test-own")), refusedFor("kinds/own.test-own", why));
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await activeTab(({ isDirty }) => !isDirty);
    assert.deepEqual(await applyPatch(edit("kinds/own.test-own")), { outcome: "applied" });
  });

  it("refuses a notebook file as text (row 98)", async () => {
    const empty = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 });
    await put("kinds/cells.ipynb", empty);
    const change = ["*** Update File: kinds/cells.ipynb", "@@", `-${empty}`, "+{}"];
    assert.match(await refusal(patchOf(...change)), /notebook/);
    assert.equal(await onDisk("kinds/cells.ipynb"), empty);
  });

  it("changes a settings file only after a native confirmation (row 98)", async () => {
    await put("kinds/.vscode/settings.json", '{ "a": 1 }\n');
    await show("kinds/.vscode/settings.json");
    const patch = patchOf("*** Update File: kinds/.vscode/settings.json", "@@", '-{ "a": 1 }', '+{ "a": 2 }');
    const asked: (readonly string[])[] = [];
    const answering = (yes: boolean) =>
      testWorkspace({
        async agree(changes) {
          asked.push(...changes.map(({ permission }) => [permission.verdict, permission.real]));
          return yes;
        },
      });
    assert.equal((await applyPatch(patch, answering(false))).outcome, "declined");
    assert.equal(await textOf("kinds/.vscode/settings.json"), '{ "a": 1 }\n');
    assert.equal((await applyPatch(patch, answering(true))).outcome, "applied");
    assert.equal(await textOf("kinds/.vscode/settings.json"), '{ "a": 2 }\n');
    assert.deepEqual(asked, Array(2).fill(["confirm", "kinds/.vscode/settings.json"]));
  });

  it("changes a document whose editor closes while the patch is applied (row 102)", async () => {
    await put("kinds/closed.txt", text);
    await show("kinds/closed.txt");
    const workspace = testWorkspace();
    const changes = await plan(edit("kinds/closed.txt"), workspace);
    const applying = workspace.apply(changes, "test");
    await Promise.all([closeAll(), applying]);
    assert.deepEqual(await applying, { outcome: "applied" });
    assert.equal(await textOf("kinds/closed.txt"), "one\nzwei\nthree\n");
  });

  it("is stale when its file was renamed, and creates no file under the old name (row 102)", async () => {
    await put("kinds/before.txt", text);
    const workspace = testWorkspace();
    const changes = await plan(edit("kinds/before.txt"), workspace);
    await vscode.workspace.fs.rename(uriOf("kinds/before.txt"), uriOf("kinds/renamed.txt"));
    assert.deepEqual(await workspace.apply(changes, "test"), { outcome: "stale" });
    assert.equal(await onDisk("kinds/before.txt"), undefined);
    assert.equal(await onDisk("kinds/renamed.txt"), text);
  });
});
