// "Set Up Checks…", as far as a person's own settings are concerned.

import { strict as assert } from "node:assert";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { readRows } from "../../src/checks/check.ts";
import { type Checks, createChecks } from "../../src/checks/editor/checks.ts";
import { setUpChecks, setUpOffered } from "../../src/checks/editor/internal/set-up-checks.ts";
import type { Workspace } from "../../src/files/workspace.ts";
import { WorkerThread } from "../../src/main/internal/run-in-worker.ts";
import { silentLog } from "../../src/util/log.ts";
import { createMemento } from "./support/memento.ts";

const extension =
  vscode.extensions.all.find(({ packageJSON }) => packageJSON.name === "patchbay")?.extensionPath ?? "";

describe("setUpChecks", () => {
  it("adds the selected checks to the setting and keeps the existing ones unchanged", async () => {
    const settings = () => vscode.workspace.getConfiguration("patchbay");
    const { showQuickPick } = vscode.window;
    const written = [{ name: "Lint", command: "npm run lint", note: "mine" }, { name: "Not ready yet" }];
    const suggested = { name: "Types", command: "npx tsc", kind: "static", from: "tsconfig.json" };
    const accepted: unknown[] = [];
    const checks = {
      host: {
        obstacle: undefined,
        confinement: async () => ({ kind: "sandbox" }),
        withCopy: () => Promise.reject(new Error("not here")),
      },
      roots: () => [{ folder: "workspace", path: "/nowhere" }],
      rows: () => readRows(written),
      suggest: async () => [suggested],
      bodyOf: async () => undefined,
      isAccepted: () => false,
      async accept(_: unknown, row: object, body: string | undefined) {
        accepted.push(body);
        return { ...row, blind: [] };
      },
    };
    await settings().update("checks", written, vscode.ConfigurationTarget.Global);
    vscode.window.showQuickPick = (async (items: readonly vscode.QuickPickItem[]) =>
      items.filter(({ label }) => label === "Types")) as never;
    try {
      await setUpChecks({ checks: checks as unknown as Checks, log: silentLog });
      const now = settings().inspect<readonly object[]>("checks")?.globalValue ?? [];
      assert.deepEqual(now.slice(0, 2), written);
      assert.deepEqual(now.length, 3);
      const tests = { name: "tests", command: "npm test", kind: "tests", from: "package.json" } as const;
      const offer = { root: { folder: "workspace", path: "/nowhere" }, check: tests, body: "node --test" };
      await setUpOffered(offer, { checks: checks as unknown as Checks, log: silentLog });
      const { from: _, ...row } = tests;
      const last = settings().inspect<readonly object[]>("checks")?.globalValue?.at(-1);
      assert.deepEqual(last, { ...row, automatic: true });
      assert.deepEqual(accepted, [undefined, "node --test"]);
    } finally {
      vscode.window.showQuickPick = showQuickPick;
      await settings().update("checks", undefined, vscode.ConfigurationTarget.Global);
    }
  });

  describe("an accepted script", () => {
    const { showQuickPick } = vscode.window;
    let folder: string;
    let thread: WorkerThread;
    let checks: Checks;
    const file = (name: string) => join(folder, name);
    const write = (scripts: Readonly<Record<string, string>>) =>
      writeFileSync(file("package.json"), JSON.stringify({ scripts }));
    const mark = () => `node -e "require('fs').writeFileSync('${file("ran.txt")}', '')"`;
    const change = async (name: string) =>
      (await checks.host.checks([])).find((check) => check.name === name)?.isChanged;

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "patchbay-set-up-"));
      const root = { folder: "workspace", path: folder };
      thread = new WorkerThread(join(extension, "dist/worker.js"));
      checks = createChecks({
        storage: mkdtempSync(join(tmpdir(), "patchbay-copies-")),
        memory: createMemento(),
        workspace: { trusted: true, folders: ["workspace"], roots: [root] } as unknown as Workspace,
        log: silentLog,
        rows: () => vscode.workspace.getConfiguration("patchbay").inspect("checks")?.globalValue,
        privacy: () => ({ ignore: [], alsoIgnore: [] }),
        thread,
        copyThread: join(extension, "dist/copies.js"),
      });
    });

    afterEach(async () => {
      vscode.window.showQuickPick = showQuickPick;
      await checks.close();
      await thread.close();
      const patchbay = vscode.workspace.getConfiguration("patchbay");
      await patchbay.update("checks", undefined, vscode.ConfigurationTarget.Global);
      rmSync(folder, { recursive: true, force: true });
    });

    it("does not run when it was changed while the list was open", async () => {
      write({ lint: "eslint ." });
      let shown: string | undefined;
      vscode.window.showQuickPick = (async (items: readonly vscode.QuickPickItem[]) => {
        // Where they run stands in a row of its own, above them.
        assert.equal(items[0]?.kind, vscode.QuickPickItemKind.Separator);
        assert.match(items[0].label, /^They run on a copy of this folder, /);
        shown = items[1]?.description;
        write({ lint: mark() });
        return items;
      }) as never;
      await setUpChecks({ checks, log: silentLog });
      assert.equal(shown, "npm run lint  →  eslint .");
      assert.equal(existsSync(file("ran.txt")), false);
      assert.equal(await change("lint"), true);
    });

    it("does not run when it was changed while another check was tried", async () => {
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
