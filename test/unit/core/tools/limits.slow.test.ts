// What a path, and a file of rules, may weigh: neither the model nor a repository can hold the thread with one.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { guardFiles } from "../../../../src/core/files/guarded-files.ts";
import { readIgnoreRules } from "../../../../src/core/files/ignore-rules.ts";
import { createPrivacy } from "../../../../src/core/files/privacy.ts";
import { Refusal } from "../../../../src/core/files/refusal.ts";
import { secretNames } from "../../../../src/core/files/secret-names.ts";
import { message } from "../../../../src/core/messages/message.ts";
import { readPath } from "../../../../src/core/patch/paths.ts";
import { listFiles } from "../../../../src/core/tools/list-files.ts";
import { readFile } from "../../../../src/core/tools/read-file.ts";
import type { Tool } from "../../../../src/core/tools/tool.ts";
import { callContext } from "../../../support/call-context.ts";
import { createFolderWorkspace, type FolderWorkspace } from "../../../support/folder-workspace.ts";
import { growthOf, toldGrowth } from "../../../support/growth.ts";

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

test("a path with more than 64 parts or 1,024 characters is refused by its length, wherever it is named", async () => {
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

test("a path that is not there is held against no rules", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/.patchbayignore", "[oops\n");
  await refused(open(workspace).read("a/b/c.ts", never), /^There is no "a\/b\/c\.ts"\.$/);
  await refused(open(workspace).enter("a/b", never), /^There is no "a\/b"\.$/);
});

test("the longest paths there are can be read, and what they cost is in proportion to them", async () => {
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
  test(`rules made to be slow cost a long path what their number says: ${name}`, () => {
    for (const path of longPaths) {
      const growth = growthOf((lines) => {
        const rules = rulesIn(line.repeat(lines));
        return () => rules.ignores(path, false);
      }, count / 4);
      assert.ok(growth.isLinear, toldGrowth(growth));
    }
  });

test("rules of 64 KiB are understood in proportion to their length, whatever they are, or refused", () => {
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

test("an ignore file above 64 KiB closes its folder to the model, which is told in one sentence", async () => {
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

test("a .gitignore above 64 KiB closes its folder to what goes through folders, and that is told", async () => {
  const workspace = createFolderWorkspace();
  for (const path of ["a.ts", "large/b.ts", "large/in/c.ts"]) workspace.write(`work/${path}`, "x");
  workspace.write("work/large/.gitignore", "#".repeat(64 * 1024 + 1));
  const list = await run(workspace, listFiles, {});
  assert.equal(list, "a.ts\n[large was not opened: its .gitignore is larger than 64 KiB.]");
  await refused(run(workspace, listFiles, { path: "large/in" }), /\.gitignore" is larger than 64 KiB\.$/);
  assert.match(await run(workspace, readFile, { path: "large/b.ts" }), /x$/, "a file may still be named");
});

test("the same rules are understood once", () => {
  const settings = { ignore: ["a.ts"], alsoIgnore: [] };
  assert.equal(createPrivacy(settings, "b.ts"), createPrivacy({ ...settings }, "b.ts"));
  assert.notEqual(createPrivacy(settings, "b.ts"), createPrivacy(settings, "c.ts"));
  assert.ok(secretNames.length > 0);
});
