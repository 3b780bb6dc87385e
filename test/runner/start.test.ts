// Proves that `npm start` ends everything it started: on Ctrl-C, and even when it is killed.
import { strict as assert } from "node:assert";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { removeFolder } from "../support/remove-folder.mjs";

for (const signal of ["SIGINT", "SIGKILL"] as const) {
  test(`npm start shows VS Code, and nothing of it is left after ${signal}`, async (t) => {
    const { program, mark, line } = startPatchbay(t, { VSCODE_TEST_TARGET: "web" });
    const address = /http:\/\/localhost:\S+/.exec(await line("http://localhost"))?.[0] ?? "";
    assert.match(await (await fetch(address)).text(), /vscode-workbench-web-configuration/);
    assert.ok(marked(mark).length >= 4);
    program.kill(signal);
    await gone(mark);
  });
}

test("npm start opens desktop VS Code in development mode, and nothing of it is left when it is closed", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-desktop-"));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "bin"));
  const seen = join(folder, "seen");
  writeFileSync(join(folder, "bin", "code"), "");
  // Leaves when the test says so, as a person closes the window.
  const desktop = `#!/bin/sh\necho "$PATCHBAY_DEV_KEY $@" > ${seen}.part && mv ${seen}.part ${seen}\nwhile [ -e ${seen} ]; do sleep 0.1; done\n`;
  writeFileSync(join(folder, "code"), desktop);
  chmodSync(join(folder, "code"), 0o755);
  const { mark, line, program } = startPatchbay(t, {
    DISPLAY: ":99",
    PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
  });
  await line("VS Code opens");
  while (!existsSync(seen)) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.match(readFileSync(seen, "utf8"), /^sk-\S+ .*--extensionDevelopmentPath=/);
  rmSync(seen);
  await once(program, "exit");
  await gone(mark);
});

/** Every process below inherits the mark. */
function startPatchbay(t: TestContext, env: NodeJS.ProcessEnv) {
  const mark = `PATCHBAY_TEST_MARK=${randomUUID()}`;
  const [name = "", value] = mark.split("=");
  const temporary = mkdtempSync(join(tmpdir(), "patchbay-"));
  const program = spawn(process.execPath, ["test/support/start.mjs"], {
    env: { ...process.env, TMPDIR: temporary, ...env, [name]: value },
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(async () => {
    program.kill("SIGKILL");
    await removeFolder(temporary);
  });
  return { program, mark, line: (part: string) => lineOf(program, part) };
}

function lineOf(program: ChildProcess, part: string): Promise<string> {
  return new Promise((resolve, reject) => {
    program.on("exit", () => reject(new Error(`It ended before it said "${part}".`)));
    if (program.stdout === null) return;
    createInterface({ input: program.stdout }).on("line", (line) => line.includes(part) && resolve(line));
  });
}

/** Fails by the test's time limit; a process in its last moment may still be there when its parent is not. */
async function gone(mark: string): Promise<void> {
  while (marked(mark).length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
}

function marked(mark: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "utf8").includes(mark);
    } catch {
      return false;
    }
  });
}
