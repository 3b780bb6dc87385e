// What the one door to files keeps shut besides names on the list: the editor's own places, and rules that are not what they
// were when they were looked at.
import assert from "node:assert/strict";
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import { maxIgnoreBytes } from "../../../src/files/privacy.ts";
import { Refusal } from "../../../src/files/refusal.ts";
import { createFolderWorkspace, type FolderWorkspace } from "../../support/folder-workspace.ts";

const never = new AbortController().signal;
const guard = (workspace: FolderWorkspace) => guardFiles(workspace, () => ({ ignore: [], alsoIgnore: [] }));

describe("the editor's own folders", () => {
  test("are neither read nor listed", async () => {
    const workspace = createFolderWorkspace();
    workspace.write("work/editor/state.json", "canary");
    const guarded: FolderWorkspace = {
      ...workspace,
      look: async (file) => ({ ...(await workspace.look(file)), guarded: file.path.startsWith("editor") }),
    };
    const files = guard(guarded);
    await assert.rejects(files.read("editor/state.json", never), Refusal);
    await assert.rejects(files.readPicture("editor/state.json", never), Refusal);
    await assert.rejects(
      files.readLines("editor/state.json", { first: 1, last: 1, maxBytes: 9, maxBytesPerLine: 9 }, never),
      Refusal,
    );
    await assert.rejects(files.enter("editor", never), Refusal);
    assert.deepEqual(workspace.handedOut, []);
  });
});

/** A folder whose ignore file is a link to another file by the time it is read. */
function withTurnedIgnoreFile(workspace: FolderWorkspace, target: string): FolderWorkspace {
  return {
    ...workspace,
    async read(file) {
      const place = join(workspace.root, "work/.patchbayignore");
      if (file.path === ".patchbayignore") {
        rmSync(place, { force: true });
        symlinkSync(target, place);
      }
      return workspace.read(file);
    },
  };
}

describe("an ignore file", () => {
  test("closes its folder when it becomes a link out of the folder while it is read", async () => {
    const workspace = createFolderWorkspace();
    workspace.write("work/.patchbayignore", "*.key\n");
    workspace.write("elsewhere.txt", "nothing\n");
    workspace.write("work/a.ts", "1");
    const turned = withTurnedIgnoreFile(workspace, "../elsewhere.txt");
    await assert.rejects(guard(turned).read("a.ts", never), Refusal);
    assert.ok(!workspace.handedOut.includes("work/a.ts"));
  });

  test("closes its folder when it becomes a link to another file of the folder while it is read", async () => {
    const workspace = createFolderWorkspace();
    workspace.write("work/.patchbayignore", "a.ts\n");
    workspace.write("work/free.txt", "nothing\n");
    workspace.write("work/a.ts", "1");
    const turned = withTurnedIgnoreFile(workspace, "free.txt");
    await assert.rejects(guard(turned).read("a.ts", never), Refusal);
  });

  test("is obeyed unsaved up to its size limit, and closes its folder beyond it", async () => {
    const workspace = createFolderWorkspace();
    workspace.write("work/.patchbayignore", "");
    workspace.write("work/a.ts", "1");
    const file = { folder: "work", path: ".patchbayignore" };
    workspace.type(file, "*.key\n");
    assert.equal((await guard(workspace).read("a.ts", never)).text, "1");
    workspace.type(file, "#\n".repeat(maxIgnoreBytes / 2));
    assert.equal((await guard(workspace).read("a.ts", never)).text, "1");
    workspace.type(file, `${"#\n".repeat(maxIgnoreBytes / 2)}#`);
    await assert.rejects(guard(workspace).read("a.ts", never), Refusal);
  });
});
