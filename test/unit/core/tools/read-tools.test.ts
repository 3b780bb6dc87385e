import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { guardFiles } from "../../../../src/core/files/guarded-files.ts";
import { Refusal } from "../../../../src/core/files/refusal.ts";
import { listFiles } from "../../../../src/core/tools/list-files.ts";
import { problems } from "../../../../src/core/tools/list-problems.ts";
import { readFile } from "../../../../src/core/tools/read-file.ts";
import { searchText } from "../../../../src/core/tools/search-text.ts";
import type { Tool } from "../../../../src/core/tools/tool.ts";
import { callContext } from "../../../support/call-context.ts";
import { createFolderWorkspace, type FolderWorkspace } from "../../../support/folder-workspace.ts";

const noRules = { ignore: [], alsoIgnore: [] };
const never = new AbortController().signal;

function use(workspace: FolderWorkspace, settings = noRules) {
  const files = guardFiles(workspace, () => settings);
  return async (tool: Tool, input: object): Promise<string> =>
    (await tool.prepare(JSON.stringify(input)).run(callContext(files), never)).output;
}

const refuses = (work: Promise<unknown>, sentence: RegExp) =>
  assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof Refusal, String(error));
    assert.match(error.message, sentence);
    return true;
  });

test("a file is read with its line numbers, the range and how long it is", async () => {
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

test("what the user has typed and not saved is what the model reads", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "saved\n");
  workspace.type({ folder: "work", path: "a.ts" }, "typed\n");
  assert.match(await use(workspace)(readFile, { path: "a.ts" }), /\ttyped$/);
});

test("a long file comes in pieces that follow on each other", async () => {
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

test("an endless line is cut and says so", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/min.js", "x".repeat(100_000));
  assert.match(await use(workspace)(readFile, { path: "min.js" }), /\[98000 more characters\]$/);
});

test("what cannot be read as text is refused with the reason", async () => {
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

test("arguments that do not fit are told apart by name, never guessed", () => {
  for (const [input, sentence] of [
    ["{", /not valid JSON/],
    ["[]", /must be an object/],
    ["{}", /path: must be a string/],
    ['{"path":"a","start_line":0}', /start_line: must be at least 0|start_line: must be at least 1/],
    ['{"path":"a","start_line":1.5}', /start_line/],
  ] as const)
    assert.throws(() => readFile.prepare(input), sentence);
});

test("files are listed without what git leaves out, nearest first rules applied", async () => {
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
  test(`Stop is heard in the middle of a folder, however many files and rules its ${rules} brings`, async () => {
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

test("a long list is cut and says so", async () => {
  const workspace = createFolderWorkspace();
  for (let index = 0; index < 1005; index++) workspace.write(`work/f${index}`, "");
  const output = await use(workspace)(listFiles, {});
  assert.equal(output.split("\n").length, 1001);
  assert.match(output, /Only the first 1000 files/);
});

test("text is found by its line, in any letter case unless asked otherwise", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "const Alpha = 1;\nconst beta = 2;\n");
  workspace.write("work/b/c.md", "about alpha\r\n");
  const run = use(workspace);
  assert.equal(await run(searchText, { query: "alpha" }), "a.ts:1: const Alpha = 1;\nb/c.md:1: about alpha");
  assert.equal(await run(searchText, { query: "alpha", case_sensitive: true }), "b/c.md:1: about alpha");
  assert.equal(await run(searchText, { query: "alpha", pattern: "*.ts" }), "a.ts:1: const Alpha = 1;");
  assert.equal(await run(searchText, { query: "alpha", path: "b" }), "b/c.md:1: about alpha");
  assert.equal(await run(searchText, { query: "a.pha" }), "No matches.");
  assert.equal(
    await run(searchText, { query: "^const \\w+ = \\d;$", regex: true }),
    "a.ts:1: const Alpha = 1;\na.ts:2: const beta = 2;",
  );
  assert.equal(await run(searchText, { query: "be\\-?ta", regex: true }), "a.ts:2: const beta = 2;");
  await refuses(run(searchText, { query: "(", regex: true }), /not a regular expression/);
  await refuses(run(searchText, { query: "" }), /empty/);
});

test("many matches are cut and said to be", async () => {
  const workspace = createFolderWorkspace();
  for (let index = 0; index < 20; index++) workspace.write(`work/f${index}`, "hit\n".repeat(100));
  const output = await use(workspace)(searchText, { query: "hit" });
  assert.equal(output.split("\n").length, 201);
  assert.match(output, /Only the first 200 matches/);
});

test("problems come worst first, with place and origin", async () => {
  const workspace = createFolderWorkspace();
  const file = { folder: "work", path: "a.ts" };
  workspace.markers.push(
    { file, line: 3, column: 1, severity: "warning", message: "unused", source: "eslint" },
    { file, line: 9, column: 5, severity: "error", message: "no x", source: "ts", code: "2304" },
  );
  const run = use(workspace);
  assert.equal(await run(problems, {}), "a.ts:9:5 error (ts 2304): no x\na.ts:3:1 warning (eslint): unused");
  assert.equal(await run(problems, { path: "b.ts" }), "No problems.");
});

test("with several folders, paths begin with the name of one", async () => {
  const workspace = createFolderWorkspace("app", "lib");
  workspace.write("app/a.ts", "alpha");
  workspace.write("lib/b.ts", "alpha");
  const run = use(workspace);
  assert.equal(await run(listFiles, {}), "app/a.ts\nlib/b.ts");
  assert.equal(await run(searchText, { query: "alpha" }), "app/a.ts:1: alpha\nlib/b.ts:1: alpha");
  assert.match(await run(readFile, { path: "lib/b.ts" }), /^lib\/b.ts/);
  await refuses(run(readFile, { path: "b.ts" }), /must begin with one of app, lib/);
});

test("nothing outside the workspace can be named", async () => {
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
