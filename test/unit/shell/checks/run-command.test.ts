// One command: what it is told of its surroundings, and that it ends, with all that it has started.
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { type CommandDeps, runCommand } from "../../../../src/shell/checks/run-command.ts";

const never = new AbortController().signal;

function setUp(t: TestContext, limits?: CommandDeps["limits"]) {
  const folder = fs.mkdtempSync(join(tmpdir(), "patchbay-run-"));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
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

test("output of both kinds, and how it ended", async (t) => {
  const { folder, run } = setUp(t);
  const done = await run("pwd; echo said; echo complained >&2; exit 3");
  assert.deepEqual([done.end, done.code], ["done", 3]);
  for (const word of [folder, "said", "complained"]) assert.ok(done.output.includes(word), done.output);
  assert.equal((await run("kill -9 $$")).code, undefined);
  assert.equal((await run("no-such-program-anywhere")).code, 127);
});

test("nothing of the environment is passed on but what programs need to be found", async (t) => {
  const names = [
    "OPENAI_API_KEY",
    "GITHUB_TOKEN",
    "PATCHBAY_SECRET",
    "NODE_OPTIONS",
    "npm_config_token",
    "SSH_AUTH_SOCK",
  ];
  for (const name of names) process.env[name] = "canary";
  t.after(() => {
    for (const name of names) delete process.env[name];
  });
  const { folder, run } = setUp(t);
  const { output } = await run("env");
  assert.ok(!output.includes("canary"), output);
  assert.match(output, /^PATH=.+/m);
  assert.ok(output.includes(`TMPDIR=${folder}`));
});

test("stopped, it ends with everything that it has started", async (t) => {
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

test("what it leaves running ends with it", async (t) => {
  const { folder, run } = setUp(t);
  const { code } = await run("sleep 600 & echo $! > child");
  assert.equal(code, 0);
  await when(() => !isAlive(Number(fs.readFileSync(join(folder, "child"), "utf8"))));
});

test("who leaves the group and keeps the output open is not waited for", async (t) => {
  const { folder, run } = setUp(t);
  const { code, output } = await run("echo said; setsid sleep 600 & echo $! > child");
  const pid = Number(fs.readFileSync(join(folder, "child"), "utf8"));
  if (isAlive(pid)) process.kill(pid);
  assert.deepEqual([code, output], [0, "said\n"]);
});

test("limits on time, output and disk end it, and say which it was", async (t) => {
  const { run } = setUp(t, { outputLetters: 100_000 });
  assert.equal((await run("sleep 600", { seconds: 1 })).end, "timeout");
  const loud = await run("yes");
  assert.equal(loud.end, "output");
  assert.ok(loud.output.length <= 100_000);
  const full = setUp(t, { freeBytes: Number.POSITIVE_INFINITY });
  assert.equal((await full.run("sleep 600")).end, "disk");
});
