// The copy that checks run on: it holds what the folder holds.
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { Worker } from "node:worker_threads";
import type { Copy } from "../../../src/checks/internal/copy/files-without-links.ts";
import { FolderTooLarge, ShadowCopy, sweepCopies } from "../../../src/checks/internal/copy/shadow-copy.ts";
import { listAt } from "../../../src/checks/internal/copy/sources.ts";
import { firstLine } from "../../../src/patch/notebook.ts";
import { copyThread } from "../../support/copy-thread.ts";
import { writeFolder } from "../../support/folder-picture.ts";
import { isRoot, nobody } from "../../support/ordinary-user.ts";
import { git, never, setUp } from "./copied-folder.ts";

test("a copy has what Git shows, with executable bits, and no ignored or private files", async (t) => {
  const { workspace, copy, read, has } = await setUp(t, {
    ".gitignore": "dist/\n*.log\n",
    "src/a.ts": "a",
    "run.sh": "echo",
    "secret.env": "KEY=1",
    "dist/out.js": "built",
    "x.log": "log",
  });
  fs.chmodSync(join(workspace, "run.sh"), 0o755);
  writeFolder(workspace, { "new.ts": "new and not tracked" });
  const { files } = await copy.update([], "links", never);
  assert.equal(files, 4);
  assert.equal(read("src/a.ts"), "a");
  assert.equal(read("new.ts"), "new and not tracked");
  for (const path of ["secret.env", "dist/out.js", "x.log", ".git"]) assert.ok(!has(path), path);
  assert.equal(fs.statSync(join(copy.place, "run.sh")).mode & 0o777, 0o700);
  assert.equal(fs.statSync(join(copy.place, "src/a.ts")).mode & 0o777, 0o600);
  assert.equal(fs.statSync(copy.place).mode & 0o777, 0o700);
});

test("a copy of a folder without Git leaves out dependencies and build outputs", async (t) => {
  const { copy, read, has } = await setUp(
    t,
    {
      ...{ "a.py": "1", "pkg/b.py": "2", "target/debug/x": "built", "node_modules/x/index.js": "x" },
      "pkg/secret.env": "KEY=1",
    },
    { isPlain: true },
  );
  await copy.update([], "links", never);
  assert.deepEqual([read("a.py"), read("pkg/b.py")], ["1", "2"]);
  assert.ok(!has("target") && !has("node_modules") && !has("pkg/secret.env"));
});

test("a copy includes the ignored files that a person names, except private ones", async (t) => {
  const { workspace, copy, read, has } = await setUp(
    t,
    { ".gitignore": "generated/\nlocal.json\n*.env\n", "src/a.ts": "a" },
    { named: () => ["generated", "local.json", "gone"] },
  );
  writeFolder(workspace, {
    "generated/api.ts": "api",
    "generated/more/b.ts": "b",
    "generated/x.env": "KEY=1",
    "local.json": "{}",
    "other.env": "KEY=2",
  });
  await copy.update([], "links", never);
  assert.deepEqual(["generated/api.ts", "generated/more/b.ts", "local.json"].map(read), ["api", "b", "{}"]);
  assert.ok(!has("generated/x.env") && !has("other.env"));
  fs.rmSync(join(workspace, "generated/more"), { recursive: true });
  await copy.update([], "links", never);
  assert.ok(!has("generated/more"));
});

test("a copy goes on after its thread has ended between two tasks", async (t) => {
  const threads: Worker[] = [];
  const seen = (thread: Worker) => void threads.push(thread);
  process.on("worker", seen);
  t.after(() => process.off("worker", seen));
  const { workspace, copy, read } = await setUp(t, { "a.ts": "1" });
  await copy.update([], "links", never);
  assert.equal(threads.length, 1);
  await Promise.all(threads.map((thread) => thread.terminate()));
  writeFolder(workspace, { "a.ts": "one" });
  // Without this limit, a thread that is gone would be waited for without end.
  await copy.update([], "links", AbortSignal.timeout(30_000));
  assert.equal(read("a.ts"), "one");
});

