// Runs one command in a process group of its own and ends the whole group when its starter goes away:
// `node kill-tree.mjs command args…`. The starter holds our stdin; the pipe closes even when the starter is killed.
import { spawn, spawnSync } from "node:child_process";

const grace = 10_000;
const windows = process.platform === "win32";
const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, {
  detached: !windows,
  stdio: ["ignore", "inherit", "inherit"],
  shell: windows && command.endsWith(".cmd"),
});

child.on("error", (error) => {
  console.error(`${command} could not be started: ${error.message}`);
  process.exit(127);
});
child.on("exit", (code, signal) => {
  // What the command itself started ends with it.
  signalGroup("SIGKILL");
  process.exitCode = code ?? (signal === null ? 1 : 128);
  process.stdin.destroy();
});

let ending = false;
function end() {
  if (ending) return;
  ending = true;
  signalGroup("SIGTERM");
  setTimeout(() => signalGroup("SIGKILL"), grace).unref();
}

function signalGroup(signal) {
  if (child.pid === undefined) return;
  if (windows) spawnSync("taskkill", ["/pid", String(child.pid), "/T", "/F"], { stdio: "ignore" });
  else
    try {
      process.kill(-child.pid, signal);
    } catch {
      // The group is gone already.
    }
}

process.stdin.on("close", end);
process.stdin.resume();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
