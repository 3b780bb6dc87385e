// Proves the exit codes of the host tests by really running suites that fail, crash and hang in a real extension host.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { runHostTests } from "../support/host-tests.mjs";
import { judgedNow } from "../support/suspects.mjs";

const fixture = (name: string) => `test/fixtures/host-runner/${name}`;

test("the host test runner fails when one test fails", async () => {
  const { passed, failed, exitCode } = await runHostTests({ suites: fixture("failing") });
  assert.deepEqual({ passed, failed, exitCode }, { passed: 1, failed: 1, exitCode: 1 });
});

test("the host test runner fails when the extension host crashes", async () => {
  // VS Code ends with 77 like its host, or with 0 where it is gone before it has heard of that.
  const { passed, failed, output } = await runHostTests({ suites: fixture("crashing") });
  assert.deepEqual({ passed, failed }, { passed: 0, failed: 1 });
  assert.match(output, /^The extension host ended \(\d+\) before its suites did\.$/m);
});

test("the host test runner fails when a suite hangs beyond the time limit", async () => {
  const { passed, failed, exitCode } = await runHostTests({ suites: fixture("hanging"), timeLimit: 12_000 });
  assert.deepEqual({ passed, failed, exitCode }, { passed: 0, failed: 1, exitCode: 124 });
});

test("the host test runner fails a test in which the product blocks the extension host too long", async () => {
  const { passed, failed, output } = await judgedNow(
    await runHostTests({ suites: fixture("holding/tests") }),
  );
  const isWatched = process.platform === "linux";
  assert.deepEqual({ passed, failed }, { passed: 2, failed: isWatched ? 1 : 0 });
  assert.equal(
    /holds the extension host for long\n.* computed for \d+ ms without a pause, each time it was run, mostly in work/.test(
      output,
    ),
    isWatched,
    output,
  );
});