test("updating a copy follows the folder and writes only what changed", async (t) => {
  const { workspace, copy, read, has } = await setUp(t, { "a.ts": "1", "b.ts": "2", "c/d.ts": "3" });
  const first = await copy.update([], "links", never);
  assert.equal(first.written, 3);
  const before = fs.statSync(join(copy.place, "b.ts")).mtimeMs;
  writeFolder(workspace, { "a.ts": "one", "e.ts": "5" });
  fs.rmSync(join(workspace, "c"), { recursive: true });
  const second = await copy.update([], "links", never);
  assert.equal(second.written, 2);
  assert.notEqual(second.state, first.state);
  assert.deepEqual([read("a.ts"), read("e.ts"), has("c/d.ts")], ["one", "5", false]);
  assert.equal(fs.statSync(join(copy.place, "b.ts")).mtimeMs, before);
  assert.equal((await copy.update([], "links", never)).state, second.state);
});

test("the state of a copy depends on the folder's files alone, not on proposed texts", async (t) => {
  const { workspace, copy } = await setUp(t, { "a.ts": "1", "b.ts": "2" });
  const stateWith = async (...texts: readonly (readonly [string, string | null])[]) =>
    (await copy.update(texts, "links", never)).state;
  const first = await stateWith(["a.ts", "proposed"], ["new.ts", "proposed"]);
  assert.equal(await stateWith(), first);
  assert.equal(await stateWith(["b.ts", null]), first);
  writeFolder(workspace, { "b.ts": "other" });
  const second = await stateWith(["b.ts", "proposed"]);
  assert.notEqual(second, first, "also where the file itself is not looked at");
  assert.equal(await stateWith(["b.ts", "proposed again"]), second);
  assert.equal(await stateWith(), second);
  fs.rmSync(join(workspace, "b.ts"));
  assert.notEqual(await stateWith(["b.ts", "proposed"]), second);
});

test("updating a copy replaces a changed file of the same size and time", async (t) => {
  const { workspace, copy, read } = await setUp(t, { "a.ts": "old" });
  await copy.update([], "links", never);
  const { atime, mtime } = fs.statSync(join(workspace, "a.ts"));
  writeFolder(workspace, { "a.ts": "new" });
  fs.utimesSync(join(workspace, "a.ts"), atime, mtime);
  await copy.update([], "links", never);
  assert.equal(read("a.ts"), "new");
});

test("a copy shows proposed texts over the files, and restores the files afterwards", async (t) => {
  const { copy, read, has } = await setUp(t, { "a.ts": "old", "gone.ts": "there", "kept.ts": "kept" });
  const { state } = await copy.update([], "links", never);
  const proposed = [
    ["a.ts", "proposed"],
    ["gone.ts", null],
    ["deep/er/new.ts", "added"],
  ] as const;
  assert.equal(
    (await copy.update(proposed, "links", never)).state,
    state,
    "the state is that of the files alone",
  );
  assert.deepEqual([read("a.ts"), has("gone.ts"), read("deep/er/new.ts")], ["proposed", false, "added"]);
  await copy.restore([], undefined, never);
  assert.deepEqual([read("a.ts"), read("gone.ts"), has("deep")], ["old", "there", false]);
  await copy.restore(proposed, undefined, never);
  assert.deepEqual([read("a.ts"), has("gone.ts"), read("deep/er/new.ts")], ["proposed", false, "added"]);
  assert.equal((await copy.update(proposed, "links", never)).written, 0);
});

test("a copy has a proposed notebook as its file, with the outputs of the folder's own", async (t) => {
  const cell = (source: string) => ({
    ...{ cell_type: "code", execution_count: 1, metadata: {}, source: [source] },
    outputs: [{ name: "stdout", output_type: "stream", text: ["2"] }],
  });
  const file = (source: string) => JSON.stringify({ cells: [cell(source)], metadata: {}, nbformat: 4 });
  const { copy, read } = await setUp(t, { "a.ipynb": file("1 + 1") });
  await copy.update([["a.ipynb", `${firstLine}\n# %% code\n2 + 0\n`]], "links", never);
  assert.equal(read("a.ipynb"), file("2 + 0"));
  await copy.update([["new.ipynb", `${firstLine}\n# %% raw\nnew\n`]], "links", never);
  assert.deepEqual(JSON.parse(read("new.ipynb")).cells[0].source, ["new"]);
  assert.equal(read("a.ipynb"), file("1 + 1"));
  const renamed = `${firstLine}\n# %% code\n1 + 1\n`;
  await copy.update(
    [
      ["a.ipynb", null],
      ["b.ipynb", renamed],
    ],
    "links",
    never,
  );
  assert.equal(read("b.ipynb"), file("1 + 1"));
});

