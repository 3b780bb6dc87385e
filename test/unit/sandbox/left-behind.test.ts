// What a command has left in its copy: links where something is to be mounted, and paths that Node cannot remove.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { prepareMountPoint, removeBelow } from "../../../src/checks/internal/sandbox/real-folders.ts";
import { removeTree } from "../../../src/checks/internal/sandbox/remove-tree.ts";
import { canBeNobody, isRoot, passAsOrdinaryUser } from "../../support/ordinary-user.ts";

function setUp(t: TestContext) {
  const base = mkdtempSync(join(tmpdir(), "patchbay-left-"));
  t.after(() => execFileSync("rm", ["-rf", base]));
  const [copy, outside] = [join(base, "copy"), join(base, "outside")];
  for (const each of [copy, outside]) mkdirSync(each);
  writeFileSync(join(outside, "kept"), "before");
  return { copy, outside };
}

describe("prepareMountPoint", () => {
  test("replaces links that lead elsewhere with folders of the copy", async (t) => {
    const { copy, outside } = setUp(t);
    mkdirSync(join(copy, "a"));
    symlinkSync(outside, join(copy, "a/link"));
    await prepareMountPoint(copy, "a/link/node_modules", "folder");
    assert.ok(lstatSync(join(copy, "a/link")).isDirectory());
    assert.ok(lstatSync(join(copy, "a/link/node_modules")).isDirectory());
    assert.deepEqual(readdirSync(outside), ["kept"]);
  });
  test("keeps an existing folder, and makes a file where a file is mounted", async (t) => {
    const { copy, outside } = setUp(t);
    writeFileSync(join(copy, "in-the-way"), "");
    mkdirSync(join(copy, "there"));
    writeFileSync(join(copy, "there/file"), "own");
    symlinkSync(join(outside, "kept"), join(copy, "there/shown"));
    await prepareMountPoint(copy, "there", "folder");
    await prepareMountPoint(copy, "in-the-way/below", "folder");
    await prepareMountPoint(copy, "there/shown", "file");
    assert.equal(readFileSync(join(copy, "there/file"), "utf8"), "own");
    assert.ok(lstatSync(join(copy, "there/shown")).isFile());
    assert.equal(readFileSync(join(outside, "kept"), "utf8"), "before");
  });
});

describe("removeBelow", () => {
  test("removes what is below real folders of the copy", async (t) => {
    const { copy } = setUp(t);
    mkdirSync(join(copy, "packages/a/node_modules"), { recursive: true });
    mkdirSync(join(copy, "node_modules"));
    for (const each of ["packages/a/node_modules", "node_modules"])
      await removeBelow(copy, each, lstatSync(copy));
    assert.deepEqual(readdirSync(copy, { recursive: true }), ["packages", "packages/a"]);
  });
  for (const place of ["packages", "packages/a"])
    test(`removes nothing where a command has put a link in place of ${place}`, async (t) => {
      const { copy, outside } = setUp(t);
      for (const each of ["a/node_modules", "node_modules"])
        mkdirSync(join(outside, each), { recursive: true });
      mkdirSync(join(copy, place, ".."), { recursive: true });
      symlinkSync(outside, join(copy, place));
      await removeBelow(copy, "packages/a/node_modules", lstatSync(copy));
      assert.deepEqual(readdirSync(outside, { recursive: true }).sort(), [
        ...["a", "a/node_modules", "kept", "node_modules"],
      ]);
    });
  test("removes nothing where the copy is a link or another folder by now", async (t) => {
    const { copy, outside } = setUp(t);
    const before = lstatSync(copy);
    mkdirSync(join(outside, "node_modules"));
    renameSync(copy, `${copy}-before`);
    symlinkSync(outside, copy);
    await removeBelow(copy, "node_modules", before);
    unlinkSync(copy);
    renameSync(outside, copy);
    await removeBelow(copy, "node_modules", before);
    assert.deepEqual(readdirSync(copy).sort(), ["kept", "node_modules"]);
  });
});

describe("removeTree", () => {
  test("removes paths too deep for Node and folders without permissions", async (t) => {
    const { copy } = setUp(t);
    const script = `const fs = require("fs"), name = "0".repeat(200);
      for (let i = 0; i < 30; i++) fs.mkdirSync(name), process.chdir(name);
      fs.chmodSync(".", 0);`;
    execFileSync(process.execPath, ["-e", script], { cwd: copy });
    assert.throws(() => rmSync(copy, { recursive: true, force: true }));
    await removeTree(copy);
    assert.equal(existsSync(copy), false);
  });
  test("follows no link, and accepts a missing path", async (t) => {
    const { copy, outside } = setUp(t);
    symlinkSync(outside, join(copy, "link"));
    await removeTree(copy);
    await removeTree(copy);
    assert.equal(readFileSync(join(outside, "kept"), "utf8"), "before");
  });
  test("changes nothing that a link in a read-only folder leads to", async (t) => {
    const { copy, outside } = setUp(t);
    chmodSync(join(outside, "kept"), 0o400);
    symlinkSync(outside, join(copy, "link"));
    chmodSync(copy, 0o555);
    await removeTree(join(copy, "link")).catch(() => undefined);
    chmodSync(copy, 0o755);
    assert.equal(lstatSync(join(outside, "kept")).mode & 0o777, 0o400);
  });
});

if (canBeNobody(import.meta.filename))
  test("removeTree of an ordinary user changes nothing that a link leads to, too", () =>
    passAsOrdinaryUser(import.meta.filename, /in a read-only folder/, {}));
else if (isRoot) console.log("  This machine lets nobody but root run these tests.");
