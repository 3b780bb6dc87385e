// One command: what it is told of its surroundings, and that it ends, with all that it has started.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type CommandDeps, runCommand } from "../../../src/checks/internal/run-check-command.ts";
import { ownFolder, withVariable } from "../../support/one-test.ts";

const never = new AbortController().signal;

// Started as a process of its own, this file is the window in which a check runs.
const held = process.env["PATCHBAY_TEST_HOLDS"];
if (held !== undefined) {
  const command = "sleep 600 & echo $! > child; sh -c 'sleep 600 & echo $! > grandchild; wait' & wait";
  await runCommand({ command, folder: held, temporary: held, seconds: 600 }, never);
}

function setUp(t: TestContext, limits?: CommandDeps["limits"]) {
  const folder = ownFolder(t, "run");
  const run = (command: string, { seconds = 60, signal = never } = {}) =>
    runCommand({ command, folder, temporary: folder, seconds, ...(limits && { limits }) }, signal);
  return { folder, run };
}

async function when(is: () => boolean): Promise<void> {
  while (!is()) await setImmediate();
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return !fs.readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z");
  } catch {
    return false;
  }
};

test("runCommand returns stdout, stderr and the exit code", async (t) => {
  const { folder, run } = setUp(t);
  const done = await run("pwd; echo said; echo complained >&2; exit 3");
  assert.deepEqual([done.end, done.code], ["done", 3]);
  for (const word of [folder, "said", "complained"]) assert.ok(done.output.includes(word), done.output);
  assert.equal((await run("kill -9 $$")).code, undefined);
  assert.equal((await run("no-such-program-anywhere")).code, 127);
});

test("runCommand passes on only the environment variables that programs need to be found", async (t) => {
  const names = [
    "OPENAI_API_KEY",
    "GITHUB_TOKEN",
    "PATCHBAY_SECRET",
    "NODE_OPTIONS",
    "npm_config_token",
    "SSH_AUTH_SOCK",
  ];
  for (const name of names) withVariable(t, name, "canary");
  const { folder, run } = setUp(t);
  const { output } = await run("env");
  assert.ok(!output.includes("canary"), output);
  assert.match(output, /^PATH=.+/m);
  assert.ok(output.includes(`TMPDIR=${folder}`));
});

test("stopping runCommand ends every process it started", async (t) => {
  const { folder, run } = setUp(t);
  const stop = new AbortController();
  const running = run("sleep 600 & echo $! > child; sh -c 'sleep 600 & echo $! > grandchild; wait' & wait", {
    signal: stop.signal,
  });
  const pids = ["child", "grandchild"].map((name) => join(folder, name));
  await when(() => pids.every((file) => fs.existsSync(file) && fs.readFileSync(file, "utf8").endsWith("\n")));
  stop.abort(new Error("stopped"));
  await assert.rejects(running, /stopped/);
  const numbers = pids.map((file) => Number(fs.readFileSync(file, "utf8")));
  await when(() => numbers.every((pid) => !isAlive(pid)));
});

test("killing the window ends every process that a command started", async (t) => {
  const { folder } = setUp(t);
  const window = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
    env: { ...process.env, PATCHBAY_TEST_HOLDS: folder, NODE_TEST_CONTEXT: undefined },
    stdio: "ignore",
  });
  const pids = ["child", "grandchild"].map((name) => join(folder, name));
  await when(() => pids.every((file) => fs.existsSync(file) && fs.readFileSync(file, "utf8").endsWith("\n")));
  const numbers = pids.map((file) => Number(fs.readFileSync(file, "utf8")));
  assert.deepEqual(numbers.map(isAlive), [true, true]);
  window.kill("SIGKILL");
  await when(() => numbers.every((pid) => !isAlive(pid)));
});

test("runCommand ends background processes that a command leaves behind", async (t) => {
  const { folder, run } = setUp(t);
  const { code } = await run("sleep 600 & echo $! > child");
  assert.equal(code, 0);
  await when(() => !isAlive(Number(fs.readFileSync(join(folder, "child"), "utf8"))));
});

test("runCommand does not wait for a process that left the group with the output open", async (t) => {
  const { folder, run } = setUp(t);
  const { code, output } = await run("echo said; setsid sleep 600 & echo $! > child");
  const pid = Number(fs.readFileSync(join(folder, "child"), "utf8"));
  if (isAlive(pid)) process.kill(pid);
  assert.deepEqual([code, output], [0, "said\n"]);
});

test("runCommand ends a command at its limits on time, output and disk, and names the limit", async (t) => {
  const { run } = setUp(t, { outputLetters: 100_000 });
  assert.equal((await run("sleep 600", { seconds: 1 })).end, "timeout");
  const loud = await run("yes");
  assert.equal(loud.end, "output");
  assert.ok(loud.output.length <= 100_000);
  const full = setUp(t, { freeBytes: Number.POSITIVE_INFINITY });
  assert.equal((await full.run("sleep 600")).end, "disk");
});