for (const [kind, dependencyFiles] of [
  ["copied", 1000],
  ["linked", 0],
] as const)
  test(`a copy with ${kind} dependencies resolves workspace packages to the copy`, async (t) => {
    const { copy, run, read } = await setUp(
      t,
      {
        ".gitignore": "node_modules\n",
        "package.json": '{"workspaces":["packages/*"]}',
        "packages/a/package.json": "{}",
        "packages/a/index.js": "console.log(require('@org/b'), require('dep'), require('c'))",
        "packages/b/package.json": '{"main":"index.js"}',
        "packages/b/index.js": "module.exports = 'live'",
        "packages/c/package.json": '{"main":"index.js"}',
        "packages/c/index.js": "module.exports = 'live'",
        // npm at the top, pnpm beside the package that needs it.
        "node_modules/@org/b": "-> ../../packages/b",
        "node_modules/dep": "-> .pnpm/dep@1.0.0/node_modules/dep",
        "node_modules/.pnpm/dep@1.0.0/node_modules/dep/index.js": "module.exports = 'dependency'",
        "packages/a/node_modules/c": "-> ../../c",
      },
      { limits: { dependencyFiles } },
    );
    const { linked } = await copy.update(
      [
        ["packages/b/index.js", "module.exports = 'proposed'"],
        ["packages/c/index.js", "module.exports = 'proposed too'"],
      ],
      "links",
      never,
    );
    assert.deepEqual(linked, kind === "linked" ? ["node_modules", "packages/a/node_modules"] : []);
    const { output, code } = await run("node packages/a/index.js");
    assert.deepEqual([code, output.trim()], [0, "proposed dependency proposed too"]);
    await run("mkdir -p node_modules/.vite && echo x > node_modules/.vite/x && rm -rf node_modules/dep");
    assert.ok(read("packages/b/index.js").includes("proposed"));
  });

test("updating a copy notices newly installed dependencies", async (t) => {
  const { workspace, copy, has } = await setUp(t, {
    ".gitignore": "node_modules\n",
    "package.json": "{}",
    "node_modules/one/index.js": "1",
  });
  const { state } = await copy.update([], "links", never);
  writeFolder(workspace, { "node_modules/two/index.js": "2" });
  assert.notEqual((await copy.update([], "links", never)).state, state);
  assert.ok(has("node_modules/two/index.js"));
});

test("changedSince finds files written, added and deleted in the folder, and Git hooks and config", async (t) => {
  const files = {
    ...{ ".gitignore": "node_modules\n", "package.json": "{}", "src/a.ts": "a", "src/b.ts": "b" },
    ...{ "node_modules/dep/index.js": "dep", "node_modules/gone/index.js": "gone" },
  };
  const { workspace, copy, run } = await setUp(t, files);
  await copy.update([], "own", never);
  await run("echo patched > node_modules/dep/index.js; echo x > src/a.ts; rm src/b.ts");
  const time = fs.statSync(join(copy.temporary, "..", "manifest.json")).ctimeMs;
  assert.deepEqual(await copy.changedSince(time, never), []);
  await run(
    `cd ${workspace} && echo x > src/a.ts && echo y > src/new.ts && rm src/b.ts && echo z > .git/hooks/pre-commit` +
      " && echo patched > node_modules/dep/index.js && rm -r node_modules/gone && git config x.y z",
  );
  assert.deepEqual((await copy.changedSince(time, never)).toSorted(), [
    ...[".git/config", ".git/hooks/pre-commit", "node_modules/", "node_modules/dep/index.js"],
    ...["src/a.ts", "src/b.ts", "src/new.ts"],
  ]);
});

