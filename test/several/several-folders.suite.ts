// A window with several folders, two of them of one name, one in memory, one that nobody can write to: paths begin with
// a folder's name, and a patch is applied everywhere, or refused with its reason.

import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { inEnglish } from "../../src/conversation/english.ts";
import type { Message } from "../../src/conversation/messages.ts";
import { distinctNames } from "../../src/editor/folders.ts";
import { createSettings } from "../../src/editor/settings/settings.ts";
import { createStartSettings } from "../../src/editor/settings/start-settings.ts";
import { guardFiles } from "../../src/files/guarded-files.ts";
import type { LocalDisk } from "../../src/files/workspace.ts";
import { PatchError } from "../../src/patch/patch-error.ts";
import { searchText } from "../../src/tools/internal/search-text.ts";
import { silentLog } from "../../src/util/log.ts";
import { applyPatch, closeAll, patchOf, plan, testWorkspace, write } from "../host/support/files.ts";
import { showEditor } from "../host/support/heard.ts";
import { openReview } from "../host/support/review-fixture.ts";
import { callContext } from "../support/call-context.ts";
import { MemoryFiles, type Step } from "./memory-files.ts";

const text = "one\ntwo\nthree\n";
const edit = (path: string) => [`*** Update File: ${path}`, "@@", " one", "-two", "+zwei", " three"];

async function refusal(patch: string): Promise<string> {
  const answer = await applyPatch(patch).catch((error: unknown) => error);
  if (answer instanceof PatchError) return answer.message;
  const { why } = answer as { why?: Message };
  return why === undefined ? JSON.stringify(answer) : inEnglish(why);
}

