// What a path, and a file of rules, may weigh: neither the model nor a repository can hold the thread with one.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { message } from "../../../src/conversation/messages.ts";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import { secretNames } from "../../../src/files/internal/secret-file-names.ts";
import { createPrivacy } from "../../../src/files/privacy.ts";
import { Refusal } from "../../../src/files/refusal.ts";
import { readPath } from "../../../src/patch/paths.ts";
import { listFiles } from "../../../src/tools/internal/list-files.ts";
import { readFile } from "../../../src/tools/internal/read-file.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { readIgnoreRules } from "../../../src/util/ignore-patterns.ts";
import { callContext } from "../../support/call-context.ts";
import { createFolderWorkspace, type FolderWorkspace } from "../../support/folder-workspace.ts";
import { growthOf, toldGrowth } from "../../support/growth.ts";

const never = new AbortController().signal;
const open = (workspace: FolderWorkspace) => guardFiles(workspace, () => ({ ignore: [], alsoIgnore: [] }));
const run = async (workspace: FolderWorkspace, tool: Tool, input: object): Promise<string> =>
  (await tool.prepare(JSON.stringify(input)).run(callContext(open(workspace)), never)).output;

const refused = (work: Promise<unknown>, sentence: RegExp) =>
  assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof Refusal, String(error));
    assert.match(error.message, sentence);
    assert.ok(error.message.length < 2000, `${error.message.length} characters are quoted`);
    return true;
  });

const deep = (parts: number) => Array.from({ length: parts }, () => "a").join("/");

test("a path with more than 64 parts or 1,024 characters is refused by every operation on files", async () => {
  const workspace = createFolderWorkspace();
  const files = open(workspace);
  await refused(files.read(deep(65), never), /it lies too deep\.$/);
  await refused(files.read(deep(2047), never), /it is too long\.$/);
  await refused(files.read("/".repeat(4_000_000).replace(/^/, "a"), never), /it is too long\.$/);
  await refused(files.readPicture(`${deep(65)}.png`, never), /it lies too deep\.$/);
  await refused(files.enter(deep(65), never), /it lies too deep\.$/);
  await refused(files.problems(deep(65)), /it lies too deep\.$/);
  await refused(files.admit(deep(65), undefined, never), /it lies too deep\.$/);
  assert.ok((await files.pathFilter())(deep(65)), "what a diff names is left out");
  assert.deepEqual(readPath(deep(65), ["work"]), { kind: "denied", why: message("whyTooDeep") });
  assert.deepEqual(readPath("a".repeat(1025), ["work"]), { kind: "denied", why: message("whyTooLong") });
  await refused(files.read(deep(64), never), /^There is no /);
});

test("a missing path is refused without reading the ignore rules", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/.patchbayignore", "[oops\n");
  await refused(open(workspace).read("a/b/c.ts", never), /^There is no "a\/b\/c\.ts"\.$/);
  await refused(open(workspace).enter("a/b", never), /^There is no "a\/b"\.$/);
});

test("the longest allowed path can be read, and its privacy check takes linear time", async () => {
  const workspace = createFolderWorkspace();
  workspace.write(`work/${deep(64)}`, "x");
  const files = open(workspace);
  assert.equal((await files.read(deep(64), never)).text, "x");
  const privacy = createPrivacy({ ignore: [], alsoIgnore: [] });
  const growth = growthOf((folders) => {
    const path = deep(folders);
    return () => privacy(path, false);
  }, 16);
  assert.ok(growth.isLinear, toldGrowth(growth));
});

/** Lines of rules that cost as much as 64 KiB can, and how many of them there can be. */
const costly: Record<string, readonly [line: string, count: number]> = {
  "many stars": [`${"*a".repeat(100)}b\n`, 300],
  "many folders": [`${"*a/".repeat(60)}b\n`, 340],
  "folders at any depth": [`${"**/a*/".repeat(30)}b\n`, 340],
  "one long piece": [`*${"a".repeat(126)}b\n`, 500],
  "pieces of any letter": [`*${"?".repeat(60)}b\n`, 80],
  "many rules": ["a*b\n", 5000],
};
const longPaths = [deep(64), Array.from({ length: 4 }, () => "a".repeat(255)).join("/"), "a".repeat(1024)];
const rulesIn = (text: string) => readIgnoreRules(text.split("\n"), { tolerant: true });

