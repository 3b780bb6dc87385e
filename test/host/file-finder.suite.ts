// Files as VS Code's own search knows them: all of a folder, what comes and goes, what is open.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { createFileFinder } from "../../src/editor/workspace/file-finder.ts";
import type { FileName } from "../../src/patch/model.ts";
import { leaveNothing, put, show, testWorkspace, uriOf } from "./support/files.ts";

describe("the file finder", () => {
  const finder = createFileFinder();
  const never = new AbortController().signal;
  const [folder = ""] = testWorkspace().folders;
  const find = async (path: string) => (await finder.find({ folder, path }, never)).toSorted();

  beforeEach(leaveNothing);
  afterEach(leaveNothing);
  after(() => finder.dispose());

  it("finds the files at or below a path, except those that Go to File excludes", async () => {
    for (const path of ["named/a.txt", "named/deep/b.txt", "named/node_modules/c.js"]) await put(path, "x");
    assert.deepEqual(await find("named"), ["named/a.txt", "named/deep/b.txt"]);
    assert.deepEqual(await find("named/a.txt"), ["named/a.txt"]);
    assert.deepEqual(await find("named/gone.txt"), []);
    assert.ok((await find("")).includes("named/deep/b.txt"));
    assert.equal(finder.heedsIgnoreFiles(folder), true);
  });

  it("reports created and deleted files and edited ignore files, but no other edits", async () => {
    const told: FileName[] = [];
    const all = new Set<string>();
    let wake = () => {};
    const listening = finder.onChange((file) => {
      told.push(file);
      all.add(file.path);
      wake();
    });
    const until = async (path: string) => {
      while (!told.some((each) => each.path === path)) await new Promise<void>((resolve) => (wake = resolve));
      told.length = 0;
    };
    await put("named/changed.txt", "x");
    await until("named/changed.txt");
    all.clear();
    await put("named/new.txt", "x");
    await until("named/new.txt");
    // What is in a file is no news of its name.
    await put("named/changed.txt", "y");
    await vscode.workspace.fs.delete(uriOf("named/new.txt"));
    await until("named/new.txt");
    await put("named/.gitignore", "a\n");
    await until("named/.gitignore");
    await put("named/.gitignore", "b\n");
    await until("named/.gitignore");
    listening.dispose();
    const files = [...all].filter((path) => path.startsWith("named/")).toSorted();
    assert.deepEqual(files, ["named/.gitignore", "named/new.txt"]);
  });

  it("lists open and recently opened files, the latest first", async () => {
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
