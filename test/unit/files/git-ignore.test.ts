// What Git does not show is found by the rules in the workspace: nested ones, those that take back, ignored folders.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createGitIgnored } from "../../../src/files/git-ignore.ts";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import { createProtection } from "../../../src/files/privacy.ts";
import type { FileName } from "../../../src/patch/model.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { patchWorkspace } from "../../../src/tools/apply-patch.ts";
import { english } from "../../support/english.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";

const files = {
  ".gitignore": "dist/\n*.log\n!keep.log\n/top.txt\nlib/**/made\n",
  "app/.gitignore": "!a.log\nlocal\n",
  ".git/info/exclude": "mine.txt\n",
};

test("createGitIgnored applies nested rules, negations and ignored folders as Git does", async () => {
  const isIgnored = createGitIgnored(new MemoryWorkspace(files));
  const ignored =
    "dist/a.js dist/deep/a.js app/dist/a a.log app/b.log top.txt lib/x/made/a app/local app/local/a";
  for (const path of [...ignored.split(" "), "mine.txt", "app/mine.txt", "dist/keep.log"])
    assert.equal(await isIgnored("work", path), true, path);
  for (const path of "a.js keep.log app/a.log app/top.txt lib/a.js local src/dist.ts DISTANCE".split(" "))
    assert.equal(await isIgnored("work", path), false, path);
  assert.equal(await isIgnored("work", "Dist/a.js"), true, "some disks take this for the same");
  assert.equal(await isIgnored("work", `${"a/".repeat(70)}b`), true, "too deep to be asked");
});

test("createGitIgnored ignores everything when the rules are too long or unreadable", async () => {
  assert.equal(
    await createGitIgnored(new MemoryWorkspace({ ".gitignore": "x\n".repeat(40_000) }))("work", "a"),
    true,
  );
  const workspace = new MemoryWorkspace({ ".gitignore": "x" });
  const broken = {
    look: (file: FileName) => workspace.look(file),
    read: () => Promise.reject(new Error("gone")),
  };
  assert.equal(await createGitIgnored(broken)("work", "a"), true);
});

async function reasonsOf(...lines: string[]): Promise<readonly string[]> {
  const workspace = createFolderWorkspace();
  const [folder] = workspace.folders;
  for (const [path, text] of Object.entries({ ...files, "a.ts": "one\ntwo\n", "dist/b.js": "one\n" }))
    workspace.write(`${folder}/${path}`, text);
  const guarded = guardFiles(workspace, () => ({ ignore: [], alsoIgnore: [] }));
  const world = patchWorkspace(workspace, guarded, createProtection({ own: ["!lifted.log"], also: [] }));
  const text = ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
  const { changes } = await planPatch(text, world);
  return changes.flatMap(({ permission }) => permission.reasons.map(english));
}

test("adding, changing or moving files that Git ignores needs confirmation, unless the user has lifted it", async () => {
  const ignored = ["Git ignores it"];
  assert.deepEqual(await reasonsOf("*** Add File: c.log", "+x"), ignored);
  assert.deepEqual(await reasonsOf("*** Update File: dist/b.js", "-one", "+two"), ignored);
  assert.deepEqual(
    await reasonsOf("*** Update File: a.ts", "*** Move to: dist/a.ts", "-one", "+two"),
    ignored,
  );
  assert.deepEqual(await reasonsOf("*** Add File: c.ts", "+x"), []);
  assert.deepEqual(await reasonsOf("*** Add File: lifted.log", "+x"), []);
});

test("emptying a file, or deleting it to add it again, needs confirmation", async () => {
  assert.deepEqual(await reasonsOf("*** Update File: a.ts", "-one", "-two"), ["all of its text is removed"]);
  assert.deepEqual(await reasonsOf("*** Update File: a.ts", "-one", "-two", "+ "), [
    "all of its text is removed",
  ]);
  assert.deepEqual(await reasonsOf("*** Delete File: a.ts", "*** Add File: a.ts", "+one", "+three"), [
    "all of its text is replaced",
  ]);
  assert.deepEqual(await reasonsOf("*** Update File: a.ts", "-one"), []);
});