describe("a window with several folders", () => {
  const [memory, fixed] = [new MemoryFiles(), new MemoryFiles()];
  const registered: vscode.Disposable[] = [];

  before(() => {
    fixed.put("/fixed/a.txt", text);
    const options = { isCaseSensitive: true };
    registered.push(
      vscode.workspace.registerFileSystemProvider("test-memory", memory, options),
      vscode.workspace.registerFileSystemProvider("test-fixed", fixed, { ...options, isReadonly: true }),
    );
  });

  after(() => {
    for (const one of registered) one.dispose();
  });

  afterEach(async () => {
    await vscode.workspace.saveAll(true);
    await closeAll();
  });

  const uriOf = (folder: number, path: string) => {
    const root = vscode.workspace.workspaceFolders?.[folder]?.uri;
    assert(root !== undefined);
    return vscode.Uri.joinPath(root, path);
  };
  const put = (folder: number, path: string, content = text) =>
    vscode.workspace.fs.writeFile(uriOf(folder, path), Buffer.from(content));
  const textAt = async (folder: number, path: string) =>
    (await vscode.workspace.openTextDocument(uriOf(folder, path))).getText();
  const isThere = (folder: number, path: string) =>
    vscode.workspace.fs.stat(uriOf(folder, path)).then(
      () => true,
      () => false,
    );

  it("distinguishes folders of one name, and one Undo reverts a patch across all of them", async () => {
    assert.deepEqual(testWorkspace().folders, ["shop", "shop (2)", "memory", "fixed"]);
    for (const folder of [0, 1, 2]) await put(folder, "a.txt");
    const patch = patchOf(...edit("shop/a.txt"), ...edit("shop (2)/a.txt"), ...edit("memory/a.txt"));
    assert.deepEqual(await applyPatch(patch), { outcome: "applied" });
    for (const folder of [0, 1, 2]) assert.equal(await textAt(folder, "a.txt"), "one\nzwei\nthree\n");
    await showEditor(uriOf(1, "a.txt"));
    await vscode.commands.executeCommand("undo");
    for (const folder of [0, 1, 2]) assert.equal(await textAt(folder, "a.txt"), text);
  });

  it("gives each folder a unique name, even when another folder's name looks numbered", () => {
    const named = (...names: string[]) => distinctNames(names);
    assert.deepEqual(named("shop", "shop", "shop (2)"), ["shop", "shop (3)", "shop (2)"]);
    assert.deepEqual(named("shop (2)", "shop", "shop", "shop"), ["shop (2)", "shop", "shop (3)", "shop (4)"]);
  });

  it("shows the thread of a change in the file of its folder, and decides it there", async () => {
    const review = await openReview();
    try {
      for (const [folder, name] of ["shop", "shop (2)", "memory"].entries()) {
        await put(folder, "threads.txt");
        await showEditor(uriOf(folder, "threads.txt"));
        await review.propose(patchOf(...edit(`${name}/threads.txt`)));
        const [thread] = await review.untilThreads(({ length }) => length === 1);
        assert.equal(thread?.uri.toString(), uriOf(folder, "threads.txt").toString());
        await review.commands["patchbay.thread.accept"](thread);
        await review.untilThreads(({ length }) => length === 0);
        assert.equal(await textAt(folder, "threads.txt"), "one\nzwei\nthree\n");
      }
    } finally {
      await review.close();
    }
  });

  it("takes folder settings from the folder of the active editor", async () => {
    const of = (folder: number) => vscode.workspace.getConfiguration("patchbay", uriOf(folder, ""));
    const values = {
      "model.default": "svc-k2.6",
      "model.edit": "svc-k2.6",
      "output.maxTokens": 1000,
      "output.maxTokensForActions": 2000,
      // A folder only lowers: this would cost more than what the person has.
      "cache.ttl": "1h",
      "context.maxFileKiB": 7,
    };
    for (const [key, value] of Object.entries(values))
      await of(1).update(key, value, vscode.ConfigurationTarget.WorkspaceFolder);
    const settings = createSettings(createStartSettings(silentLog));
    const said = () => {
      const { limits, attachmentBytes } = settings.conversation();
      const { editModel, outputTokens } = settings.actions();
      const { outputTokens: most, cacheTtl } = limits;
      return [settings.defaultModel(), editModel, most, outputTokens, cacheTtl, attachmentBytes];
    };
    // No model of its own for edits: the selected one makes them.
    const byDefault = ["svc-k3", "", undefined, 16_384, undefined, 512 * 1024];
    assert.deepEqual(said(), byDefault);
    for (const folder of [0, 1]) await put(folder, "a.txt");
    await showEditor(uriOf(1, "a.txt"));
    assert.deepEqual(said(), ["svc-k2.6", "svc-k2.6", 1000, 2000, undefined, 7 * 1024]);
    await showEditor(uriOf(0, "a.txt"));
    assert.deepEqual(said(), byDefault);
    for (const key of Object.keys(values))
      await of(1).update(key, undefined, vscode.ConfigurationTarget.WorkspaceFolder);
  });

  it("refuses a path without a folder name, and moves a file from one folder to another", async () => {
    await put(0, "src/a.txt");
    assert.match(await refusal(patchOf(...edit("src/a.txt"))), /src\/a\.txt/);
    const move = ["*** Update File: shop/src/a.txt", "*** Move to: memory/from-disk.txt"];
    assert.deepEqual(await applyPatch(patchOf(...move)), { outcome: "applied" });
    assert.equal(await isThere(0, "src/a.txt"), false);
    assert.equal(memory.state["/memory/from-disk.txt"], text);
  });

  it("edits, adds, moves and deletes files in a virtual file system", async () => {
    for (const name of ["edited", "moved", "deleted"]) memory.put(`/memory/all/${name}.txt`, text);
    const patch = patchOf(
      ...edit("memory/all/edited.txt"),
      ...["*** Add File: memory/all/new/added.txt", "+added"],
      ...["*** Update File: memory/all/moved.txt", "*** Move to: memory/all/elsewhere.txt"],
      "*** Delete File: memory/all/deleted.txt",
    );
    const saving = testWorkspace({ savesAfterApply: () => true });
    assert.deepEqual(await applyPatch(patch, saving), { outcome: "applied" });
    const all = Object.entries(memory.state).filter(([path]) => path.startsWith("/memory/all/"));
    assert.deepEqual(Object.fromEntries(all), {
      "/memory/all/edited.txt": "one\nzwei\nthree\n",
      "/memory/all/new/added.txt": "added\n",
      "/memory/all/elsewhere.txt": text,
    });
  });

  for (const step of ["writeFile", "delete", "rename", "createDirectory"] as const satisfies readonly Step[])
    it(`restores every file when the file system fails at ${step}`, async () => {
      const folder = `/memory/fails-${step}`;
      for (const name of ["edited", "moved", "deleted"]) memory.put(`${folder}/${name}.txt`, text);
      const own = () => Object.entries(memory.state).filter(([path]) => path.startsWith(folder));
      const before = own();
      const workspace = testWorkspace();
      const changes = await plan(
        patchOf(
          ...edit(`${folder.slice(1)}/edited.txt`),
          ...[`*** Add File: ${folder.slice(1)}/new/added.txt`, "+added"],
          ...[`*** Update File: ${folder.slice(1)}/moved.txt`, `*** Move to: ${folder.slice(1)}/to.txt`],
          `*** Delete File: ${folder.slice(1)}/deleted.txt`,
        ),
        workspace,
      );
      memory.failing = step;
      const { outcome } = await workspace.apply(changes, "test");
      // Not every step is one that VS Code takes.
      const isTaken = memory.failing === undefined;
      memory.failing = undefined;
      if (!isTaken) return;
      assert.equal(outcome, "refused");
      assert.deepEqual(own().sort(), before.sort());
      assert.equal(await textAt(2, `fails-${step}/edited.txt`), text);
    });

  it("refuses files in a read-only file system, and locked files, with the reason", async () => {
    assert.match(await refusal(patchOf(...edit("fixed/a.txt"))), /read-only|cannot be written to/);
    assert.match(await refusal(patchOf("*** Add File: fixed/new.txt", "+new")), /cannot be written to/);
    memory.put("/memory/locked.txt", text);
    memory.locked.add("/memory/locked.txt");
    assert.match(await refusal(patchOf(...edit("memory/locked.txt"))), /read-only/);
    assert.equal(memory.state["/memory/locked.txt"], text);
  });

  it("asks about sensitive files in every folder", async () => {
    const asked: string[] = [];
    const refusing = testWorkspace({
      async agree(changes) {
        asked.push(...changes.map(({ file, permission }) => `${file.folder}: ${permission.verdict}`));
        return false;
      },
    });
    await put(1, ".vscode/settings.json", "{}\n");
    memory.put("/memory/.vscode/settings.json", "{}\n");
    for (const folder of ["shop (2)", "memory"]) {
      const change = [`*** Update File: ${folder}/.vscode/settings.json`, "@@", "-{}", '+{"a":1}'];
      const { outcome } = await applyPatch(patchOf(...change), refusing);
      assert.equal(outcome, "declined");
    }
    assert.deepEqual(asked, ["shop (2): confirm", "memory: confirm"]);
  });

  it("searches a virtual file system through the editor, with its guards and ignore files", async () => {
    const alpha = "first\nalpha in memory\n";
    for (const path of ["found.txt", ".env", "out/left.txt", "private/own.txt"])
      memory.put(`/memory/searched/${path}`, alpha);
    memory.put("/memory/.gitignore", "out/\n");
    memory.put("/memory/.patchbayignore", "private/\n");
    await put(0, "on-disk.txt", "alpha on the disk\n");
    const placed: string[] = [];
    const workspace = testWorkspace();
    assert(workspace.disk !== undefined);
    const disk: LocalDisk = {
      ...workspace.disk,
      async mayHold(place, query, take) {
        placed.push(place);
        return (await workspace.disk?.mayHold(place, query, take)) ?? false;
      },
    };
    const files = guardFiles({ ...workspace, disk }, () => ({ ignore: [], alsoIgnore: [] }));
    const { signal } = new AbortController();
    const prepared = searchText.prepare(JSON.stringify({ query: "alpha" }));
    const { output } = await prepared.run(callContext(files), signal);
    assert.deepEqual(
      output.split("\n\n").filter((block) => !block.startsWith("[")),
      ["shop/on-disk.txt\n1:alpha on the disk", "memory/searched/found.txt\n2:alpha in memory"],
    );
    const onDisk = [0, 1].map((folder) => vscode.workspace.workspaceFolders?.[folder]?.uri.fsPath);
    assert.deepEqual(placed, onDisk);
  });

  it("keeps a review whose folder leaves the window, and restores it when the folder returns", async () => {
    const review = await openReview();
    const place = 2;
    const left = vscode.workspace.workspaceFolders?.[place];
    assert(left !== undefined);
    const change = async (remove: number, ...add: { uri: vscode.Uri; name: string }[]) => {
      // The list is another one at once; the next change has to wait until VS Code has made this one.
      const changed = new Promise<void>((resolve) => {
        const listening = vscode.workspace.onDidChangeWorkspaceFolders(() => {
          listening.dispose();
          resolve();
        });
      });
      assert(vscode.workspace.updateWorkspaceFolders(place, remove, ...add));
      await changed;
    };
    try {
      await put(place, "leaving.txt");
      await put(0, "staying.txt");
      await review.propose(patchOf(...edit("memory/leaving.txt")));
      await change(1);
      const editor = await showEditor(uriOf(0, "staying.txt"));
      await write(editor, (typing) => typing.insert(new vscode.Position(0, 0), "zero\n"));
      assert.deepEqual(review.desk.hunksIn(editor.document), []);
      await review.commands["patchbay.review.open"](undefined);
    } finally {
      await change(0, { uri: left.uri, name: left.name });
      const editor = await showEditor(uriOf(place, "leaving.txt"));
      assert.equal(review.desk.hunksIn(editor.document).length, 1);
      await review.close();
    }
  });

  it("reports a patch as stale when its file has left the folder", async () => {
    memory.put("/memory/leaving.txt", text);
    const workspace = testWorkspace();
    const changes = await plan(patchOf(...edit("memory/leaving.txt")), workspace);
    memory.delete(vscode.Uri.parse("test-memory:/memory/leaving.txt"));
    assert.deepEqual(await workspace.apply(changes, "test"), { outcome: "stale" });
  });
});
