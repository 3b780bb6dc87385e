// Proves how tests in plain Node, in pages and in windows are counted, by running some that pass, fail, crash and leave.
import { strict as assert } from "node:assert";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runNodeTests } from "../support/node-tests.mjs";
import { askedFor, leftOut } from "../support/slow.mjs";
import { judgedNow } from "../support/suspects.mjs";

const none = { passed: 0, failed: 1 };
const rows = [
  ["tests that pass are counted", "passing", { passed: 1, failed: 0 }],
  ["one failing test is a failure", "failing", { passed: 1, failed: 1 }],
  ["a file that takes its process down is a failure", "crashing", none],
  ["what is thrown outside of every test is a failure", "throwing", { passed: 2, failed: 1 }],
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
    assert.equal(/ended before its tests did/.test(output), ["crashing", "leaving"].includes(file));
    if (file === "throwing") assert.match(output, /✖ .*throws where no test hears it.*on purpose/);
  });

test("runNodeTests names a hanging test and ends at the time limit", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "patchbay-node-runner-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, "tests");
  cpSync("test/fixtures/node-runner/hanging.mjs", join(folder, "hanging.mjs"));
  const asked = { folder, name: "1", files: ["hanging.mjs"], gentle: false, timeLimit: 500 };
  const { passed, failed, output } = await judgedNow(await runNodeTests(asked));
  assert.deepEqual({ passed, failed }, { passed: 1, failed: 1 });
  assert.match(output, /✖ waits for what never comes\n {2}It did not end within 0\.5 s\./);
});

const secondTries = [
  ["a test that passes when it is run once more is unsteady", "unsteady", 2, ["passes the second time"]],
  ["a test that fails when it is run once more is a failure", "failing", 1, []],
  ["a process that died is not run once more", "crashing", 0, undefined],
] as const;

for (const [rule, file, passes, unsteady] of secondTries)
  test(rule, async (t) => {
    const home = mkdtempSync(join(tmpdir(), "patchbay-node-runner-"));
    t.after(() => rmSync(home, { recursive: true, force: true }));
    const folder = join(home, "tests");
    cpSync(`test/fixtures/node-runner/${file}.mjs`, join(folder, `${file}.mjs`));
    const first = await runNodeTests({
      folder,
      name: "1",
      files: [`${file}.mjs`],
      gentle: false,
      secondTry: true,
    });
    const second = await first.again?.();
    assert.equal(first.passed + (second?.passed ?? 0), passes);
    assert.equal(first.failed + (second?.failed ?? 0), file === "unsteady" ? 0 : 1);
    assert.deepEqual(second?.unsteady, unsteady);
    if (file === "failing") assert.match(String(second?.output), /✖ fails\n.*\n.*on purpose/);
  });

test("a failure is believed at once where cases are drawn at random", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "patchbay-node-runner-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, "tests");
  cpSync("test/fixtures/node-runner/unsteady.mjs", join(folder, "unsteady.mjs"));
  const { passed, failed, again } = await runNodeTests({
    ...{ folder, name: "1", files: ["unsteady.mjs"], gentle: false, secondTry: true },
    believed: ["tests/unsteady.mjs"],
  });
  assert.deepEqual({ passed, failed, again }, { passed: 1, failed: 1, again: undefined });
});

const stretches = [
  ["a test in which the product computes for too long without a pause fails", "long-stretch", 1],
  ["the same work in pieces passes, and so do long tests and cases of a property", "short-stretches", 0],
] as const;

for (const [rule, file, expected] of stretches)
  test(rule, async (t) => {
    const failures = process.platform === "linux" ? expected : 0;
    const home = mkdtempSync(join(tmpdir(), "patchbay-node-runner-"));
    t.after(() => rmSync(home, { recursive: true, force: true }));
    const folder = join(home, "tests");
    cpSync(`test/fixtures/node-runner/${file}.mjs`, join(folder, `${file}.mjs`));
    symlinkSync(join(process.cwd(), "node_modules"), join(home, "node_modules"));
    const asked = { folder, name: "1", files: [`${file}.mjs`], gentle: false, watched: true };
    const ran = await judgedNow(await runNodeTests(asked));
    assert.equal(ran.failed, failures, ran.output);
    assert.equal(
      /computed for \d+ ms without a pause, each time it was run, mostly in work/.test(ran.output),
      failures === 1,
    );
  });

test("askedFor leaves out slow files unless all files or a long run are requested", (t) => {
  const { PATCHBAY_ALL: all, PATCHBAY_LONG: long } = process.env;
  t.after(() =>
    Object.assign(process.env, { ...(all && { PATCHBAY_ALL: all }), ...(long && { PATCHBAY_LONG: long }) }),
  );
  for (const name of ["PATCHBAY_ALL", "PATCHBAY_LONG"]) delete process.env[name];
  const names = ["ui/ways/first-day.test.mjs", "ui/review.slow.test.mjs"];
  assert.deepEqual(askedFor(names), names.slice(0, 1));
  assert.equal(leftOut(names), 1);
  for (const name of ["PATCHBAY_ALL", "PATCHBAY_LONG"]) {
    process.env[name] = "1";
    assert.deepEqual(askedFor(names), names);
    assert.equal(leftOut(names), 0);
    delete process.env[name];
  }
});
