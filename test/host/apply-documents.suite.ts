// Every kind of document that VS Code can show: a patch is applied to it, or refused with a reason.
import { strict as assert } from "node:assert";
import { chmod } from "node:fs/promises";
import * as vscode from "vscode";
import { PatchError } from "../../src/core/patch/patch-error.ts";
import {
  applyPatch,
  closeAll,
  discard,
  onDisk,
  open,
  patchOf,
  plan,
  put,
  show,
  testWorkspace,
  textOf,
  uriOf,
} from "./support/files.ts";

const edit = (path: string) => patchOf(`*** Update File: ${path}`, "@@", " one", "-two", "+zwei", " three");
const text = "one\ntwo\nthree\n";

async function refusal(patch: string): Promise<string> {
  const answer = await applyPatch(patch).catch((error: unknown) => error);
  assert(answer instanceof PatchError, `not refused: ${JSON.stringify(answer)}`);
  return answer.message;
}

describe("a document", () => {
  afterEach(async () => {
    for (const { uri, isDirty } of vscode.workspace.textDocuments)
      if (isDirty && uri.scheme === "file") await discard(vscode.workspace.asRelativePath(uri));
    await closeAll();
  });

  it("that is open in a diff is changed like any other", async () => {
    await put("kinds/left.txt", text);
    await put("kinds/right.txt", text);
    await vscode.commands.executeCommand("vscode.diff", uriOf("kinds/left.txt"), uriOf("kinds/right.txt"));
    assert.deepEqual(await applyPatch(edit("kinds/right.txt")), { outcome: "applied" });
    assert.equal(await textOf("kinds/right.txt"), "one\nzwei\nthree\n");
    assert.equal(await textOf("kinds/left.txt"), text);
  });

  it("that is not saved under a name is none that a patch could mean", async () => {
    const untitled = await vscode.workspace.openTextDocument({ content: text });
    assert.match(await refusal(edit(untitled.uri.path)), /Untitled-1/);
    assert.equal(untitled.getText(), text);
  });

  it("that is read-only on disk is refused with the reason", async () => {
    const uri = await put("kinds/fixed.txt", text);
    await chmod(uri.fsPath, 0o444);
    // Root may write anything; then the file says nothing of itself.
    if (process.getuid?.() === 0)
      assert.deepEqual(await applyPatch(edit("kinds/fixed.txt")), { outcome: "applied" });
    else assert.match(await refusal(edit("kinds/fixed.txt")), /read-only/);
  });

  it("that is no text, or too long for one, is refused with the reason", async () => {
    await put("kinds/binary.bin", Buffer.from([0, 1, 2, 0, 255]));
    assert.match(await refusal(edit("kinds/binary.bin")), /not a text file/);
    await put("kinds/long.txt", "a\n".repeat(300_001));
    assert.match(await refusal(edit("kinds/long.txt")), /more than 300,000 lines/);
    await put("kinds/large.txt", Buffer.alloc(5_000_001, "a"));
    assert.match(await refusal(edit("kinds/large.txt")), /larger than 5 MB/);
  });

  it("that was changed on disk while it was closed is matched again, or brought back to review", async () => {
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

  it("that is gone by then brings the whole patch back to review", async () => {
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

  it("that two patches change at once is changed by one after the other", async () => {
    await put("kinds/twice.txt", `${text}four\nfive\nsix\nseven\n`);
    const workspace = testWorkspace();
    const one = await plan(edit("kinds/twice.txt"), workspace);
    const two = await plan(patchOf("*** Update File: kinds/twice.txt", "@@", "-six", "+sechs"), workspace);
    const outcomes = await Promise.all([workspace.apply(one, "one"), workspace.apply(two, "two")]);
    assert.deepEqual(outcomes, [{ outcome: "applied" }, { outcome: "applied" }]);
    assert.equal(await textOf("kinds/twice.txt"), "one\nzwei\nthree\nfour\nfive\nsechs\nseven\n");
  });

  it("that is changed by what runs on save is saved once and left so", async () => {
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
});
