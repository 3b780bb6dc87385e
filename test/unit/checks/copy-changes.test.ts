// What is found in a copy after a command has run on it.
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { changesInCopy } from "../../../src/checks/internal/copy/changed-by-command.ts";
import { firstLine } from "../../../src/patch/notebook.ts";
import { ownFolder } from "../../support/one-test.ts";
import { isRoot, nobody } from "../../support/ordinary-user.ts";

/** What differs between its folders `root` and `copy`. */
const changesIn = (home: string, more: Partial<Parameters<typeof changesInCopy>[0]>) =>
  changesInCopy(
    {
      ...{ place: join(home, "copy"), root: join(home, "root"), installed: [], before: new Map(), texts: [] },
      ...{ since: 0, copied: 0, listed: new Set<string>(), isLeftOut: () => false, wants: async () => true },
      ...more,
    },
    new AbortController().signal,
  );

test("of a notebook that a command has run, renamed or made, cells are proposed, and what is not is told", async (t) => {
  const home = ownFolder(t, "changes");
  const file = (source: string, printed: string) => {
    const outputs = [{ name: "stdout", output_type: "stream", text: [printed] }];
    const cell = { cell_type: "code", execution_count: 1, metadata: {}, source: [source], outputs };
    return JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4 });
  };
  for (const folder of ["root", "copy"]) fs.mkdirSync(join(home, folder));
  for (const name of ["run.ipynb", "changed.ipynb", "same.ipynb", "old.ipynb"])
    fs.writeFileSync(join(home, "root", name), file("1 + 1", ""));
  fs.writeFileSync(join(home, "copy/run.ipynb"), file("1 + 1", "2"));
  fs.writeFileSync(join(home, "copy/changed.ipynb"), file("1 + 2", "3"));
  fs.writeFileSync(join(home, "copy/same.ipynb"), file("1 + 1", ""));
  fs.writeFileSync(join(home, "copy/new.ipynb"), file("1 + 3", "4"));
  fs.writeFileSync(join(home, "copy/name.ipynb"), file("1 + 1", ""));
  const { files, others } = await changesIn(home, {
    copied: Number.MAX_SAFE_INTEGER,
    listed: new Set(["run.ipynb", "changed.ipynb", "same.ipynb", "old.ipynb"]),
  });
  const told = others
    .map(({ path, why }) => [path, why])
    .sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
  assert.deepEqual(told, [
    ["changed.ipynb", "outputs"],
    ["name.ipynb", "renamed"],
    ["new.ipynb", "outputs"],
    ["run.ipynb", "outputs"],
  ]);
  const text = (source: string) => `${firstLine}\n# %% code\n${source}\n`;
  const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  assert.deepEqual(sorted, [
    { path: "changed.ipynb", text: text("1 + 2"), before: text("1 + 1"), isStale: false },
    { path: "new.ipynb", text: text("1 + 3"), before: undefined, isStale: false },
  ]);
});

test("a notebook that a command has deleted while its own file was saved is no renamed one", async (t) => {
  const home = ownFolder(t, "changes");
  for (const folder of ["root", "copy"]) fs.mkdirSync(join(home, folder));
  fs.writeFileSync(join(home, "root/gone.ipynb"), JSON.stringify({ cells: [], metadata: {}, nbformat: 4 }));
  const found = await changesIn(home, { listed: new Set(["gone.ipynb"]) });
  assert.deepEqual(found, {
    files: [{ path: "gone.ipynb", text: undefined, before: undefined, isStale: true }],
    others: [],
  });
});

test("a folder that became unreadable is named, and nothing below it counts as deleted", async (t) => {
  const home = ownFolder(t, "changes");
  for (const each of ["root/a/x.txt", "root/b.txt", "copy/a/x.txt"]) {
    fs.mkdirSync(dirname(join(home, each)), { recursive: true });
    fs.writeFileSync(join(home, each), "one\n");
  }
  fs.chmodSync(home, 0o755);
  fs.chmodSync(join(home, "copy/a"), 0);
  // Root can read everything.
  if (isRoot) process.seteuid?.(nobody);
  const found = await changesIn(home, {
    ...{ since: Number.MAX_SAFE_INTEGER, copied: Number.MAX_SAFE_INTEGER },
    listed: new Set(["a/x.txt", "b.txt"]),
  }).finally(() => {
    if (isRoot) process.seteuid?.(0);
  });
  assert.deepEqual(
    found.files.map(({ path, text }) => [path, text]),
    [["b.txt", undefined]],
  );
  assert.deepEqual(found.others, [{ path: "a", why: "unreadable" }]);
});

test("ignored outputs of a command, however many, leave what else it has changed to be proposed", async (t) => {
  const home = ownFolder(t, "changes");
  for (const folder of ["root", "copy/dist"]) fs.mkdirSync(join(home, folder), { recursive: true });
  for (let at = 0; at < 2100; at++) fs.writeFileSync(join(home, `copy/dist/${at}.js`), "");
  fs.writeFileSync(join(home, "copy/new.ts"), "new");
  const found = await changesIn(home, { wants: async (path) => !path.startsWith("dist/") });
  assert.deepEqual(found.files, [{ path: "new.ts", text: "new", before: undefined, isStale: false }]);
  assert.deepEqual([found.others.length, found.others[0]?.why], [2100, "ignored"]);
});