test("a Python environment in a copy points to the copy's sources", async (t) => {
  const { workspace, copy, read } = await setUp(t, {
    ".gitignore": ".venv\n",
    "pyproject.toml": "",
    "pkg/a.py": "",
  });
  writeFolder(workspace, {
    ".venv/pyvenv.cfg": "home = /usr/bin\n",
    ".venv/bin/python": "-> /usr/bin/python3",
    ".venv/bin/pytest": `#!${workspace}/.venv/bin/python\nimport sys\n`,
    ".venv/lib/python3.12/site-packages/__editable__.pkg.pth": `${workspace}\n`,
    ".venv/lib/python3.12/site-packages/dep/__init__.py": "dep",
  });
  await copy.update([], "links", never);
  const site = ".venv/lib/python3.12/site-packages";
  assert.equal(read(`${site}/__editable__.pkg.pth`), `${copy.place}\n`);
  assert.equal(read(".venv/bin/pytest"), `#!${copy.place}/.venv/bin/python\nimport sys\n`);
  assert.equal(fs.readlinkSync(join(copy.place, ".venv/bin/python")), fs.realpathSync("/usr/bin/python3"));
  assert.equal(read(`${site}/dep/__init__.py`), "dep");
});

test("a copy refuses a folder that is too large, and continues after a cancelled update", async (t) => {
  const files = Object.fromEntries(Array.from({ length: 1200 }, (_, at) => [`src/${at}.ts`, `${at}`]));
  const { workspace, storage, copy, read } = await setUp(t, files);
  const small = await ShadowCopy.open(workspace, {
    copyThread: copyThread(),
    storage,
    git,
    isLeftOut: () => false,
    limits: { files: 1000 },
  });
  await assert.rejects(small.update([], "links", never), FolderTooLarge);
  await small.close();
  const stop = new AbortController();
  const told: number[] = [];
  const stopAtOnce = (done: number) => {
    told.push(done);
    stop.abort(new Error("cancelled"));
  };
  await assert.rejects(copy.update([], "links", stop.signal, stopAtOnce), /cancelled/);
  assert.deepEqual(told.slice(0, 1), [500]);
  await copy.update([], "links", never);
  assert.equal(read("src/1199.ts"), "1199");
});

test("two windows get a copy each, which is reused later and swept once its folder is gone", async (t) => {
  const { workspace, storage, copy } = await setUp(t, { "a.ts": "a" });
  await copy.update([], "links", never);
  const deps = { copyThread: copyThread(), storage, git, isLeftOut: () => false };
  const other = await ShadowCopy.open(workspace, deps);
  assert.notEqual(other.place, copy.place);
  await other.close();
  await copy.close();
  const again = await ShadowCopy.open(workspace, deps);
  assert.equal(again.place, copy.place);
  assert.equal((await again.update([], "links", never)).written, 0);
  await again.close();
  await sweepCopies(storage, Date.now());
  assert.ok(fs.existsSync(copy.place));
  fs.rmSync(workspace, { recursive: true });
  await sweepCopies(storage, Date.now());
  assert.deepEqual(fs.readdirSync(storage), []);
});

test("a copy that fails to open is released for the next attempt", async (t) => {
  const { workspace, storage, copy } = await setUp(t, { "a.ts": "a" });
  await copy.close();
  const deps = { copyThread: copyThread(), storage, git, isLeftOut: () => false };
  const name = join(dirname(copy.place), "folder");
  fs.rmSync(name);
  fs.mkdirSync(name);
  await assert.rejects(ShadowCopy.open(workspace, deps));
  fs.rmdirSync(name);
  const again = await ShadowCopy.open(workspace, deps);
  t.after(() => again.close());
  assert.equal(again.place, copy.place);
});

test("a folder without Git is listed without what nobody can read in it", (t) => {
  const root = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "patchbay-listed-"));
  const closed = join(root, "data");
  t.after(() => {
    fs.chmodSync(closed, 0o700);
    fs.rmSync(root, { recursive: true });
  });
  writeFolder(root, { "a.ts": "a", "data/b.ts": "b", "src/c.ts": "c" });
  fs.chmodSync(root, 0o755);
  fs.chmodSync(closed, 0);
  const list = (folder: string) => listAt({ root: folder, limits: { files: 9 } } as Copy, [""]).sort();
  // Root can read everything.
  if (isRoot) process.seteuid?.(nobody);
  try {
    assert.deepEqual(list(root), ["a.ts", "src/c.ts"]);
    assert.throws(() => list(closed), { code: "EACCES" });
  } finally {
    // Hooks of other files run before this test's own.
    if (isRoot) process.seteuid?.(0);
  }
});
