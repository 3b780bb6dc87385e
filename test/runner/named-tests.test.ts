// `npm test -- <part of a name>` as a person at a terminal meets it.
import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";

const npmTest = (...words: string[]) =>
  spawnSync(process.execPath, ["test/run.mjs", ...words], {
    encoding: "utf8",
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });

describe("npm test -- <part of a name>", () => {
  test("reports what it runs, runs only that and ends with the count", () => {
    const { stdout, status } = npmTest("unit/languages.test");
    const lines = stdout.trim().split("\n");
    assert.equal(lines[0], "Running 1 unit file (languages.test.ts).");
    assert.match(lines.at(-1) ?? "", /^[1-9]\d* passed, 0 failed$/);
    assert.equal(status, 0, stdout);
  });

  test("lists the files by kind with --list, slow ones included", () => {
    const { stdout, status } = npmTest("--list", "Several", "runner/jobs");
    assert.deepEqual(stdout.trim().split("\n"), [
      "2 runner files (jobs.test.ts, several-folders.slow.test.ts), 2 several files (mcp.suite.ts, several-folders.suite.ts)",
      "test/runner/jobs.test.ts",
      "test/runner/several-folders.slow.test.ts",
      "test/several/mcp.suite.ts",
      "test/several/several-folders.suite.ts",
    ]);
    assert.equal(status, 0);
  });

  test("fails when no file has that name", () => {
    const { stderr, status } = npmTest("no-test-is-called-so");
    assert.match(stderr, /No test file below test\/ has “no-test-is-called-so” in its name\./);
    assert.equal(status, 1);
  });
});
