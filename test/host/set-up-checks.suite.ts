// "Set Up Checks…", as far as a person's own settings are concerned.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { silentLog } from "../../src/core/util/log.ts";
import type { Checks } from "../../src/shell/checks/checks.ts";
import { setUpChecks } from "../../src/shell/checks/set-up.ts";

describe("setting up checks", () => {
  it("adds what was selected to the setting, and leaves what somebody has written there as it is", async () => {
    const settings = () => vscode.workspace.getConfiguration("patchbay");
    const { showQuickPick } = vscode.window;
    const written = [{ name: "Lint", command: "npm run lint", note: "mine" }, { name: "Not ready yet" }];
    const suggested = { name: "Types", command: "npx tsc", kind: "static", from: "tsconfig.json" };
    const checks = {
      host: { obstacle: undefined, withCopy: () => Promise.reject(new Error("not here")) },
      roots: () => [{ folder: "workspace", path: "/nowhere" }],
      suggest: async () => [suggested],
      isAccepted: () => false,
      accept: async (_: unknown, row: object) => ({ ...row, blind: [] }),
    };
    await settings().update("checks", written, vscode.ConfigurationTarget.Global);
    vscode.window.showQuickPick = (async (items: readonly vscode.QuickPickItem[]) =>
      items.filter(({ label }) => label === "Types")) as never;
    try {
      await setUpChecks({ checks: checks as unknown as Checks, log: silentLog });
      const now = settings().inspect<readonly object[]>("checks")?.globalValue ?? [];
      assert.deepEqual(now.slice(0, 2), written);
      assert.deepEqual(now.length, 3);
    } finally {
      vscode.window.showQuickPick = showQuickPick;
      await settings().update("checks", undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
