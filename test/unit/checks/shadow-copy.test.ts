// The copy that checks run on: it holds what the folder holds, and nothing that happens to it reaches the folder.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  type CopyDeps,
  FolderTooLarge,
  ShadowCopy,
  sweepCopies,
} from "../../../src/checks/internal/copy/shadow-copy.ts";
import { runCommand } from "../../../src/checks/internal/run-check-command.ts";
import { firstLine } from "../../../src/patch/notebook.ts";
import { copyThread } from "../../support/copy-thread.ts";
import { type FolderFiles, writeFolder } from "../../support/folder-picture.ts";

const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
const never = new AbortController().signal;

/** Every file, folder and link below a folder, with what it holds. */
function pictureOf(folder: string): string {
  const lines = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const place = join(entry.parentPath, entry.name);
      const stats = fs.lstatSync(place);
      const text = stats.isSymbolicLink()
        ? fs.readlinkSync(place)
        : stats.isFile()
          ? fs.readFileSync(place)
          : "";
      return `${place} ${stats.mode} ${createHash("sha256").update(text).digest("hex")}`;
    })
    .sort();
  return lines.join("\n");
}

async function setUp(
  t: TestContext,
  files: FolderFiles,
  deps: Partial<CopyDeps> & { readonly isPlain?: boolean } = {},
) {
  const home = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "patchbay-copy-"));
  const [workspace, storage, outside] = ["workspace", "storage", "outside"].map((name) =>
    join(home, name),
  ) as [string, string, string];
  for (const folder of [workspace, outside]) fs.mkdirSync(folder);
  writeFolder(workspace, files);
  if (deps.isPlain !== true) {
    execFileSync(git, ["init", "-q"], { cwd: workspace });
    execFileSync(git, ["add", "-A"], { cwd: workspace });
  }
  const copy = await ShadowCopy.open(workspace, {
    copyThread: copyThread(),
    storage,
    git: deps.isPlain === true ? undefined : git,
    isLeftOut: (path) => path.endsWith(".env"),
    ...deps,
  });
  t.after(async () => {
    await copy.close();
    fs.rmSync(home, { recursive: true, force: true });
  });
  const run = (command: string, seconds = 20) =>
    runCommand({ command, folder: copy.place, temporary: copy.temporary, seconds }, never);
  const read = (path: string) => fs.readFileSync(join(copy.place, path), "utf8");
  const has = (path: string) => fs.existsSync(join(copy.place, path));
  return { home, workspace, storage, outside, copy, run, read, has };
}

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

test("a check cannot change the folder by rewriting, deleting, links, dependencies or parent paths", async (t) => {
  const { workspace, storage, outside, run, read, ...given } = await setUp(t, {
    ".gitignore": "node_modules/\n",
    "package.json": "{}",
    "src/a.js": "a",
    "src/deep/b.js": "b",
    "inside.js": "-> src/a.js",
    folder: "-> src/deep",
    "node_modules/dep/index.js": "dep",
    "node_modules/.bin/tool": "-> ../dep/index.js",
    "node_modules/own": "-> ../packages/own",
    "packages/own/index.js": "own",
    "packages/own/package.json": "{}",
  });
  let { copy } = given;
  writeFolder(outside, { "victim.js": "outside" });
  writeFolder(workspace, {
    "whole.js": `-> ${join(workspace, "src/a.js")}`,
    "out.js": `-> ${join(outside, "victim.js")}`,
    out: `-> ${outside}`,
  });
  const updated = await copy.update([], "links", never);
  assert.equal(updated.leftOut, 2, "links out of the folder are no part of the copy");
  const before = [pictureOf(workspace), pictureOf(outside)];
  const harmful = [
    "for f in src/*.js inside.js whole.js folder/*.js out.js; do echo formatted > $f; done",
    "find . -name '*.js' | while read f; do echo formatted > $f; done",
    "find -L . -name '*.js' | while read f; do echo formatted > $f; done",
    "echo patched > node_modules/dep/index.js; echo x > node_modules/dep/new.js; echo y > node_modules/own/index.js",
    "echo x > node_modules/.bin/tool; mkdir -p node_modules/.cache; echo c > node_modules/.cache/c",
    "rm -rf src packages node_modules inside.js; rm -rf .git",
    "rm -rf src node_modules; echo a file > src; echo another > node_modules",
    "for up in .. ../.. ../../..; do for d in $up/*/; do case $d in *storage*|*outside*|*workspace*) ;; *) rm -rf $d;; esac; done; done",
    "cd ..; echo x > escaped; rm -rf copy/*",
    `cd .. && rm -rf copy && ln -s ${workspace} copy`,
    "rm -rf * .[!.]*",
  ];
  for (const command of harmful) {
    await run(command);
    assert.deepEqual([pictureOf(workspace), pictureOf(outside)], before, command);
    // Who takes everything away takes away whose it is: then the next run begins with a new copy in the same place.
    const isLost = !(await copy.isOurs());
    if (isLost) {
      await copy.close();
      copy = await ShadowCopy.open(workspace, {
        copyThread: copyThread(),
        storage,
        git,
        isLeftOut: () => false,
      });
      await copy.update([], "links", never);
    } else await copy.restore([], undefined, never);
    assert.equal(read("src/a.js"), "a", command);
  }
  await copy.close();
});

