// What a person has allowed of commands is kept with the workspace, by the path of a folder, until they withdraw it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createCommandHost } from "../../../src/commands/editor/commands.ts";
import type { Permission } from "../../../src/conversation/models.ts";

function openHost(permission?: Permission) {
  const slots = new Map<string, unknown>();
  const memory = {
    get: <Value>(name: string) => slots.get(name) as Value,
    update: async (name: string, value: unknown) => void slots.set(name, value),
  };
  const roots = ["one", "two"].map((folder) => ({ folder, path: `/home/${folder}` }));
  const open = (now = roots) =>
    createCommandHost({ permission: () => permission, memory, workspace: { roots: now } });
  return { host: open(), open, roots };
}

test("a folder that was allowed stays so in the next window, until that is withdrawn", async () => {
  const { host, open, roots } = openHost();
  let changes = 0;
  host.onDidChange(() => {
    changes += 1;
  });
  for (const folder of ["one", "two", "one", "elsewhere"]) await host.allowIn(folder);
  const later = open();
  assert.deepEqual(later.allowedFolders, ["one", "two"]);
  assert.deepEqual(open(roots.slice(1)).allowedFolders, ["two"], "others are not named");
  await host.askIn("one");
  assert.deepEqual([later.isAllowedIn("one"), later.isAllowedIn("two")], [false, true]);
  assert.deepEqual([later.allowedFolders, changes], [["two"], 4]);
});

test("a folder of the same name elsewhere is not allowed", async () => {
  const { host, open } = openHost();
  await host.allowIn("one");
  assert.equal(open([{ folder: "one", path: "/tmp/one" }]).isAllowedIn("one"), false);
});

test("a permission in the settings allows every folder, and is not withdrawn by a click", async () => {
  const { host } = openHost("auto");
  assert.deepEqual([host.isAllowedIn("one"), host.allowedFolders], [true, []]);
});
