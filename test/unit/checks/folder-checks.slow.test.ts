// Checks on the copy of one folder, with real programs: with the proposal and without it, each time as it should be.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Check, CheckCopy, CheckRun } from "../../../src/checks/check.ts";
import { FolderChecks, type FolderChecksDeps } from "../../../src/checks/internal/folder-checks.ts";
import { readerProgram } from "../../../src/checks/internal/reader-program.ts";
import type { Sandbox, SandboxResult } from "../../../src/checks/internal/sandbox/sandbox.ts";
import { unseenFiles } from "../../../src/checks/internal/unseen-files.ts";
import { copyThread } from "../../support/copy-thread.ts";

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
  const checks = new FolderChecks({
    copyThread: copyThread(),
    ...{ folder, storage: join(home, "storage"), isLeftOut: () => false, unsaved: () => [] },
    programOf: (reader) => readerProgram(reader, folder, [folder]),
    sandbox: async () => undefined,
    ...deps,
  });
  t.after(async () => {
    await checks.close();
    fs.rmSync(home, { recursive: true, force: true });
  });
  return { folder, checks };
}

const said = ({ output }: CheckRun) => output.trim();

test("a check runs with and without the proposal, over unsaved text, on a copy restored in between", async (t) => {
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

test("a search that copies much later on tells whoever uses the copy then", async (t) => {
  const { folder, checks } = setUp(t, { "package.json": "{}", "a.txt": "1" });
  const search = { name: "parts" } as const;
  const told: string[] = [];
  const use = (name: string, isConfined: boolean) =>
    checks.withCopy([["a.txt", "p"]], (copy) => copy.run(check("true", { isConfined }), never), never, {
      progress: () => void told.push(name),
      search,
    });
  await use("first", true);
  for (let at = 0; at < 1000; at++) fs.writeFileSync(join(folder, `${at}.txt`), "new");
  await use("second", false);
  assert.deepEqual([...new Set(told)], ["second"]);
});

test("a baseline run is remembered until a file changes", async (t) => {
  const { folder, checks } = setUp(t, { "a.txt": "1" });
  const counted = check("echo x >> .count; wc -l < .count");
  const baseline = () =>
    checks.withCopy([["a.txt", "p"]], async (copy) => said(await copy.baseline(counted, never)), never);
  const known = () => checks.withCopy([["b.txt", "p"]], (copy) => copy.knownBaseline(counted, never), never);
  assert.equal(await known(), undefined);
  assert.equal(await baseline(), "1");
  assert.equal(await baseline(), "1");
  assert.equal((await known())?.output.trim(), "1");
  fs.writeFileSync(join(folder, "a.txt"), "another");
  assert.equal(await baseline(), "2");
});

test("check output never contains the path of the copy", async (t) => {
  const { checks } = setUp(t, { "src/a.txt": "1" });
  const [output] = await checks.withCopy(
    [],
    async (copy) => [said(await copy.run(check("ls $PWD/src/a.txt; pwd"), never))],
    never,
  );
  assert.equal(output, "src/a.txt\n.");
});

test("a run without the proposal that did not end by itself is not remembered", async (t) => {
  const ends: readonly Partial<SandboxResult>[] = [{ end: "broken" }, { end: "timeout" }, { code: 1 }, {}];
  let runs = 0;
  const run: Sandbox["run"] = async () => ({ end: "done", output: "", seconds: 1, ...ends[runs++] });
  const sandbox = async () => ({ overlays: true, run });
  const { checks } = setUp(t, { "a.txt": "1" }, { sandbox });
  const use = (copy: CheckCopy) => copy.baseline(check("test", { isConfined: true }), never);
  const seen = [];
  for (let at = 0; at < 4; at++) seen.push(await checks.withCopy([], use, never));
  assert.deepEqual(
    seen.map(({ end, code }) => [end, code]),
    [
      ["sandbox", undefined],
      ["timeout", undefined],
      ["done", 1],
      ["done", 1],
    ],
  );
});

test("the folder's path is taken off paths that begin with it, and left where it is part of another one", async (t) => {
  const run: Sandbox["run"] = async ({ at }) => ({
    ...{ end: "done", code: 0, seconds: 1 },
    output: [`${at}/a.ts(1,2)`, `src${at}/b.ts`, `${at}-old/c.ts`, `(file://${at}/d.ts)`, `in ${at}.`].join(),
  });
  const { folder, checks } = setUp(t, {}, { sandbox: async () => ({ overlays: true, run }) });
  fs.mkdirSync(folder);
  const use = (copy: CheckCopy) => copy.run(check("test", { isConfined: true }), never);
  const { output } = await checks.withCopy([], use, never);
  assert.equal(output, `a.ts(1,2),src${folder}/b.ts,${folder}-old/c.ts,(file://d.ts),in ..`);
});

test("concurrent checks of a folder take turns, and stopping one admits the next", async (t) => {
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

test("a question waits neither for the copy nor for the measuring, which goes on", async (t) => {
  const home = fs.mkdtempSync(join(tmpdir(), "patchbay-git-"));
  t.after(() => fs.rmSync(home, { recursive: true }));
  const [git, gate] = [join(home, "git"), join(home, "open")];
  fs.writeFileSync(git, `#!/bin/sh\nuntil [ -e ${gate} ]; do sleep 0.02; done\nexit 1\n`, { mode: 0o755 });
  const { checks } = setUp(t, { "a.txt": "1" }, { git });
  const soon = new AbortController();
  let isListed = false;
  const measured = checks.measure(never, soon.signal).then((size) => [size, isListed]);
  setImmediate(() => {
    soon.abort();
    setImmediate(() => {
      isListed = true;
      fs.writeFileSync(gate, "");
    });
  });
  assert.deepEqual(await measured, [undefined, false]);
  await checks.withCopy(
    [],
    async (copy) => {
      assert.equal(await checks.measure(never, AbortSignal.abort()), undefined);
      assert.equal(said(await copy.run(check("cat a.txt"), never)), "1");
    },
    never,
  );
});

test("results without a proposal are forgotten where their outputs are very long", async (t) => {
  const { checks } = setUp(t, { "a.txt": "1" });
  const long = (letter: string) => check(`head -c 3900000 /dev/zero | tr '\\0' ${letter}`);
  const known = await checks.withCopy(
    [],
    async (copy) => {
      for (const letter of "abcde") await copy.baseline(long(letter), never);
      const kept = await Promise.all([..."abcde"].map((letter) => copy.knownBaseline(long(letter), never)));
      return kept.map((run) => run !== undefined);
    },
    never,
  );
  assert.deepEqual(known, [false, true, true, true, true]);
});

test("a proposal that is asked for is asked for when it is its turn", async (t) => {
  const { checks } = setUp(t, { "a.txt": "1" });
  let now = "before";
  const first = checks.withCopy([], async () => (now = "after"), never);
  const second = checks.withCopy(
    async () => [["a.txt", now]],
    (copy) => copy.run(check("cat a.txt"), never),
    never,
  );
  await first;
  assert.equal(said(await second), "after");
});

test("a run reports the files that its check changed in the folder itself", async (t) => {
  const { folder, checks } = setUp(t, { "a.txt": "1", "b.txt": "2" });
  const run = (command: string) =>
    checks.withCopy([], async (copy) => (await copy.run(check(command), never)).touched, never);
  assert.equal(await run("echo x > a.txt"), undefined);
  assert.deepEqual(await run(`echo x > ${folder}/a.txt`), ["a.txt"]);
});

test("a check that executes gets its own copy of the dependencies however many are installed", async (t) => {
  const files = { "package.json": "{}", "a.txt": "1", "node_modules/dep/index.js": "dep" };
  const { folder, checks } = setUp(t, files, { limits: { dependencyFiles: 0 } });
  const harmful = check("echo patched > node_modules/dep/index.js; cat node_modules/dep/index.js");
  const run = await checks.withCopy([], (copy) => copy.run(harmful, never), never);
  assert.equal(said(run), "patched");
  assert.equal(fs.readFileSync(join(folder, "node_modules/dep/index.js"), "utf8"), "dep");
});

test("caches, outputs and dependencies changed by a run on a proposal are gone in the next run", async (t) => {
  const files = { "package.json": "{}", "a.txt": "1", "node_modules/dep/index.js": "dep" };
  const { checks } = setUp(t, { ...files, "node_modules/other/index.js": "other" });
  const fill = (what: string) =>
    check(
      `mkdir -p dist .cache node_modules/.cache; for f in dist/${what} .cache/${what} node_modules/.cache/${what}; do echo x > $f; done`,
    );
  const forge = check(
    "echo forged > node_modules/dep/index.js; rm -r node_modules/other; echo x > node_modules/new",
  );
  const list = check("ls -A dist .cache; find node_modules -type f | sort; cat node_modules/dep/index.js");
  const proposed = [["a.txt", "p"]] as const;
  await checks.withCopy(proposed, (copy) => copy.baseline(fill("honest"), never), never);
  for (const each of [fill("forged"), forge])
    await checks.withCopy(proposed, (copy) => copy.run(each, never), never);
  const seen = await checks.withCopy(proposed, async (copy) => said(await copy.run(list, never)), never);
  assert.deepEqual(seen.split("\n"), [
    ...[".cache:", "honest", "", "dist:", "honest", "node_modules/dep/index.js"],
    ...["node_modules/other/index.js", "dep"],
  ]);
});

test("dependencies that a run on a proposal has moved, swapped or back-dated are as they were in the next run", async (t) => {
  const names = [
    "one/lib/a.js",
    "one/lib/b.js",
    "one/index.js",
    "two/lib/a.js",
    "two/lib/b.js",
    "two/index.js",
  ];
  const installed = names.map((name) => [`node_modules/${name}`, name] as const);
  const { checks } = setUp(t, { "package.json": "{}", "a.txt": "1", ...Object.fromEntries(installed) });
  const tricks = [
    "cd node_modules; mv one/lib/a.js two/lib/a.js",
    "cd node_modules; mv one/lib kept; mv two/lib one/lib; mv kept two/lib",
    "cd node_modules; mv one gone; cp -a gone one; echo forged > one/lib/b.js; rm -r gone",
    "cd node_modules; echo forged > one/lib/a.js; touch -d 2001-01-01 one/lib/a.js one/lib one",
    "cd node_modules; rm one/lib/a.js; mkdir one/lib/a.js; echo forged > one/lib/a.js/b.js",
    "cd node_modules; rm -r one/lib; ln -s ../two/lib one/lib",
    "cd node_modules; mv one/lib/a.js t; mv one/lib/b.js one/lib/a.js; mv t one/lib/b.js",
  ];
  const list = check("cd node_modules; find . | sort; cat */index.js */lib/*.js");
  const proposed = [["a.txt", "p"]] as const;
  const look = () => checks.withCopy(proposed, async (copy) => said(await copy.run(list, never)), never);
  const before = await look();
  for (const trick of tricks) {
    await checks.withCopy(proposed, (copy) => copy.run(check(trick), never), never);
    assert.equal(await look(), before, trick);
  }
});

test("closing the checks of a folder ends the running command and writes nothing afterwards", async (t) => {
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

test("a copy that could not be made is retried with the next run", async (t) => {
  const { folder, checks } = setUp(t, {});
  const list = () => checks.withCopy([], async (copy) => said(await copy.run(check("ls"), never)), never);
  await assert.rejects(list(), /ENOENT/);
  fs.mkdirSync(folder);
  fs.writeFileSync(join(folder, "a.txt"), "a");
  assert.equal(await list(), "a.txt");
});

test("unseenFiles reads skipped files from a compiler's state, and ignores an unknown format", async (t) => {
  const { folder } = setUp(t, { "a.ts": "1" });
  const file = join(folder, "state.tsbuildinfo");
  const proposed = ["src/a.ts", "src/[id].ts", "src/B.js", "notes.md"];
  const unseen = (text: string) => {
    fs.writeFileSync(file, text);
    return unseenFiles({ file, folder }, join(folder, "copy"), proposed);
  };
  const names = JSON.stringify(["lib.d.ts", "./copy/src/[id].ts", "copy/src/A.ts"]);
  for (const text of [
    `{"version":"7","fileNames":${names},"x":[]}`,
    `{"program":{"fileNames":${names}, "x":1}}`,
  ])
    assert.deepEqual(await unseen(text), ["src/B.js"]);
  for (const text of ["", "{}", '{"fileNames":[1,2],"x":["a"],"y":1}', '{"fileNames":["a'])
    assert.deepEqual(await unseen(text), [], text);
  fs.rmSync(file);
  assert.deepEqual(await unseenFiles({ file, folder }, folder, proposed), []);
});
