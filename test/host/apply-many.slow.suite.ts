// Patches on several files: one step, or none of it, whatever fails and wherever.

import { strict as assert } from "node:assert";
import { mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { message } from "../../src/conversation/messages.ts";
import { createReadOnlyDocuments } from "../../src/editor/ui/documents.ts";
import { createConfirmProtected } from "../../src/editor/workspace/protected-files.ts";
import { createWorkspace } from "../../src/editor/workspace/workspace.ts";
import {
  applyPatch,
  beforeFiles,
  leaveNothing,
  onDisk,
  patchOf,
  plan,
  put,
  refusedFor,
  show,
  testWorkspace,
  textOf,
  tree,
  type,
  undoIn,
  uriOf,
} from "./support/files.ts";

const everything = (folder: string) =>
  patchOf(
    `*** Update File: ${folder}/edited.txt`,
    "@@",
    "-one",
    "+eins",
    `*** Delete File: ${folder}/deleted.txt`,
    `*** Update File: ${folder}/moved.txt`,
    `*** Move to: ${folder}/deep/er/moved.txt`,
    `*** Update File: ${folder}/moved-and-edited.txt`,
    `*** Move to: ${folder}/arrived.txt`,
    "@@",
    "-three",
    "+drei",
    `*** Add File: ${folder}/new/added.txt`,
    "+added",
    `*** Update File: ${folder}/last.txt`,
    "@@",
    "-last",
    "+letzte",
  );

async function prepare(folder: string): Promise<void> {
  await put(`${folder}/edited.txt`, "\uFEFFone\r\ntwo\r\n");
  await put(`${folder}/deleted.txt`, Buffer.from("\uFEFFdeleted\n", "utf16le"));
  await put(`${folder}/moved.txt`, "moved\n");
  await put(`${folder}/moved-and-edited.txt`, "three\nfour\n");
  await put(`${folder}/last.txt`, "last");
}

/** Texts as they are in the editor, bytes as they are on disk. */
async function state(folder: string) {
  const disk = await tree(folder);
  const texts: Record<string, string> = {};
  for (const [path, bytes] of Object.entries(disk)) if (bytes !== "folder") texts[path] = await textOf(path);
  return { disk, texts };
}

/** What somebody else does at the worst moment, so that one step fails although all was in order just before. */
const sabotages: Readonly<Record<string, readonly [path: string, content: string | undefined]>> = {
  "the deletion": ["deleted.txt", undefined],
  "the first move": ["deep/er/moved.txt", "somebody else's\n"],
  "the second move": ["arrived.txt", "somebody else's\n"],
  "the first new file": ["new/added.txt", "somebody else's\n"],
};

describe("a patch on several files", () => {
  afterEach(leaveNothing);

  it("edits, deletes, moves and adds files in one step that one Undo reverts (row 91)", async () => {
    await prepare("all");
    const before = await tree("all");
    await show("all/edited.txt");
    assert.deepEqual(await applyPatch(everything("all")), { outcome: "applied" });
    assert.deepEqual((await state("all")).texts, {
      "all/arrived.txt": "drei\nfour\n",
      "all/deep/er/moved.txt": "moved\n",
      "all/edited.txt": "eins\r\ntwo\r\n",
      "all/last.txt": "letzte",
      "all/new/added.txt": "added\n",
    });
    await undoIn("all/edited.txt");
    await vscode.workspace.saveAll();
    const files = Object.entries(await tree("all")).filter(([, bytes]) => bytes !== "folder");
    assert.deepEqual(Object.fromEntries(files), before);
  });

  it("changes more files than VS Code keeps open, and one Undo reverts all of them", async () => {
    const names = Array.from({ length: 60 }, (_, at) => `crowd/${at}.txt`);
    for (const name of names) await put(name, "one\n");
    const patch = patchOf(...names.flatMap((name) => [`*** Update File: ${name}`, "@@", "-one", "+two"]));
    assert.deepEqual(await applyPatch(patch), { outcome: "applied" });
    const texts = async () => {
      const found = new Set<string>();
      for (const name of names) found.add(await textOf(name));
      return [...found];
    };
    assert.deepEqual(await texts(), ["two\n"]);
    await undoIn("crowd/0.txt");
    assert.deepEqual(await texts(), ["one\n"]);
  });

  it("saves its files concurrently, even more of them than VS Code keeps open", async () => {
    const names = Array.from({ length: 60 }, (_, at) => `saved/${at}.txt`);
    for (const name of names) await put(name, "one\n");
    const patch = patchOf(...names.flatMap((name) => [`*** Update File: ${name}`, "@@", "-one", "+two"]));
    // Whatever runs on save of the first waits until that of a second has begun.
    let begun = 0;
    let second = () => {};
    const another = new Promise<void>((resolve) => {
      second = resolve;
    });
    const begunAtFirst: number[] = [];
    const listening = vscode.Disposable.from(
      vscode.workspace.onWillSaveTextDocument((event) => {
        begun += 1;
        if (begun === 1) event.waitUntil(another);
        else second();
      }),
      vscode.workspace.onDidSaveTextDocument(() => begunAtFirst.push(begun)),
    );
    assert.deepEqual(await applyPatch(patch, testWorkspace({ savesAfterApply: () => true })), {
      outcome: "applied",
    });
    listening.dispose();
    assert((begunAtFirst[0] ?? 0) > 1, "one after the other");
    assert.deepEqual([...new Set(await Promise.all(names.map(onDisk)))], ["two\n"]);
    assert.deepEqual(
      vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty),
      [],
    );
  });

  it("moves a file and creates another under the freed name in one step", async () => {
    await prepare("reuse");
    const patch = patchOf(
      "*** Update File: reuse/moved.txt",
      "*** Move to: reuse/elsewhere.txt",
      "*** Add File: reuse/moved.txt",
      "+in the place of the moved one",
    );
    assert.deepEqual(await applyPatch(patch), { outcome: "applied" });
    assert.equal(await onDisk("reuse/moved.txt"), "in the place of the moved one\n");
    assert.equal(await onDisk("reuse/elsewhere.txt"), "moved\n");
  });

  for (const [step, [path, content]] of Object.entries(sabotages))
    it(`restores every file when ${step} fails (row 90)`, async () => {
      const folder = `fail-${step.replaceAll(" ", "-")}`;
      await prepare(folder);
      const { texts, disk } = await state(folder);
      const trap = beforeFiles(async () => {
        if (content === undefined) await vscode.workspace.fs.delete(uriOf(`${folder}/${path}`));
        else await put(`${folder}/${path}`, content);
      });
      const { outcome } = await applyPatch(everything(folder));
      trap.dispose();
      assert.notEqual(outcome, "applied");
      const after = await state(folder);
      const butTheirs = (files: Record<string, string>) => {
        const { [`${folder}/${path}`]: _, ...others } = files;
        return Object.fromEntries(Object.entries(others).filter(([, bytes]) => bytes !== "folder"));
      };
      assert.deepEqual(butTheirs(after.texts), butTheirs(texts));
      assert.deepEqual(butTheirs(after.disk), butTheirs(disk));
      assert.equal(await onDisk(`${folder}/${path}`), content ?? disk[`${folder}/${path}`]);
    });

  it("changes nothing when one of its files was edited meanwhile", async () => {
    await prepare("typed");
    const { texts } = await state("typed");
    const workspace = testWorkspace();
    const changes = await plan(everything("typed"), workspace);
    await type("typed/last.txt", 0, "typed ");
    assert.deepEqual(await workspace.apply(changes, "test"), { outcome: "stale" });
    assert.deepEqual((await state("typed")).texts, { ...texts, "typed/last.txt": "typed last" });
  });

  it("refuses to delete a file with unsaved changes", async () => {
    await put("unsaved.txt", "one\n");
    await type("unsaved.txt", 0, "typed\n");
    const why = message("editsUnsaved", { name: "unsaved.txt" });
    const applied = await applyPatch(patchOf("*** Delete File: unsaved.txt"));
    assert.deepEqual(applied, refusedFor("unsaved.txt", why));
    assert.equal(await textOf("unsaved.txt"), "typed\none\n");
  });

  it("asks about sensitive files by their real paths and changes nothing when declined", async () => {
    await vscode.workspace.fs.createDirectory(uriOf("real/.vscode"));
    await put("real/.vscode/tasks.json", "{}\n");
    await symlink(uriOf("real/.vscode").fsPath, uriOf("innocent").fsPath);
    const asked: string[] = [];
    const refusing = testWorkspace({
      async agree(changes) {
        asked.push(...changes.map(({ permission }) => permission.real));
        return false;
      },
    });
    const patch = patchOf("*** Update File: innocent/tasks.json", "@@", "-{}", '+{"tasks":[]}');
    assert.deepEqual(await applyPatch(patch, refusing), { outcome: "declined" });
    assert.deepEqual(asked, ["real/.vscode/tasks.json"]);
    assert.equal(await textOf("innocent/tasks.json"), "{}\n");
  });

  it("treats a native dialog that cannot be shown as declined", async () => {
    await put("native/.npmrc", "a=1\n");
    const patch = patchOf("*** Update File: native/.npmrc", "@@", "-a=1", "+a=2");
    const documents = createReadOnlyDocuments();
    const workspace = createWorkspace(vscode.Uri.file("/nowhere/of/ours"), {
      agree: createConfirmProtected(documents),
    });
    const { outcome } = await applyPatch(patch, workspace);
    documents.dispose();
    assert.equal(outcome, "declined");
    assert.equal(await textOf("native/.npmrc"), "a=1\n");
  });

  it("writes nothing through a folder that became a link out of the workspace (row 101)", async () => {
    const outside = await mkdtemp(join(tmpdir(), "patchbay-outside-"));
    await vscode.workspace.fs.createDirectory(uriOf("swapped"));
    const workspace = testWorkspace();
    const changes = await plan(patchOf("*** Add File: swapped/new.txt", "+new"), workspace);
    await vscode.workspace.fs.delete(uriOf("swapped"), { recursive: true });
    await symlink(outside, uriOf("swapped").fsPath);
    assert.deepEqual(await workspace.apply(changes, "test"), { outcome: "stale" });
    assert.deepEqual(await readdir(outside), []);
    await rm(outside, { recursive: true });
  });
});
