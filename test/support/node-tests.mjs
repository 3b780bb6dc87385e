// Runs built node:test files and counts. What failed is printed in full, what passed is a dot.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { run } from "./processes.mjs";

/** In milliseconds, for a test and for a whole file: what waits longer waits for nothing, however busy the machine is. */
const patience = 900_000;

/**
 * Every *.test.mjs under the folder; `concurrency` is the number of files that run at once. Node itself would leave one
 * core alone, which is half of a small machine.
 */
export async function runNodeTests(folder, { concurrency = availableParallelism(), env = {} } = {}) {
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true })
        .map((name) => join(folder, String(name)))
        .filter((name) => name.endsWith(".test.mjs"))
    : [];
  if (files.length === 0) return { passed: 0, failed: 0 };
  const counts = `${folder}.json`;
  rmSync(counts, { force: true });
  const reporter = "--test-reporter=./test/support/node-reporter.mjs";
  const code = await run(
    process.execPath,
    [
      "--enable-source-maps",
      "--test",
      `--test-timeout=${patience}`,
      `--test-concurrency=${concurrency}`,
      reporter,
      ...files,
    ],
    {
      env: { ...env, PATCHBAY_COUNTS: counts },
    },
  );
  const total = existsSync(counts) ? JSON.parse(readFileSync(counts, "utf8")) : { passed: 0, failed: 0 };
  // A runner that dies without counting is a failure of its own.
  if (code !== 0 && total.failed === 0) total.failed = 1;
  return total;
}
