/**
 * A small program between the editor and the command of a check. It kills the whole process group as soon as the pipe to
 * the editor closes, which happens however the editor ends. It is run by `node -e`, with a Launch (run-check-command.ts)
 * as its only argument, and uses nothing but Node. A text, since a bundle has no second file to start.
 */
export const launcher = `
const { spawn, spawnSync } = require("node:child_process");
const { writeSync } = require("node:fs");

const isWindows = process.platform === "win32";
/** Standard input is the pipe to the editor; how the command ended is written to the fourth one. */
const landingPipe = 3;

const { command, folder, env } = JSON.parse(process.argv[1]);
const [file, ...args] = typeof command === "string" ? [command] : command;
const child = spawn(file, args, {
  cwd: folder,
  env,
  shell: typeof command === "string",
  windowsHide: true,
  stdio: ["ignore", "inherit", "inherit"],
});

function end() {
  if (isWindows) {
    if (child.pid !== undefined)
      spawnSync("taskkill", ["/pid", String(child.pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    process.exit();
  }
  // This process leads the group and is killed with it.
  process.kill(-process.pid, "SIGKILL");
}

function land(landing) {
  writeSync(landingPipe, JSON.stringify(landing));
  end();
}

child.on("error", (error) => land({ failed: error.message }));
child.on("exit", (code, signal) => land(code === null ? { signal: signal ?? "" } : { code }));
process.stdin.on("close", end).resume();
`;
