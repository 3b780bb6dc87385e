import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { listFiles } from "../../../src/tools/internal/list-files.ts";
import { problems } from "../../../src/tools/internal/list-problems.ts";
import { readFile } from "../../../src/tools/internal/read-file.ts";
import { searchText } from "../../../src/tools/internal/search-text.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { createToolTable, nameOfRunChecks, ownTools } from "../../../src/tools/tool-table.ts";
import { callContext } from "../../support/call-context.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { never, noRules, refuses, use } from "./use-tool.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");

test("read_file returns numbered lines with their range and the length of the file", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/src/a.ts", "one\r\ntwo\nthree\n");
  const run = use(workspace);
  assert.equal(
    await run(readFile, { path: "src/a.ts" }),
    "src/a.ts, lines 1–3 of 3\n1\tone\n2\ttwo\n3\tthree",
  );
  assert.equal(
    await run(readFile, { path: "./src\\a.ts", start_line: 2, end_line: 2 }),
    "src/a.ts, lines 2–2 of 3\n2\ttwo",
  );
  assert.equal(await run(readFile, { path: "src/a.ts", start_line: 9 }), "src/a.ts has only 3 lines.");
});

test("read_file returns several ranges at once, in order and each line once", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", numbered(50));
  const run = use(workspace);
  assert.equal(
    await run(readFile, { path: "a.ts", ranges: "40-41, 2-3,3 – 4 , 49-" }),
    [
      ...["a.ts, lines 2–4 of 50", "2\tline 2", "3\tline 3", "4\tline 4"],
      ...["a.ts, lines 40–41 of 50", "40\tline 40", "41\tline 41"],
      ...["a.ts, lines 49–50 of 50", "49\tline 49", "50\tline 50"],
    ].join("\n"),
  );
  assert.match(await run(readFile, { path: "a.ts", ranges: "50, 70-80" }), /\n50\tline 50\na.ts has only 50/);
  for (const ranges of ["", "a-b", "0-4", "9-3", "1-2-3", "1;4"])
    await refuses(run(readFile, { path: "a.ts", ranges }), /ranges: must be like 1-40, 210-260/);
});

test("read_file says which ranges it had no room for", async () => {
  const workspace = createFolderWorkspace();
  const lines = Array.from({ length: 3000 }, (_, at) => `line ${at + 1} ${"x".repeat(40)}`);
  workspace.write("work/long.txt", `${lines.join("\n")}\n`);
  const output = await use(workspace)(readFile, { path: "long.txt", ranges: "1-1500, 1600-1700, 2900-" });
  assert.ok(Buffer.byteLength(output) < 64 * 1024);
  assert.match(output, /call again with start_line \d+ for more/);
  assert.match(output, /\n\[No room for more: call again with ranges 1600-1700, 2900-\]$/);
});

test("read_file returns unsaved text from the editor", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "saved\n");
  workspace.type({ folder: "work", path: "a.ts" }, "typed\n");
  assert.match(await use(workspace)(readFile, { path: "a.ts" }), /\ttyped$/);
});

test("read_file adds a note to a file with invalid UTF-8, and planPatch refuses to patch it", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/cafe.txt", "caf\uFFFD\n");
  const read: typeof workspace.read = async (file) => ({
    ...(await workspace.read(file)),
    undecoded: "UTF-8",
  });
  const lossy = { ...workspace, read };
  assert.match(await use(lossy)(readFile, { path: "cafe.txt" }), /not valid UTF-8.*cannot be patched/);
  assert.doesNotMatch(await use(workspace)(readFile, { path: "cafe.txt" }), /not valid/);
  const patch = "*** Begin Patch\n*** Update File: cafe.txt\n@@\n+more\n*** End Patch\n";
  await assert.rejects(
    planPatch(patch, lossy),
    /cafe\.txt cannot be patched: it holds bytes that are not valid UTF-8/,
  );
});

