// Proves that `npm start`, and a run of tests, end everything they started, however they are ended themselves. Linux is
// asked for the processes that are left; everything below a start inherits its mark.
import { strict as assert } from "node:assert";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { quietly } from "../support/processes.mjs";
import { removeFolder } from "../support/remove-folder.mjs";

test("npm start shows VS Code and leaves no process after Ctrl-C", async (t) => {
  const { program, mark, line } = startPatchbay(t, { VSCODE_TEST_TARGET: "web" });
  await isShown(await line("http://localhost"));
  assert.ok(marked(mark).length >= 4);
  process.kill(-Number(program.pid), "SIGINT");
  await once(program, "exit");
  assert.deepEqual(marked(mark), []);
});

test("npm start leaves no process when it is killed", async (t) => {
  const { program, mark, line } = startPatchbay(t, { VSCODE_TEST_TARGET: "web" });
  await isShown(await line("http://localhost"));
  program.kill("SIGKILL");
  // tail waits for a process that is not its child.
  await Promise.all(marked(mark).map((pid) => quietly("tail", [`--pid=${pid}`, "-f", "/dev/null"])));
  assert.deepEqual(marked(mark), []);
});

for (const [what, end] of [
  ["it alone is interrupted", (program: ChildProcess) => program.kill("SIGINT")],
  ["it is told to end", (program: ChildProcess) => program.kill("SIGTERM")],
  [
    "its terminal is closed",
    (program: ChildProcess) => {
      program.stdout?.destroy();
      process.kill(-Number(program.pid), "SIGHUP");
    },
  ],
] as const) {
  test(`npm start leaves no process when ${what}`, async (t) => {
    const desktop = desktopOf(t);
    const { program, mark, line } = startPatchbay(t, desktop.env);
    await line("VS Code opens");
    await readFile(desktop.opened);
    assert.ok(marked(mark).length >= 4);
    end(program);
    await once(program, "exit");
    assert.deepEqual(marked(mark), []);
  });
}

test("npm start leaves no process when it is interrupted while it fetches VS Code", async (t) => {
  const folder = emptyFolder(t);
  const waiting = join(folder, "waiting");
  execFileSync("mkfifo", [waiting]);
  program(join(folder, "npm"), `echo > ${waiting}; exec tail -f /dev/null`);
  const { program: start, mark } = startPatchbay(t, {
    VSCODE_TEST_TARGET: "web",
    PATCHBAY_VSCODE_TEST: join(folder, "tools"),
    PATH: `${folder}:${process.env["PATH"]}`,
  });
  await readFile(waiting);
  start.kill("SIGINT");
  await once(start, "exit");
  await Promise.all(marked(mark).map((pid) => quietly("tail", [`--pid=${pid}`, "-f", "/dev/null"])));
  assert.deepEqual(marked(mark), []);
});

test("a test run stops its program and starts no other when it is terminated", async (t) => {
  const folder = emptyFolder(t);
  const waiting = join(folder, "waiting");
  execFileSync("mkfifo", [waiting]);
  program(join(folder, "job"), `echo > ${waiting}; exec tail -f /dev/null`);
  const job = `import("./test/support/processes.mjs").then((it) => it.capture("${join(folder, "job")}", []))`;
  const { program: run, mark } = startPatchbay(t, {}, ["-e", `${job}.then(() => ${job})`]);
  await readFile(waiting);
  run.kill("SIGTERM");
  await once(run, "exit");
  await Promise.all(marked(mark).map((pid) => quietly("tail", [`--pid=${pid}`, "-f", "/dev/null"])));
  assert.deepEqual(marked(mark), []);
});

test("npm start opens desktop VS Code in development mode and leaves no process once it is closed", async (t) => {
  const desktop = desktopOf(t);
  const { mark, line, program: start } = startPatchbay(t, desktop.env);
  await line("VS Code opens");
  const opened = await readFile(desktop.opened, "utf8");
  assert.match(opened, /^sk-\S+ .*--extensionDevelopmentPath=/);
  const [, user = ""] = /--user-data-dir=(\S+)/.exec(opened) ?? [];
  const settings = JSON.parse(await readFile(join(user, "User", "settings.json"), "utf8"));
  // Its own chat answers, too.
  assert.equal(settings["patchbay.languageModel.enabled"], true);
  await writeFile(desktop.close, "now\n");
  await once(start, "exit");
  assert.deepEqual(marked(mark), []);
});

async function isShown(line: string): Promise<void> {
  const address = /http:\/\/localhost:\S+/.exec(line)?.[0] ?? "";
  assert.match(await (await fetch(address)).text(), /vscode-workbench-web-configuration/);
}

/** Says through `opened` what it was started with, and leaves when something arrives in `close`, as a person closes it. */
function desktopOf(t: TestContext) {
  const folder = emptyFolder(t);
  const [opened, close] = [join(folder, "opened"), join(folder, "close")];
  execFileSync("mkfifo", [opened, close]);
  mkdirSync(join(folder, "bin"));
  program(join(folder, "bin", "code"), "");
  program(join(folder, "code"), `echo "$PATCHBAY_DEV_KEY $@" > ${opened}; read word < ${close}`);
  const env = { DISPLAY: ":99", PATH: `${join(folder, "bin")}:${process.env["PATH"]}` };
  return { env, opened, close };
}

function program(file: string, script: string): void {
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-runner-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** In a process group of its own, like what a terminal starts. */
function startPatchbay(t: TestContext, env: NodeJS.ProcessEnv, args = ["test/support/start.mjs"]) {
  const mark = `PATCHBAY_TEST_MARK=${randomUUID()}`;
  const [name = "", value] = mark.split("=");
  const temporary = mkdtempSync(join(tmpdir(), "patchbay-"));
  const program = spawn(process.execPath, args, {
    env: { ...process.env, TMPDIR: temporary, ...env, [name]: value },
    detached: true,
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
    // Not its exit, which may be heard of before its last words are.
    program.on("close", () => reject(new Error(`It ended before it said "${part}".`)));
    if (program.stdout === null) return;
    createInterface({ input: program.stdout }).on("line", (line) => line.includes(part) && resolve(line));
  });
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
