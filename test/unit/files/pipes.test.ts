// A pipe where a file is expected: whoever opens it as a file waits for somebody to write into it, for ever.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { readRegularFile } from "../../../src/editor/workspace/file-uris.ts";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import { Refusal } from "../../../src/files/refusal.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";

const never = new AbortController().signal;
const skip = process.platform === "win32" ? "there are no such pipes" : false;

/** Whoever waits at it in spite of all is let go at the end. */
function makePipe(t: TestContext, place: string): void {
  execFileSync("mkfifo", [place]);
  t.after(() => {
    try {
      closeSync(openSync(place, constants.O_WRONLY | constants.O_NONBLOCK));
    } catch {
      // Nobody waits.
    }
  });
}

describe("a pipe", { skip, timeout: 20_000 }, () => {
  test("in place of the ignore file closes its folder at once", { timeout: 3000 }, async (t) => {
    const workspace = createFolderWorkspace();
    workspace.write("work/a.ts", "1");
    makePipe(t, join(workspace.root, "work/.patchbayignore"));
    const files = guardFiles(workspace, () => ({ ignore: [], alsoIgnore: [] }));
    await assert.rejects(files.read("a.ts", never), Refusal);
    assert.deepEqual(workspace.handedOut, []);
  });

  test("in place of a file that is read is refused", { timeout: 3000 }, async (t) => {
    const workspace = createFolderWorkspace();
    makePipe(t, join(workspace.root, "work/a.ts"));
    symlinkSync("a.ts", join(workspace.root, "work/b.ts"));
    const files = guardFiles(workspace, () => ({ ignore: [], alsoIgnore: [] }));
    for (const path of ["a.ts", "b.ts"]) {
      await assert.rejects(files.read(path, never), Refusal);
      await assert.rejects(files.readPicture(path, never), Refusal);
    }
  });

  test("that replaces a file after it was looked at is not waited for", {
    timeout: 3000,
  }, async (t) => {
    const workspace = createFolderWorkspace();
    workspace.write("work/a.ts", "one");
    makePipe(t, join(workspace.root, "work/b.ts"));
    const bytes = await readRegularFile(join(workspace.root, "work/a.ts"));
    assert.equal(Buffer.from(bytes).toString(), "one");
    for (const place of [join(workspace.root, "work/b.ts"), "/dev/zero", workspace.root])
      await assert.rejects(readRegularFile(place), place);
  });
});
