// Files as VS Code's own search knows them: all of a folder, what comes and goes, what is open.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { FileName } from "../../src/core/patch/model.ts";
import { createFileFinder } from "../../src/shell/workspace/file-finder.ts";
import { leaveNothing, put, show, testWorkspace, uriOf } from "./support/files.ts";

describe("the files of the workspace by name", function () {
  this.timeout(120_000);
  const finder = createFileFinder();
  const never = new AbortController().signal;
  const [folder = ""] = testWorkspace().folders;
  const find = async (path: string) => (await finder.find({ folder, path }, never)).toSorted();

  beforeEach(leaveNothing);
  afterEach(leaveNothing);
  after(() => finder.dispose());

  it("are those at or below a place, without what Go to File leaves out", async () => {
    for (const path of ["named/a.txt", "named/deep/b.txt", "named/node_modules/c.js"]) await put(path, "x");
    assert.deepEqual(await find("named"), ["named/a.txt", "named/deep/b.txt"]);
    assert.deepEqual(await find("named/a.txt"), ["named/a.txt"]);
    assert.deepEqual(await find("named/gone.txt"), []);
    assert.ok((await find("")).includes("named/deep/b.txt"));
    assert.equal(finder.heedsIgnoreFiles(folder), true);
  });

  it("tell when one is created, when one is deleted, and when an ignore file says something else", async () => {
    const told: FileName[] = [];
    let wake = () => {};
    const listening = finder.onChange((file) => {
      told.push(file);
      wake();
    });
    const until = async (path: string) => {
      while (!told.some((each) => each.path === path)) await new Promise<void>((resolve) => (wake = resolve));
      told.length = 0;
    };
    await put("named/new.txt", "x");
    await until("named/new.txt");
    await vscode.workspace.fs.delete(uriOf("named/new.txt"));
    await until("named/new.txt");
    await put("named/.gitignore", "a\n");
    await until("named/.gitignore");
    await put("named/.gitignore", "b\n");
    await until("named/.gitignore");
    listening.dispose();
  });

  it("that are open or were lately come with the latest first", async () => {
    await put("named/first.txt", "1");
    await put("named/second.txt", "2");
    await show("named/first.txt");
    await show("named/second.txt");
    assert.deepEqual(
      finder
        .recent()
        .slice(0, 2)
        .map(({ path }) => path),
      ["named/second.txt", "named/first.txt"],
    );
  });
});
