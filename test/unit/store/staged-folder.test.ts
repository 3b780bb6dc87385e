// A conversation that appears is on the disk as a whole: its own folder first, then its name among the others.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { type FileSystem, nodeFileSystem, staleAfterMilliseconds } from "../../../src/store/file-system.ts";
import { addFolder, removeFolder, sweepFolders } from "../../../src/store/internal/staged-folder.ts";

const parent = mkdtempSync(join(tmpdir(), "patchbay-staged-"));
after(() => rmSync(parent, { recursive: true, force: true }));

function recorded(): { readonly fs: FileSystem; readonly calls: string[] } {
  const calls: string[] = [];
  const nameOf = (path: string) =>
    path === parent ? "parent" : path === join(parent, "one") ? "one" : "staged";
  const fs: FileSystem = {
    ...nodeFileSystem,
    async syncFolder(path) {
      calls.push(`sync ${nameOf(path)}`);
      await nodeFileSystem.syncFolder(path);
    },
    async rename(from, to) {
      calls.push(`rename ${nameOf(from)} to ${nameOf(to)}`);
      await nodeFileSystem.rename(from, to);
    },
  };
  return { fs, calls };
}

test("addFolder syncs the folder before its rename and the parent after it", async () => {
  const { fs, calls } = recorded();
  await addFolder(fs, join(parent, "one"), async () => {});
  assert.deepEqual(calls, ["sync staged", "rename staged to one", "sync parent"]);
});

test("removeFolder syncs the parent after its rename", async () => {
  const { fs, calls } = recorded();
  await removeFolder(fs, join(parent, "one"));
  assert.deepEqual(calls, ["rename one to staged", "sync parent"]);
});

test("sweepFolders keeps a new folder that may still be filled and removes stale and deleted ones", async () => {
  const now = 10 * staleAfterMilliseconds;
  const times = new Map([
    [".new-young", now - staleAfterMilliseconds],
    [".new-old", now - staleAfterMilliseconds - 1],
    [".gone-young", now],
    ["conversation", 0],
  ]);
  const removed: string[] = [];
  const stats = await nodeFileSystem.stat(parent);
  assert.ok(stats);
  const fs: FileSystem = {
    ...nodeFileSystem,
    list: async () => [...times.keys()],
    stat: async (path) => ({ ...stats, modified: times.get(basename(path)) ?? 0 }),
    remove: async (path) => void removed.push(basename(path)),
  };
  await sweepFolders(fs, parent, now);
  assert.deepEqual(removed, [".new-old", ".gone-young"]);
});