for (const [name, [line, count]] of Object.entries(costly))
  test(`ignore rules made to be slow take linear time on a long path: ${name}`, () => {
    for (const path of longPaths) {
      const growth = growthOf((lines) => {
        const rules = rulesIn(line.repeat(lines));
        return () => rules.ignores(path, false);
      }, count / 4);
      assert.ok(growth.isLinear, toldGrowth(growth));
    }
  });

test("readIgnoreRules parses or refuses rules of 64 KiB in linear time", () => {
  const lines: readonly (readonly [line: string, count: number])[] = [
    [`${"{a,b}".repeat(800)}\n`, 16],
    [`a${" ".repeat(4000)}b\n`, 16],
    [`a${"/".repeat(4000)}b\n`, 16],
    [`${"{".repeat(4000)}\n`, 16],
    [`${"[a".repeat(2000)}\n`, 16],
    ["\ufdfa\n", 20_000],
  ];
  for (const [line, count] of lines) {
    const growth = growthOf((some) => () => rulesIn(line.repeat(some)), count / 4);
    assert.ok(growth.isLinear, `${JSON.stringify(line.slice(0, 10))}: ${toldGrowth(growth)}`);
    const within = growthOf((length) => () => rulesIn(`${line.slice(0, length)}\n`), line.length / 4);
    assert.ok(within.isLinear, `${JSON.stringify(line.slice(0, 10))}: ${toldGrowth(within)}`);
  }
});

test("a .patchbayignore above 64 KiB blocks its folder, and the refusal names the reason", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "x");
  for (const size of [64 * 1024 + 1, 40 * 1024 * 1024]) {
    writeFileSync(join(workspace.root, "work/.patchbayignore"), Buffer.alloc(size, "#\n"));
    workspace.handedOut.length = 0;
    await refused(
      open(workspace).read("a.ts", never),
      /^"a\.ts" cannot be read: nothing is sent while \.patchbayignore is larger than 64 KiB\.$/,
    );
    assert.deepEqual(workspace.handedOut, [], "it is not even read");
  }
  workspace.type({ folder: "work", path: ".patchbayignore" }, "#\n".repeat(40_000));
  writeFileSync(join(workspace.root, "work/.patchbayignore"), "");
  await refused(open(workspace).read("a.ts", never), /larger than 64 KiB/);
  workspace.type({ folder: "work", path: ".patchbayignore" }, "#\n".repeat(32_768));
  assert.equal((await open(workspace).read("a.ts", never)).text, "x");
});

test("a .gitignore above 64 KiB hides its folder from listings, and the output names the reason", async () => {
  const workspace = createFolderWorkspace();
  for (const path of ["a.ts", "large/b.ts", "large/in/c.ts"]) workspace.write(`work/${path}`, "x");
  workspace.write("work/large/.gitignore", "#".repeat(64 * 1024 + 1));
  const list = await run(workspace, listFiles, {});
  assert.equal(list, "a.ts\n[large was not opened: its .gitignore is larger than 64 KiB.]");
  await refused(run(workspace, listFiles, { path: "large/in" }), /\.gitignore" is larger than 64 KiB\.$/);
  assert.match(await run(workspace, readFile, { path: "large/b.ts" }), /x$/, "a file may still be named");
});

test("createPrivacy returns the same object for the same rules", () => {
  const settings = { ignore: ["a.ts"], alsoIgnore: [] };
  assert.equal(createPrivacy(settings, "b.ts"), createPrivacy({ ...settings }, "b.ts"));
  assert.notEqual(createPrivacy(settings, "b.ts"), createPrivacy(settings, "c.ts"));
  assert.ok(secretNames.length > 0);
});
