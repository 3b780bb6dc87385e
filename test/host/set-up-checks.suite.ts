// "Set Up Checks…", as far as a person's own settings are concerned.
import { strict as assert } from "node:assert";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Workspace } from "../../src/core/changes/workspace.ts";
import { silentLog } from "../../src/core/util/log.ts";
import { type Checks, createChecks } from "../../src/shell/checks/checks.ts";
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
      scripts: async () => () => undefined,
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

  it("accepts the script that was shown: one that was changed meanwhile is not run, and waits for a person", async () => {
    const folder = mkdtempSync(join(tmpdir(), "patchbay-set-up-"));
    const ran = join(folder, "ran.txt");
    const script = (body: string) =>
      writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts: { lint: body } }));
    const root = { folder: "workspace", path: folder };
    const kept = new Map<string, unknown>();
    const workspace = { trusted: true, folders: ["workspace"], roots: [root] };
    const memory = {
      get: (key: string) => kept.get(key),
      update: async (key: string, value: unknown) => void kept.set(key, value),
      keys: () => [...kept.keys()],
    };
    const settings = () => vscode.workspace.getConfiguration("patchbay").inspect("checks")?.globalValue;
    const checks = createChecks({
      storage: join(folder, "storage"),
      memory: memory as vscode.Memento,
      workspace: workspace as unknown as Workspace,
      log: silentLog,
      rows: settings,
      privacy: () => ({ ignore: [], alsoIgnore: [] }),
    });
    const { showQuickPick } = vscode.window;
    script("eslint .");
    let shown: string | undefined;
    vscode.window.showQuickPick = (async (items: readonly vscode.QuickPickItem[]) => {
      shown = items[0]?.description;
      script(`node -e "require('fs').writeFileSync('${ran}', '')"`);
      return items.slice(0, 1);
    }) as never;
    try {
      await setUpChecks({ checks, log: silentLog });
      assert.equal(shown, "npm run lint  →  eslint .");
      assert.equal(existsSync(ran), false);
      const [check] = await checks.host.checks();
      assert.equal(check?.isChanged, true);
    } finally {
      vscode.window.showQuickPick = showQuickPick;
      await checks.close();
      const patchbay = vscode.workspace.getConfiguration("patchbay");
      await patchbay.update("checks", undefined, vscode.ConfigurationTarget.Global);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
