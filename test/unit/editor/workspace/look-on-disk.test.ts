// What stands at a path of a real disk, links and all, and the places there that are never ours to write: whatever stands
// there, or is to come to stand there.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, mock, test } from "node:test";
import { lookOnDisk } from "../../../../src/editor/workspace/internal/look-on-disk.ts";

let root = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-look-")));
  mkdirSync(join(root, "editor/storage"), { recursive: true });
  writeFileSync(join(root, "editor/settings.json"), "{}");
});
afterEach(() => rmSync(root, { recursive: true }));

const isGuarded = async (path: string, place = "editor") =>
  (await lookOnDisk(root, path, [join(root, place)])).guarded;

test("lookOnDisk guards existing and new files in a guarded place", async () => {
  assert.equal(await isGuarded("editor/settings.json"), true);
  assert.equal(await isGuarded("editor/tasks.json"), true);
  assert.equal(await isGuarded("editor/storage/deep/er/new.json"), true);
  assert.equal(await isGuarded("editors.json"), false);
  assert.equal(await isGuarded("elsewhere/new.json"), false);
});

test("lookOnDisk guards new files behind a link into a guarded place", async () => {
  symlinkSync("editor", join(root, "innocent"));
  symlinkSync("../editor/storage", join(root, "editor/again"));
  assert.equal(await isGuarded("innocent/settings.json"), true);
  assert.equal(await isGuarded("innocent/new.json"), true);
  assert.equal(await isGuarded("innocent/again/deep/new.json"), true);
});

test("lookOnDisk resolves a guarded place that is behind a link or does not exist yet", async () => {
  mkdirSync(join(root, "real"));
  symlinkSync("real", join(root, "linked"));
  assert.equal(await isGuarded("real/new.json", "linked"), true);
  assert.equal(await isGuarded("real/storage/new.json", "linked/storage"), true);
  assert.equal(await isGuarded("real/other.json", "linked/storage"), false);
});

test("lookOnDisk guards another spelling of a guarded name", async () => {
  const standing = await lookOnDisk(root, "editor/SETTINGS.json", [join(root, "editor")]);
  assert.equal(standing.kind, "nothing");
  assert.equal(standing.spelled, "editor/settings.json");
  assert.equal(standing.guarded, true);
});

test("lookOnDisk accepts the root of a drive as a folder", async () => {
  const standing = await lookOnDisk("/", root.slice(1), []);
  assert.deepEqual([standing.kind, standing.real], ["folder", root.slice(1)]);
});

test("lookOnDisk reports kind, real path and link flag of a path, with links at any step", async () => {
  mkdirSync(join(root, "a/b/c"), { recursive: true });
  writeFileSync(join(root, "a/b/c/file.ts"), "text");
  writeFileSync(join(root, "plain.ts"), "");
  for (const [target, place] of [
    ["b", "a/again"],
    ["c/file.ts", "a/b/link.ts"],
    ["nowhere", "a/broken"],
    [tmpdir(), "a/away"],
    ["loop", "loop"],
  ] as const)
    symlinkSync(target, join(root, place));
  const told = async (path: string) => {
    const { kind, real, link, bytes } = await lookOnDisk(root, path, []);
    return [kind, real, link, bytes];
  };
  assert.deepEqual(await told("a/b/c/file.ts"), ["file", "a/b/c/file.ts", false, 4]);
  assert.deepEqual(await told("a/again/c/file.ts"), ["file", "a/b/c/file.ts", false, 4]);
  assert.deepEqual(await told("a/b/link.ts"), ["file", "a/b/c/file.ts", true, 4]);
  assert.deepEqual((await told("a/b")).slice(0, 3), ["folder", "a/b", false]);
  assert.deepEqual((await told("a/broken")).slice(0, 3), ["other", undefined, true]);
  assert.deepEqual((await told("a/away")).slice(0, 3), ["other", undefined, true]);
  assert.deepEqual((await told("loop")).slice(0, 3), ["other", undefined, true]);
  assert.equal((await told("plain.ts/below"))[0], "blocked");
  assert.deepEqual((await told("a/b/new.ts")).slice(0, 2), ["nothing", "a/b/new.ts"]);
  assert.equal((await told("a/../plain.ts/.."))[0], "blocked");
});

test("lookOnDisk makes no more file system calls for a deep file than for one at the top", {
  skip: process.platform === "linux" ? false : "there any spelling is found, and each step is walked",
}, async () => {
  const deep = Array.from({ length: 12 }, (_, at) => `folder${at}`).join("/");
  mkdirSync(join(root, deep), { recursive: true });
  for (const path of ["top.ts", `${deep}/file.ts`]) writeFileSync(join(root, path), "");
  const asked = (["lstat", "stat", "realpath", "readdir", "access"] as const).map((name) =>
    mock.method(fs, name),
  );
  syncBuiltinESMExports();
  const looks = async (path: string) => {
    const before = asked.reduce((sum, each) => sum + each.mock.callCount(), 0);
    assert.equal((await lookOnDisk(root, path, [join(root, "editor")])).kind, "file");
    return asked.reduce((sum, each) => sum + each.mock.callCount(), 0) - before;
  };
  try {
    assert.equal(await looks(`${deep}/file.ts`), await looks("top.ts"));
  } finally {
    mock.restoreAll();
    syncBuiltinESMExports();
  }
});
