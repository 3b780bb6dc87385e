// The model's tools for Git's history, with VS Code's own Git extension.
import { strict as assert } from "node:assert";
import { guardFiles } from "../../src/files/guarded-files.ts";
import { ownTools } from "../../src/tools/tool-table.ts";
import { callContext } from "../support/call-context.ts";
import { leaveNothing, put, testWorkspace } from "./support/files.ts";
import { openRepository } from "./support/repository.ts";

describe("Git's history with VS Code's Git extension", () => {
  const workspace = testWorkspace();
  const files = guardFiles(workspace, () => ({ ignore: ["/history/kept"], alsoIgnore: [] }));
  const call = async (name: string, input: object) => {
    const tool = ownTools.find((each) => each.name === name);
    assert(tool !== undefined);
    const context = { ...callContext(files), workspace };
    return (await tool.prepare(JSON.stringify(input)).run(context, new AbortController().signal)).output;
  };

  before(async () => {
    await leaveNothing();
    const { git } = await openRepository("history");
    await put("history/first.txt", "one\ntwo\n");
    await put("history/.env", "KEY=1\n");
    await put("history/kept/plan.txt", "plan\n");
    git("add", ".");
    git("commit", "-m", "Second\n\nIn two lines.");
    await put("history/first.txt", "one\ntwo\nthree\n");
  });
  after(leaveNothing);

  it("lists commits of a folder and of a file", async () => {
    assert.match(
      await call("git_log", { path: "history" }),
      /^[0-9a-f]{12} \d{4}-\d\d-\d\d Test: Second\n {2}\n {2}In two lines\.\n[0-9a-f]{12} \d{4}-\d\d-\d\d Test: First$/,
    );
    assert.doesNotMatch(await call("git_log", { path: "history/first.txt", count: 1 }), /First/);
  });

  it("shows what is not committed, and what has changed between commits without what is never sent", async () => {
    assert.match(await call("git_diff", { path: "history" }), /\n two\n\+three$/m);
    const between = await call("git_diff", { path: "history", from: "HEAD~1", to: "HEAD" });
    assert.match(between, /\n one\n\+two/);
    assert.match(between, /\[2 files are never sent\.\]/);
    assert.doesNotMatch(between, /KEY|plan/);
    const ofFile = await call("git_diff", { path: "history/first.txt", from: "HEAD~1" });
    assert.match(ofFile, /\n\+two\n\+three/);
    await assert.rejects(call("git_diff", { path: "history", from: "gone" }), /Git has refused/);
  });

  it("shows who wrote a line", async () => {
    assert.match(
      await call("git_blame", { path: "history/first.txt", start_line: 2 }),
      /^[0-9a-f]{8} \(Test .*\) two\n0{8} \(Not Committed Yet .*\) three$/,
    );
  });

  it("says where there is no repository", async () => {
    await put("plain/a.txt", "a\n");
    assert.match(await call("git_log", { path: "plain/a.txt" }), /is in no open Git repository/);
  });
});
