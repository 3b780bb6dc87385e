// Checks on the copy of one folder, with real programs: with the proposal and without it, each time as it should be.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Check, CheckRun } from "../../../../src/core/checks/check.ts";
import { FolderChecks, type FolderChecksDeps } from "../../../../src/shell/checks/folder-checks.ts";

const never = new AbortController().signal;

const check = (command: string, more: Partial<Check> = {}): Check => ({
  ...{ id: command, name: "c", command, kind: "static", folder: "f", blind: [] },
  ...more,
});

function setUp(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  deps: Partial<FolderChecksDeps> = {},
) {
  const home = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "patchbay-checks-"));
  const folder = join(home, "workspace");
  for (const [path, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(folder, path)), { recursive: true });
    fs.writeFileSync(join(folder, path), text);
  }
  const wrote: string[] = [];
  const checks = new FolderChecks({
    ...{ folder, storage: join(home, "storage"), isLeftOut: () => false, unsaved: () => [] },
    wroteOut: ({ id }) => wrote.push(id),
    ...deps,
  });
  t.after(async () => {
    await checks.close();
    fs.rmSync(home, { recursive: true, force: true });
  });
  return { folder, checks, wrote };
}

const said = ({ output }: CheckRun) => output.trim();

test("with the proposal and without it, over what is not saved, and the copy is mended in between", async (t) => {
  const unsaved = [["b.txt", "typed"]] as const;
  const { checks } = setUp(t, { "a.txt": "disk", "b.txt": "disk" }, { unsaved: () => unsaved });
  const both = check("cat a.txt; echo; cat b.txt; echo broken > a.txt; rm b.txt; echo stray > c.txt; ls");
  const seen = await checks.withCopy(
    [["a.txt", "proposed"]],
    async (copy) => [
      said(await copy.run(both, never)),
      said(await copy.run(both, never)),
      said(await copy.baseline(both, never)),
      said(await copy.run(both, never)),
    ],
    never,
  );
  const picture = (first: string) => `${first}\ntypeda.txt\nc.txt`;
  assert.deepEqual(seen, ["proposed", "proposed", "disk", "proposed"].map(picture));
});

test("a run without the proposal is remembered until a file is another one", async (t) => {
  const { folder, checks } = setUp(t, { "a.txt": "1" });
  const counted = check("echo x >> .count; wc -l < .count");
  const baseline = () =>
    checks.withCopy([["a.txt", "p"]], async (copy) => said(await copy.baseline(counted, never)), never);
  assert.equal(await baseline(), "1");
  assert.equal(await baseline(), "1");
  fs.writeFileSync(join(folder, "a.txt"), "another");
  assert.equal(await baseline(), "2");
});

test("the place of the copy is in no output", async (t) => {
  const { checks } = setUp(t, { "src/a.txt": "1" });
  const [output] = await checks.withCopy(
    [],
    async (copy) => [said(await copy.run(check("ls $PWD/src/a.txt; pwd"), never))],
    never,
  );
  assert.equal(output, "src/a.txt\n.");
});

test("two that are asked for at once take turns, and one that is stopped lets the next one in", async (t) => {
  const { checks } = setUp(t, { "a.txt": "1" });
  const stop = new AbortController();
  const first = checks.withCopy(
    [],
    async (copy) => {
      const running = copy.run(check("sleep 600"), stop.signal);
      stop.abort(new Error("stopped"));
      return running;
    },
    stop.signal,
  );
  const second = checks.withCopy([], (copy) => copy.run(check("cat a.txt"), never), never);
  await assert.rejects(first, /stopped/);
  assert.equal(said(await second), "1");
});

test("who writes into shared dependencies is told of", async (t) => {
  const files = { "package.json": "{}", "a.txt": "1", "node_modules/dep/index.js": "dep" };
  const { checks, wrote } = setUp(t, files, { limits: { dependencyFiles: 0 } });
  const harmful = check("echo patched > node_modules/dep/index.js");
  await checks.withCopy([], (copy) => copy.run(check("cat node_modules/dep/index.js"), never), never);
  assert.deepEqual(wrote, []);
  await checks.withCopy([], (copy) => copy.run(harmful, never), never);
  assert.deepEqual(wrote, [harmful.id]);
});

test("what runs ends when the folder's checks are closed, and nothing is written after that", async (t) => {
  const { folder, checks } = setUp(t, { "a.txt": "a" });
  const began = join(dirname(folder), "began");
  execFileSync("mkfifo", [began]);
  const long = check(`echo began > ${began}; sleep 1000`);
  const running = checks.withCopy([], (copy) => copy.run(long, never), never);
  await fs.promises.readFile(began);
  const [ended] = await Promise.allSettled([running, checks.close()]);
  assert.equal(ended.status, "rejected");
  fs.rmSync(join(dirname(folder), "storage"), { recursive: true });
  await assert.rejects(checks.withCopy([], (copy) => copy.run(long, never), never));
  assert.equal(fs.existsSync(join(dirname(folder), "storage")), false);
});

test("a copy that could not be made is tried again with the next run", async (t) => {
  const { folder, checks } = setUp(t, {});
  const list = () => checks.withCopy([], async (copy) => said(await copy.run(check("ls"), never)), never);
  await assert.rejects(list(), /ENOENT/);
  fs.mkdirSync(folder);
  fs.writeFileSync(join(folder, "a.txt"), "a");
  assert.equal(await list(), "a.txt");
});
