// "Set Up Checks…", as far as a person's own settings are concerned.
import { strict as assert } from "node:assert";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Workspace } from "../../src/core/changes/workspace.ts";
import { readRows } from "../../src/core/checks/check.ts";
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
      rows: () => readRows(written),
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

  describe("accept the script that was shown", () => {
    const { showQuickPick } = vscode.window;
    let folder: string;
    let checks: Checks;
    const file = (name: string) => join(folder, name);
    const write = (scripts: Readonly<Record<string, string>>) =>
      writeFileSync(file("package.json"), JSON.stringify({ scripts }));
    const mark = () => `node -e "require('fs').writeFileSync('${file("ran.txt")}', '')"`;
    const change = async (name: string) =>
      (await checks.host.checks()).find((check) => check.name === name)?.isChanged;

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "patchbay-set-up-"));
      const root = { folder: "workspace", path: folder };
      const kept = new Map<string, unknown>();
      const memory = {
        get: (key: string) => kept.get(key),
        update: async (key: string, value: unknown) => void kept.set(key, value),
        keys: () => [...kept.keys()],
      };
      checks = createChecks({
        storage: mkdtempSync(join(tmpdir(), "patchbay-copies-")),
        memory: memory as vscode.Memento,
        workspace: { trusted: true, folders: ["workspace"], roots: [root] } as unknown as Workspace,
        log: silentLog,
        rows: () => vscode.workspace.getConfiguration("patchbay").inspect("checks")?.globalValue,
        privacy: () => ({ ignore: [], alsoIgnore: [] }),
      });
    });

    afterEach(async () => {
      vscode.window.showQuickPick = showQuickPick;
      await checks.close();
      const patchbay = vscode.workspace.getConfiguration("patchbay");
      await patchbay.update("checks", undefined, vscode.ConfigurationTarget.Global);
      rmSync(folder, { recursive: true, force: true });
    });

    it("and do not run one that was changed while somebody picked: it waits", async () => {
      write({ lint: "eslint ." });
      let shown: string | undefined;
      vscode.window.showQuickPick = (async (items: readonly vscode.QuickPickItem[]) => {
        shown = items[0]?.description;
        write({ lint: mark() });
        return items;
      }) as never;
      await setUpChecks({ checks, log: silentLog });
      assert.equal(shown, "npm run lint  →  eslint .");
      assert.equal(existsSync(file("ran.txt")), false);
      assert.equal(await change("lint"), true);
    });

    it("and do not run one that was changed while another one was tried", async () => {
      const types = "node spoil.cjs";
      const spoilt = JSON.stringify({ scripts: { types, lint: mark() } });
      const spoil = `require("fs").writeFileSync(${JSON.stringify(file("package.json"))}, ${JSON.stringify(spoilt)});`;
      writeFileSync(file("spoil.cjs"), spoil);
      write({ types, lint: "eslint ." });
      vscode.window.showQuickPick = (async (items: readonly vscode.QuickPickItem[]) => items) as never;
      await setUpChecks({ checks, log: silentLog });
      assert.match(readFileSync(file("package.json"), "utf8"), /ran\.txt/, "the first one has run");
      assert.equal(existsSync(file("ran.txt")), false);
      assert.equal(await change("types"), undefined);
      assert.equal(await change("lint"), true);
    });
  });
});
