import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import { createProtection, type ProtectionSettings } from "../../../src/files/privacy.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { patchWorkspace } from "../../../src/tools/apply-patch.ts";
import { english } from "../../support/english.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";

/** What a patch that adds this file would have to ask about. */
async function reasons(path: string, settings: Partial<ProtectionSettings>): Promise<readonly string[]> {
  const workspace = createFolderWorkspace();
  const files = guardFiles(workspace, () => ({ ignore: [], alsoIgnore: [] }));
  const world = patchWorkspace(workspace, files, createProtection({ own: [], also: [], ...settings }));
  const plan = await planPatch(`*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`, world);
  return plan.changes.flatMap(({ permission }) => permission.reasons.map(english));
}

const asked = ["the settings protect it"];

test("a file protected by the user or the workspace needs confirmation in any spelling of its name", async () => {
  assert.deepEqual(await reasons("docs/law.md", {}), []);
  assert.deepEqual(await reasons("docs/law.md", { own: ["docs/**"] }), asked);
  assert.deepEqual(await reasons("docs/LAW.md", { also: ["law.md"] }), asked);
});

test("the user can lift built-in protection, a workspace cannot", async () => {
  assert.equal((await reasons("package.json", {})).length, 1);
  assert.deepEqual(await reasons("package.json", { own: ["!package.json"] }), []);
  assert.equal((await reasons("package.json", { also: ["!package.json"] })).length, 1);
  assert.deepEqual(await reasons("docs/law.md", { own: ["docs/**"], also: ["!docs/law.md"] }), asked);
  const both = await reasons("package.json", { own: ["!package.json"], also: ["package.json"] });
  assert.equal(both.length, 2);
});

test("an unreadable protection pattern protects every file", async () => {
  assert.deepEqual(await reasons("a.ts", { also: ["x\\"] }), asked);
  assert.deepEqual(await reasons("a.ts", { own: ["[a"] }), asked);
});

test("createProtection lifts a link only when its target is lifted as well", () => {
  const protection = createProtection({ own: ["!link.json", "real.json"], also: [] });
  assert.equal(protection("shop", ["link.json", "package.json"]), undefined);
  assert.equal(protection("shop", ["link.json", "link.json"]), "lifted");
  assert.equal(protection("shop", ["link.json", "real.json"]), "added");
});

describe("a single lifted file", () => {
  const lifted = [{ folder: "shop", path: ".vscode/tasks.json" }];
  const protection = createProtection({ own: [], lifted, also: [] });

  test("needs confirmation in every other folder", () => {
    assert.equal(protection("shop", [".vscode/tasks.json"]), "lifted");
    assert.equal(protection("shop", [".vscode/Tasks.json"]), "lifted");
    assert.equal(protection("stall", [".vscode/tasks.json"]), undefined);
    assert.equal(protection("shop", ["inner/.vscode/tasks.json"]), undefined);
    assert.equal(protection("shop", [".vscode/tasks.json", ".vscode/settings.json"]), undefined);
  });

  test("needs confirmation when the user or the workspace lists it", () => {
    const listed = createProtection({ own: [".vscode/**"], lifted, also: [] });
    assert.equal(listed("shop", [".vscode/tasks.json"]), "added");
  });
});
