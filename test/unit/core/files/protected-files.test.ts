import assert from "node:assert/strict";
import { test } from "node:test";
import { guardFiles } from "../../../../src/core/files/guarded-files.ts";
import { createProtection, type ProtectionSettings } from "../../../../src/core/files/protected-files.ts";
import { planPatch } from "../../../../src/core/patch/plan.ts";
import { patchWorkspace } from "../../../../src/core/tools/patch-workspace.ts";
import { english } from "../../../support/english.ts";
import { createFolderWorkspace } from "../../../support/folder-workspace.ts";

/** What a patch that adds this file would have to ask about. */
async function reasons(path: string, settings: Partial<ProtectionSettings>): Promise<readonly string[]> {
  const workspace = createFolderWorkspace();
  const files = guardFiles(workspace, () => ({ ignore: [], alsoIgnore: [] }));
  const world = patchWorkspace(workspace, files, createProtection({ own: [], also: [], ...settings }));
  const plan = await planPatch(`*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`, world);
  return plan.changes.flatMap(({ permission }) => permission.reasons.map(english));
}

const asked = ["the settings protect it"];

test("what the user or the workspace protects is asked about, in any spelling of its name", async () => {
  assert.deepEqual(await reasons("docs/law.md", {}), []);
  assert.deepEqual(await reasons("docs/law.md", { own: ["docs/**"] }), asked);
  assert.deepEqual(await reasons("docs/LAW.md", { also: ["law.md"] }), asked);
});

test("the user can lift what is protected by itself; a workspace can lift nothing", async () => {
  assert.equal((await reasons("package.json", {})).length, 1);
  assert.deepEqual(await reasons("package.json", { own: ["!package.json"] }), []);
  assert.equal((await reasons("package.json", { also: ["!package.json"] })).length, 1);
  assert.deepEqual(await reasons("docs/law.md", { own: ["docs/**"], also: ["!docs/law.md"] }), asked);
  const both = await reasons("package.json", { own: ["!package.json"], also: ["package.json"] });
  assert.equal(both.length, 2);
});

test("a pattern that cannot be read protects everything", async () => {
  assert.deepEqual(await reasons("a.ts", { also: ["x\\"] }), asked);
  assert.deepEqual(await reasons("a.ts", { own: ["[a"] }), asked);
});

test("the name and the place it leads to count together: one of them lifted lifts nothing", () => {
  const protection = createProtection({ own: ["!link.json", "real.json"], also: [] });
  assert.equal(protection(["link.json", "package.json"]), undefined);
  assert.equal(protection(["link.json", "link.json"]), "lifted");
  assert.equal(protection(["link.json", "real.json"]), "added");
});
