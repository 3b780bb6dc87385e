// A line in a terminal of the real editor: with the shell integration of bash, and in a shell that has none.
import { strict as assert } from "node:assert";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { TerminalEnd } from "../../src/commands/command-host.ts";
import { runInTerminal } from "../../src/commands/editor/folder-terminal.ts";

/** Nobody waits so long; what comes, comes earlier. */
const patience = { integration: 60_000, stop: 60_000 };

describe("a line in a terminal of the real folder", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "patchbay-terminal-"));
  });
  afterEach(async () => {
    for (const each of vscode.window.terminals) each.dispose();
    await useShell(undefined);
    rmSync(folder, { recursive: true, force: true });
  });

  async function useShell(path: string | undefined): Promise<void> {
    const { Global } = vscode.ConfigurationTarget;
    const settings = vscode.workspace.getConfiguration("terminal.integrated");
    const profile = path === undefined ? undefined : { only: { path } };
    await settings.update("profiles.linux", profile, Global);
    await settings.update("defaultProfile.linux", path && "only", Global);
  }

  /** Runs it until it ends, or until its output has what is waited for. */
  async function run(line: string, stopAt?: string, more: Partial<typeof patience> = {}) {
    const stop = new AbortController();
    let [output, isSent] = ["", false];
    const end: TerminalEnd = await runInTerminal(
      folder,
      {
        line,
        signal: stop.signal,
        onSent: () => (isSent = true),
        onOutput(piece) {
          output += piece;
          if (stopAt !== undefined && output.includes(stopAt)) stop.abort();
        },
      },
      { ...patience, ...more },
    );
    return { end, output, isSent };
  }

  it("runs there, and tells its output and exit code", async () => {
    await useShell("/bin/bash");
    const { end, output, isSent } = await run("pwd; echo one > made.txt; (exit 3)");
    assert.deepEqual([end, isSent], [{ how: "ended", code: 3 }, true]);
    assert.ok(output.includes(folder), output);
    assert.equal(readFileSync(join(folder, "made.txt"), "utf8"), "one\n");
    assert.equal(vscode.window.terminals.length, 1, "it stays for the person to read");
  });

  it("is stopped by Ctrl+C, after which its terminal stays", async () => {
    await useShell("/bin/bash");
    const { end } = await run("echo rea''dy; sleep 300; echo never", "ready");
    assert.deepEqual(end, { how: "stopped" });
    assert.equal(vscode.window.terminals.length, 1);
  });

  it("is closed with its terminal where Ctrl+C does not help", async () => {
    await useShell("/bin/bash");
    const line = 'bash -c \'trap "" INT; echo rea""dy; while :; do sleep 0.1; done\'';
    const closed = new Promise((resolve) => vscode.window.onDidCloseTerminal(resolve));
    const { end } = await run(line, "ready", { stop: 100 });
    assert.deepEqual(end, { how: "stopped" });
    await closed;
    assert.equal(vscode.window.terminals.length, 0);
  });

  it("is told when somebody closes its terminal", async () => {
    await useShell("/bin/bash");
    const closing = vscode.window.onDidStartTerminalShellExecution(({ terminal }) => terminal.dispose());
    const { end } = await run("sleep 300");
    closing.dispose();
    assert.deepEqual(end, { how: "closed" });
  });

  it("waits there unsent in a shell without integration", async () => {
    await useShell("/bin/dash");
    const { end, isSent } = await run("touch ran.txt", undefined, { integration: 500 });
    assert.deepEqual([end, isSent], [{ how: "unsent" }, false]);
    assert.equal(vscode.window.terminals.length, 1);
    assert.throws(() => readFileSync(join(folder, "ran.txt")));
  });

  it("is not sent any more when somebody closes its terminal before", async () => {
    await useShell("/bin/dash");
    const closing = vscode.window.onDidOpenTerminal((terminal) => terminal.dispose());
    const { end, isSent } = await run("touch ran.txt");
    closing.dispose();
    assert.deepEqual([end, isSent], [{ how: "closed" }, false]);
  });
});
