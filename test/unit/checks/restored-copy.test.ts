// What checks leave behind in their copy: the folder has none of it, and the copy is put back for the next run.
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ShadowCopy } from "../../../src/checks/internal/copy/shadow-copy.ts";
import { copyThread } from "../../support/copy-thread.ts";
import { writeFolder } from "../../support/folder-picture.ts";
import { git, never, pictureOf, setUp } from "./copied-folder.ts";

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

for (const [name, change] of [
  ["saves a proposed file", { "a.ts": "saved" }],
  ["removes a proposed file", { "a.ts": undefined }],
  ["saves a file that the run has written", { "b.ts": "saved" }],
] as const)
  test(`the state of a copy is another after somebody ${name} during a run`, async (t) => {
    const { workspace, copy, run } = await setUp(t, { "a.ts": "a", "b.ts": "b", "c.ts": "c" });
    const proposed = [["a.ts", "proposed"]] as const;
    await copy.update([], "links", never);
    const { state } = await copy.update(proposed, "links", never);
    const since = await copy.begin(never);
    await run("echo formatted > b.ts");
    for (const [path, text] of Object.entries(change)) {
      if (text === undefined) fs.rmSync(join(workspace, path));
      else writeFolder(workspace, { [path]: text });
    }
    await copy.restore([], since, never);
    assert.notEqual((await copy.update(proposed, "links", never)).state, state);
  });
