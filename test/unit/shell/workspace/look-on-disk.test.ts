// Places that are never ours to write, on a real disk: whatever stands there, or is to come to stand there.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { lookOnDisk } from "../../../../src/shell/workspace/look-on-disk.ts";

let root = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-look-")));
  mkdirSync(join(root, "editor/storage"), { recursive: true });
  writeFileSync(join(root, "editor/settings.json"), "{}");
});
afterEach(() => rmSync(root, { recursive: true }));

const isGuarded = async (path: string, place = "editor") =>
  (await lookOnDisk(root, path, [join(root, place)])).guarded;

test("a file in a guarded place is guarded, and so is one that is not there yet", async () => {
  assert.equal(await isGuarded("editor/settings.json"), true);
  assert.equal(await isGuarded("editor/tasks.json"), true);
  assert.equal(await isGuarded("editor/storage/deep/er/new.json"), true);
  assert.equal(await isGuarded("editors.json"), false);
  assert.equal(await isGuarded("elsewhere/new.json"), false);
});

test("a link into a guarded place does not make a new file below it free", async () => {
  symlinkSync("editor", join(root, "innocent"));
  symlinkSync("../editor/storage", join(root, "editor/again"));
  assert.equal(await isGuarded("innocent/settings.json"), true);
  assert.equal(await isGuarded("innocent/new.json"), true);
  assert.equal(await isGuarded("innocent/again/deep/new.json"), true);
});

test("a guarded place that is itself behind a link, or not there yet, is guarded where it really lies", async () => {
  mkdirSync(join(root, "real"));
  symlinkSync("real", join(root, "linked"));
  assert.equal(await isGuarded("real/new.json", "linked"), true);
  assert.equal(await isGuarded("real/storage/new.json", "linked/storage"), true);
  assert.equal(await isGuarded("real/other.json", "linked/storage"), false);
});

test("another spelling of a guarded name is guarded, too", async () => {
  const standing = await lookOnDisk(root, "editor/SETTINGS.json", [join(root, "editor")]);
  assert.equal(standing.kind, "nothing");
  assert.equal(standing.spelled, "editor/settings.json");
  assert.equal(standing.guarded, true);
});

test("a folder that is the root of a drive holds everything below it", async () => {
  const standing = await lookOnDisk("/", root.slice(1), []);
  assert.deepEqual([standing.kind, standing.real], ["folder", root.slice(1)]);
});
