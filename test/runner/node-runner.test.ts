// Proves how tests in plain Node, in pages and in windows are counted, by running some that pass, fail, crash and leave.
import { strict as assert } from "node:assert";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runNodeTests } from "../support/node-tests.mjs";

const none = { passed: 0, failed: 1 };
const rows = [
  ["tests that pass are counted", "passing", { passed: 1, failed: 0 }],
  ["one failing test is a failure", "failing", { passed: 1, failed: 1 }],
  ["a file that takes its process down is a failure", "crashing", none],
  ["what is thrown outside of every test is a failure, and nothing is waited for", "throwing", none],
  ["a process that ends well before its last test is a failure", "leaving", none],
] as const;

for (const [rule, file, expected] of rows)
  test(rule, async (t) => {
    const home = mkdtempSync(join(tmpdir(), "patchbay-node-runner-"));
    t.after(() => rmSync(home, { recursive: true, force: true }));
    const folder = join(home, "tests");
    cpSync(`test/fixtures/node-runner/${file}.mjs`, join(folder, `${file}.mjs`));
    const ran = await runNodeTests({ folder, name: "1", files: [`${file}.mjs`], gentle: false });
    const { passed, failed, output } = ran;
    assert.deepEqual({ passed, failed }, expected);
    assert.equal(
      /ended before its tests did/.test(output),
      ["crashing", "throwing", "leaving"].includes(file),
    );
  });