test("restoring a copy does not follow a link that a check put in place of a folder", async (t) => {
  const { workspace, copy, run, read } = await setUp(t, { "src/a.js": "a", "src/b.js": "b" });
  await copy.update([], "links", never);
  const before = pictureOf(join(workspace, "src"));
  await run(`rm -rf src && ln -s ${join(workspace, "src")} src`);
  await copy.restore([["src/a.js", "proposed"]], undefined, never);
  assert.equal(pictureOf(join(workspace, "src")), before);
  assert.equal(read("src/a.js"), "proposed");
  assert.ok(fs.lstatSync(join(copy.place, "src")).isDirectory());
  await run(`rm src/b.js && ln -s ${join(workspace, "src/b.js")} src/b.js`);
  writeFolder(workspace, { "src/b.js": "newer" });
  await copy.update([], "links", never);
  assert.equal(fs.readFileSync(join(workspace, "src/b.js"), "utf8"), "newer");
  assert.ok(!fs.lstatSync(join(copy.place, "src/b.js")).isSymbolicLink());
});

test("restoring a copy removes a check's leftovers and keeps its outputs", async (t) => {
  const { copy, run, has } = await setUp(t, { "src/a.ts": "a" });
  await copy.update([], "links", never);
  await run(
    "echo x > src/stray.ts; mkdir -p more dist .cache; echo y > more/m.ts; echo z > dist/d.js; echo c > .cache/c",
  );
  await copy.restore([], undefined, never);
  assert.deepEqual(["src/stray.ts", "more", "dist/d.js", ".cache/c"].map(has), [false, false, true, true]);
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

test("a folder that runs have left alone is put back after one that does not", async (t) => {
  const { copy, has } = await setUp(t, { "src/deep/a.js": "a", "src/deep/er/b.js": "b", "src/c.js": "c" });
  await copy.update([], "own", never);
  const deep = join(copy.place, "src/deep");
  const place = (name: string) => join(deep, name);
  const before = pictureOf(copy.place);
  const after = async (work: () => void, texts: readonly (readonly [string, string])[] = []) => {
    await copy.restore(texts, undefined, never);
    const since = await copy.begin(never);
    work();
    await copy.restore([], since, never);
    return pictureOf(copy.place);
  };
  const runs: readonly (readonly [string, () => void])[] = [
    ["a new file", () => fs.writeFileSync(place("stray.js"), "x")],
    ["a new folder", () => fs.mkdirSync(place("stray"))],
    ["a new output", () => fs.writeFileSync(place(".state"), "x")],
    ["a file less", () => fs.rmSync(place("a.js"))],
    ["a folder less", () => fs.rmSync(place("er"), { recursive: true })],
    ["a folder with another name", () => fs.renameSync(place("er"), place("there"))],
    [
      "a link in place of a file",
      () => {
        fs.rmSync(place("a.js"));
        fs.symlinkSync("er/b.js", place("a.js"));
      },
    ],
    ["another text", () => fs.writeFileSync(place("a.js"), "x")],
  ];
  for (const [name, work] of runs) {
    for (let round = 0; round < 2; round++) assert.equal(await after(() => {}), before, `before ${name}`);
    assert.equal(await after(work), before, name);
  }
  assert.equal(await after(() => {}, [["src/deep/new.js", "new"]]), before);
  assert.ok(!has("src/deep/new.js"));
  // What a run on the folder itself has left stays, until a run on a proposal writes it.
  fs.writeFileSync(place(".state"), "own");
  await after(() => {});
  await after(() => {});
  assert.ok(has("src/deep/.state"));
  await after(() => fs.writeFileSync(place(".state"), "other"));
  assert.ok(!has("src/deep/.state"));
});
