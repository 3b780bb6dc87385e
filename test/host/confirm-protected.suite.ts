// "Apply and Don't Ask Again": what it writes into the user's own settings holds for that file, in that folder, and nowhere
// else – also where proposals are applied without asking, which looks at the same permission.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { createSettings } from "../../src/editor/settings/settings.ts";
import { createStartSettings } from "../../src/editor/settings/start-settings.ts";
import { createConfirmProtected } from "../../src/editor/workspace/protected-files.ts";
import { createProtection } from "../../src/files/privacy.ts";
import { silentLog } from "../../src/util/log.ts";
import { patchOf, plan, testWorkspace, uriOf } from "./support/files.ts";

const setting = "patch.protected";
const settings = () => vscode.workspace.getConfiguration("patchbay");

describe("protected files", () => {
  const { showWarningMessage } = vscode.window;
  const read = createSettings(createStartSettings(silentLog));

  after(async () => {
    Object.assign(vscode.window, { showWarningMessage });
    read.dispose();
    await settings().update(setting, undefined, vscode.ConfigurationTarget.Global);
  });

  it("need no confirmation after Apply and Don't Ask Again for that file in that folder only", async () => {
    Object.assign(vscode.window, {
      showWarningMessage: async (_: string, __: object, ...buttons: string[]) => buttons.at(-1),
    });
    const changes = await plan(patchOf("*** Add File: .vscode/tasks.json", "+{}"), testWorkspace());
    const confirm = createConfirmProtected({ show: async () => assert.fail() });
    assert.equal(await confirm(changes, "apply"), true);
    assert.deepEqual(settings().inspect(setting)?.globalValue, [
      `!${uriOf(".vscode/tasks.json").toString()}`,
    ]);
    const protection = createProtection(read.conversation().protection);
    const [folder = ""] = testWorkspace().folders;
    assert.equal(protection(folder, [".vscode/tasks.json"]), "lifted");
    assert.equal(protection("another", [".vscode/tasks.json"]), undefined);
    assert.equal(protection(folder, [".vscode/settings.json"]), undefined);
    await settings().update(
      setting,
      ["!file:///elsewhere/.vscode/tasks.json"],
      vscode.ConfigurationTarget.Global,
    );
    const elsewhere = createProtection(read.conversation().protection);
    assert.equal(elsewhere(folder, [".vscode/tasks.json"]), undefined);
  });
});