test("read_file returns a long file in consecutive pieces", async () => {
  const workspace = createFolderWorkspace();
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index + 1} ${"x".repeat(40)}`);
  workspace.write("work/long.txt", `${lines.join("\n")}\n`);
  const run = use(workspace);
  const read: string[] = [];
  let start = 1;
  for (;;) {
    const output = await run(readFile, { path: "long.txt", start_line: start });
    assert.ok(Buffer.byteLength(output) < 64 * 1024);
    const [head = "", ...body] = output.split("\n");
    read.push(...body.map((line) => line.replace(/^\d+\t/, "")));
    const next = /start_line (\d+) for more/.exec(head)?.[1];
    if (next === undefined) break;
    start = Number(next);
  }
  assert.deepEqual(read, lines);
});

test("read_file cuts a very long line and says how much is missing", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/min.js", "x".repeat(100_000));
  assert.match(await use(workspace)(readFile, { path: "min.js" }), /\[98000 more characters\]$/);
});

test("read_file and list_files give a reason for what they cannot read", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.bin", Uint8Array.of(1, 0, 2));
  workspace.write("work/big.txt", "x".repeat(5_000_001));
  workspace.write("work/empty.txt", "");
  workspace.write("work/dir/x", "");
  const run = use(workspace);
  await refuses(run(readFile, { path: "a.bin" }), /not a text file/);
  await refuses(run(readFile, { path: "big.txt" }), /larger than 5 MB/);
  await refuses(run(readFile, { path: "gone.txt" }), /There is no "gone.txt"/);
  await refuses(run(readFile, { path: "dir" }), /is a folder/);
  await refuses(run(listFiles, { path: "dir/x" }), /is not a folder/);
  assert.equal(await run(readFile, { path: "empty.txt" }), "empty.txt is empty.");
});

test("read_file names the invalid argument", () => {
  for (const [input, sentence] of [
    ["{", /not valid JSON/],
    ["[]", /must be an object/],
    ["{}", /path: must be a string/],
    ['{"path":"a","start_line":0}', /start_line: must be at least 1/],
    ['{"path":"a","start_line":1.5}', /start_line/],
  ] as const)
    assert.throws(() => readFile.prepare(input), sentence);
});

test("list_files omits files ignored by Git, with the rules of nested folders", async () => {
  const workspace = createFolderWorkspace();
  for (const path of ["a.ts", "out/x.js", "lib/b.ts", "lib/b.log", "lib/keep.log", "node_modules/m/i.js"])
    workspace.write(`work/${path}`, "x");
  workspace.write("work/.gitignore", "out/\n*.log\n[broken\n");
  workspace.write("work/lib/.gitignore", "!keep.log\n");
  const run = use(workspace);
  assert.equal(await run(listFiles, {}), ".gitignore\na.ts\nlib/.gitignore\nlib/b.ts\nlib/keep.log");
  assert.equal(await run(listFiles, { pattern: "*.ts" }), "a.ts\nlib/b.ts");
  assert.equal(await run(listFiles, { path: "lib", pattern: "*.log" }), "lib/keep.log");
  assert.equal(await run(listFiles, { path: "out" }), "out/x.js", "asked for by name");
  assert.equal(await run(listFiles, { path: "node_modules/m" }), "node_modules/m/i.js");
  await refuses(run(listFiles, { pattern: "[x" }), /cannot be read/);
});

for (const rules of [".gitignore", ".patchbayignore"])
  test(`list_files stops within a folder of many files with a ${rules} of many rules`, async () => {
    const workspace = createFolderWorkspace();
    workspace.write(`work/${rules}`, Array.from({ length: 5000 }, (_, index) => `*-${index}-*-x`).join("\n"));
    const stopping = new AbortController();
    const entries = Array.from({ length: 10_000 }, (_, index) => ({
      name: `${index}.ts`,
      kind: "file" as const,
    }));
    const crowded = {
      ...workspace,
      async list() {
        // Whoever presses Stop now has to wait for the first moment in which anything else may happen.
        setImmediate(() => stopping.abort());
        return [{ name: rules, kind: "file" as const }, ...entries];
      },
    };
    const files = guardFiles(crowded, () => noRules);
    const listed = listFiles.prepare("{}").run(callContext(files), stopping.signal);
    await assert.rejects(listed, { name: "AbortError" });
  });

test("list_files cuts a long list and says so", async () => {
  const workspace = createFolderWorkspace();
  for (let index = 0; index < 1005; index++) workspace.write(`work/f${index}`, "");
  const output = await use(workspace)(listFiles, {});
  assert.equal(output.split("\n").length, 1001);
  assert.match(output, /Only the first 1000 files/);
});

describe("list_files", () => {
  test("lists the files of a folder before those below it, in numeric order", async () => {
    const workspace = createFolderWorkspace();
    const paths = ["m1.ts", "m2.ts", "m10.ts", "README.md", "b/z.ts", "b/c/a.ts", "b/c10/a.ts", "b/c2/a.ts"];
    for (const path of [...paths, "B.ts", "a/a.ts"]) workspace.write(`work/${path}`, "");
    const listed = await use(workspace)(listFiles, {});
    assert.deepEqual(listed.split("\n"), [
      ...["B.ts", "m1.ts", "m2.ts", "m10.ts", "README.md", "a/a.ts"],
      ...["b/z.ts", "b/c/a.ts", "b/c2/a.ts", "b/c10/a.ts"],
    ]);
  });
});

test("problems lists the worst first, with place and source", async () => {
  const workspace = createFolderWorkspace();
  const file = { folder: "work", path: "a.ts" };
  workspace.markers.push(
    { file, line: 3, column: 1, severity: "warning", message: "unused", source: "eslint" },
    { file, line: 9, column: 5, severity: "error", message: "no x", source: "ts", code: "2304" },
  );
  const run = use(workspace);
  assert.equal(await run(problems, {}), "a.ts:9:5 error (ts 2304): no x\na.ts:3:1 warning (eslint): unused");
});

describe("problems", () => {
  test("says that closed files may be unchecked, and mentions run_checks only where it is offered", async () => {
    const files = guardFiles(createFolderWorkspace(), () => noRules);
    const none = "No problems. The editor mostly looks at files that are open";
    const prepared = problems.prepare("{}");
    assert.equal((await prepared.run(callContext(files), never)).output, `${none}.`);
    const offers = (tool: string) => tool === "run_checks";
    assert.equal(
      (await prepared.run({ ...callContext(files), offers }, never)).output,
      `${none}; run_checks looks at all.`,
    );
    const of = (tools: readonly Tool[]) =>
      createToolTable(tools, { user: new Map(), workspace: new Map() }, new Set()).definitions().join();
    assert.doesNotMatch(of(ownTools.filter(({ name }) => name !== nameOfRunChecks)), /run_checks/);
    assert.match(of(ownTools), /mostly of open files\. run_checks looks at all\./);
  });

  test("lists all places of a finding in one line, each path once", async () => {
    const workspace = createFolderWorkspace();
    const add = (path: string, line: number, message: string, code?: string) =>
      workspace.markers.push({
        ...{ file: { folder: "work", path }, line, column: 2, severity: "error" as const, message },
        ...{ source: "ts", ...(code !== undefined && { code }) },
      });
    add("a.ts", 1, "no x", "2304");
    add("a.ts", 2, "no y", "2304");
    add("b.ts", 3, "no x", "2304");
    add("a.ts", 4, "no x", "2304");
    add("a.ts", 5, "no x");
    const run = use(workspace);
    assert.equal(
      await run(problems, {}),
      [
        "a.ts:1:2, 4:2; b.ts:3:2 error (ts 2304): no x",
        "a.ts:2:2 error (ts 2304): no y",
        "a.ts:5:2 error (ts): no x",
      ].join("\n"),
    );
  });
});

test("tools require paths that begin with a folder name when several folders are open", async () => {
  const workspace = createFolderWorkspace("app", "lib");
  workspace.write("app/a.ts", "alpha");
  workspace.write("lib/b.ts", "alpha");
  const run = use(workspace);
  assert.equal(await run(listFiles, {}), "app/a.ts\nlib/b.ts");
  assert.equal(await run(searchText, { query: "alpha" }), "app/a.ts\n1:alpha\n\nlib/b.ts\n1:alpha");
  assert.match(await run(readFile, { path: "lib/b.ts" }), /^lib\/b.ts/);
  await refuses(run(readFile, { path: "b.ts" }), /must begin with one of app, lib/);
});

test("tools refuse every path outside the workspace", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("outside.txt", "canary");
  workspace.write("work/in.txt", "x");
  symlinkSync(join(workspace.root, "outside.txt"), join(workspace.root, "work/link.txt"));
  symlinkSync(workspace.root, join(workspace.root, "work/up"));
  const run = use(workspace);
  const outside = [
    "../outside.txt",
    "src/../../outside.txt",
    "..\\outside.txt",
    join(workspace.root, "outside.txt"),
    "C:\\outside.txt",
    "\\\\host\\share\\x",
    "file:///etc/passwd",
    "a\u0000b",
    "link.txt",
    "up/outside.txt",
  ];
  for (const path of outside) await refuses(run(readFile, { path }), /cannot be read/);
  for (const path of ["..", "up", "/"]) await refuses(run(listFiles, { path }), /cannot be read/);
  assert.equal(await run(searchText, { query: "canary" }), "No matches.");
  assert.deepEqual(workspace.handedOut, ["work/in.txt"]);
});

test("read_file reports an end_line before start_line", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "one\ntwo\nthree\n");
  assert.equal(
    await use(workspace)(readFile, { path: "a.ts", start_line: 3, end_line: 1 }),
    "end_line 1 is before start_line 3: no line of a.ts was read.",
  );
});
