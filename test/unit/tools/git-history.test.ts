import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import type { GitHistory } from "../../../src/files/workspace.ts";
import { gitBlame, gitDiff, gitLog } from "../../../src/tools/internal/git-tools.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { callContext } from "../../support/call-context.ts";
import { createFolderWorkspace, type FolderWorkspace } from "../../support/folder-workspace.ts";
import { refuses } from "./use-tool.ts";

const token = `ghp_${"a1B2".repeat(9)}`;
const changed = (path: string, line = "new") =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-old\n+${line}\n`;

function use(
  history: Partial<GitHistory>,
  workspace: FolderWorkspace = createFolderWorkspace(),
  proposed = 0,
  repository = "work",
) {
  const nothing = async () => undefined;
  const rootOf = async () => pathToFileURL(join(workspace.root, repository)).href;
  workspace.git = { log: nothing, diff: nothing, rootOf, blame: nothing, ...history };
  const files = guardFiles(workspace, () => ({ ignore: ["hidden/", "/plans/next"], alsoIgnore: [] }));
  return async (tool: Tool, input: object): Promise<string> => {
    const context = { ...callContext(files), workspace, proposed };
    return (await tool.prepare(JSON.stringify(input)).run(context, new AbortController().signal)).output;
  };
}

describe("git_log", () => {
  const commit = {
    ...{ hash: "0123456789abcdef", author: "Ada", date: new Date(Date.UTC(2026, 1, 3)) },
    message: `cart: add\n\nWith ${token}.\n`,
  };

  test("lists commits with day, author and message, without secrets", async () => {
    const asked: unknown[] = [];
    const run = use({
      async log(at, count) {
        asked.push([at.path, count]);
        return [commit];
      },
    });
    const found = await run(gitLog, { path: "src" });
    assert.match(found, /^0123456789ab 2026-02-03 Ada: cart: add\n {2}\n {2}With (?!ghp_).*\.$/);
    await run(gitLog, { count: 3 });
    assert.deepEqual(asked, [
      ["src", 10],
      ["", 3],
    ]);
  });

  test("says where there is no repository, and refuses what is outside or never sent", async () => {
    const run = use({});
    assert.equal(await run(gitLog, {}), ". is in no open Git repository.");
    await refuses(run(gitLog, { path: "../other" }), /cannot be read/);
    await refuses(run(gitLog, { path: "hidden/a.ts" }), /"hidden\/a\.ts" cannot be read/);
    await refuses(run(gitLog, { path: ".env" }), /"\.env" cannot be read/);
  });

  test("asks for one of several folders", async () => {
    const run = use({ log: async () => [] }, createFolderWorkspace("app", "docs"));
    await refuses(run(gitLog, {}), /name one of app, docs/);
    assert.equal(await run(gitLog, { path: "docs" }), "No commits.");
  });
});

describe("git_diff", () => {
  test("leaves out files that are never sent, and takes out secrets", async () => {
    const diff = changed("hidden/a.ts") + changed("src/a.ts", `key = "${token}"`) + changed(".env");
    const found = await use({ diff: async () => diff })(gitDiff, {});
    assert.doesNotMatch(found, /hidden|\.env|ghp_a1B2/);
    assert.match(found, /^diff --git a\/src\/a\.ts.*\n\[2 files are never sent\.\]$/s);
  });

  test("shows a file whose name merely ends like that of a hidden one", async () => {
    const diff = changed("apps/shop/archive/plans/next/b.md");
    assert.equal(await use({ diff: async () => diff })(gitDiff, {}), diff);
  });

  test("leaves out files that the folder's rules name by their place, wherever the repository begins", async () => {
    const found = await use(
      {
        diff: async () => changed("apps/shop/plans/next/a.md") + changed("apps/shop/archive/plans/next/b.md"),
      },
      createFolderWorkspace("apps/shop"),
      0,
      "",
    )(gitDiff, {});
    assert.match(
      found,
      /^diff --git a\/apps\/shop\/archive\/plans\/next\/b\.md.*\n\[1 file is never sent\.\]$/s,
    );
    const nested = await use(
      {
        diff: async () => changed("next/a.md"),
      },
      createFolderWorkspace(),
      0,
      "work/plans",
    )(gitDiff, { path: "plans" });
    assert.equal(nested, "No differences.\n[1 file is never sent.]");
  });

  const byProgram = "nbdiff a/notes/next.ipynb b/notes/next.ipynb\n## modified cell\n-  a secret plan\n";

  test("leaves out what another program writes of single files", async () => {
    const kept = changed("a.ts") + changed("b.ts").replace("+new", "+new\n\\ No newline at end of file");
    const found = await use({ diff: async () => changed("a.ts") + byProgram + changed("b.ts") })(gitDiff, {});
    assert.doesNotMatch(found, /nbdiff|secret plan/);
    assert.match(
      found,
      /a\/a\.ts.*a\/b\.ts.*\n\[What another program writes of single files is left out\.\]$/s,
    );
    assert.equal(await use({ diff: async () => kept })(gitDiff, {}), kept);
  });

  const forms: readonly (readonly [what: string, diff: string])[] = [
    ["of two hunks", `${changed("a.ts")}@@ -9,3 +9,2 @@ area()\n one\n-two\n three\n`],
    [
      "with an empty line that has no blank",
      "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n\n+one\n two\n",
    ],
    [
      "of a merge",
      "diff --cc a.ts\nindex 1,2..3\n--- a/a.ts\n+++ b/a.ts\n@@@ -1,2 -1,2 +1,3 @@@\n  one\n- two\n -zwei\n++2\n++3\n",
    ],
    [
      "of a picture",
      "diff --git a/a.png b/a.png\nindex 1..2 100644\nBinary files a/a.png and b/a.png differ\n",
    ],
    [
      "of a renamed file",
      "diff --git a/a b/c\nsimilarity index 100%\nrename from a\nrename to c\ndiff --git a/d b/d\nold mode 100644\nnew mode 100755\n",
    ],
    ["with a submodule", `${changed("a.ts")}Submodule lib 1..2:\n  > Title\n${changed("b.ts")}`],
  ];
  for (const [what, diff] of forms)
    test(`shows a diff ${what} as Git writes it`, async () => {
      assert.equal(await use({ diff: async () => diff })(gitDiff, {}), diff);
    });

  test("is shown in a merge with conflicts", async () => {
    const diff = `* Unmerged path hidden/a.ts\n* Unmerged path a.ts\n${changed("b.ts")}`;
    assert.equal(await use({ diff: async () => diff })(gitDiff, {}), changed("b.ts"));
  });

  test("is refused where Git shows differences with another program", async () => {
    const run = use({ diff: async () => "src/a.ts --- Text\n1 old   1 new\n" });
    await refuses(run(gitDiff, {}), /"\." cannot be read: .*diff\.external/);
  });

  test("goes from the last commit to the files on the disk, or from one commit to another", async () => {
    const asked: unknown[] = [];
    const run = use({
      async diff(_, from, to) {
        asked.push([from, to]);
        return "";
      },
    });
    assert.equal(await run(gitDiff, {}), "No differences.");
    await run(gitDiff, { from: "main~2" });
    await run(gitDiff, { from: "v1.0", to: "HEAD" });
    await run(gitDiff, { to: "main" });
    assert.deepEqual(asked, [
      [undefined, undefined],
      ["main~2", undefined],
      ["v1.0", "HEAD"],
      [undefined, "main"],
    ]);
  });

  test("is refused in words of our own where Git fails", async () => {
    const run = use({ diff: () => Promise.reject(new Error("fatal: /home/ada/shop")) });
    await refuses(
      run(gitDiff, { from: "gone" }),
      /^git_diff failed: Git has refused; is there such a commit/,
    );
  });

  test("says that proposals are not in it", async () => {
    const run = use({ diff: async () => changed("a.ts") }, createFolderWorkspace(), 2);
    assert.match(await run(gitDiff, {}), /proposed changes of 2 files are not in it/);
    assert.doesNotMatch(await run(gitDiff, { from: "a", to: "b" }), /proposed/);
  });

  for (const from of ["--output=/tmp/x", "-p", "a..b", "a b", "", "$(x)", "HEAD:.env", "a\nb"])
    test(`refuses as a commit: ${JSON.stringify(from)}`, async () => {
      await refuses(use({ diff: async () => assert.fail("asked") })(gitDiff, { from }), /names no commit/);
    });
});

describe("git_blame", () => {
  const blamed = ["1234 (Ada) one", `1234 (Ada) ${token}`, "5678 (Bob) three", ""].join("\n");

  test("shows some lines, without secrets", async () => {
    const workspace = createFolderWorkspace();
    workspace.write("work/a.ts", "one\ntwo\nthree\n");
    const run = use({ blame: async () => blamed }, workspace);
    assert.match(
      await run(gitBlame, { path: "a.ts" }),
      /^1234 \(Ada\) one\n1234 \(Ada\) (?!ghp_).*\n5678 \(Bob\) three$/,
    );
    assert.equal(await run(gitBlame, { path: "a.ts", start_line: 3, end_line: 9 }), "5678 (Bob) three");
    assert.equal(await run(gitBlame, { path: "a.ts", start_line: 4 }), "a.ts has only 3 lines.");
  });

  test("takes out a private key, whose lines stand behind who wrote them", async () => {
    const workspace = createFolderWorkspace();
    workspace.write("work/a.ts", "one\n");
    const line = "aB3dE5fG".repeat(8);
    const key = ["-----BEGIN PRIVATE KEY-----", line, line, line, "-----END PRIVATE KEY-----"];
    const rows = ["const key = `", ...key, "`;", "after();"].map(
      (code, at) => `^1a2b3c4 (Ada Lovelace 2026-02-03 10:00:00 +0100 ${at + 1}) ${code}`,
    );
    const found = await use({ blame: async () => rows.join("\n") }, workspace)(gitBlame, { path: "a.ts" });
    assert.doesNotMatch(found, /aB3dE5fG/);
    assert.match(found, /\n\^1a2b3c4 \(Ada Lovelace 2026-02-03 10:00:00 \+0100 8\) after\(\);$/);
    assert.match(
      await use({ blame: async () => rows.join("\n") }, workspace)(gitBlame, { path: "a.ts", start_line: 8 }),
      /^\^1a.* 8\) after/,
    );
  });

  test("refuses a file that is never sent before Git is asked", async () => {
    const workspace = createFolderWorkspace();
    workspace.write("work/hidden/a.ts", "one\n");
    const run = use({ blame: async () => assert.fail("asked") }, workspace);
    await refuses(run(gitBlame, { path: "hidden/a.ts" }), /cannot be read/);
  });
});
