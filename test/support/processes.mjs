// Starts other programs: `run` to wait for one that shares our terminal, `start` for one that lives beside us and
// must never outlive us. Node built-ins only. Like every file here it expects to run from the repository's root.
import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const windows = process.platform === "win32";

/** Answers the exit code; what the program prints goes to our terminal. */
export function run(command, args, { cwd = process.cwd(), env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      stdio: "inherit",
      env: { ...process.env, ...env },
      shell: windows && command.endsWith(".cmd"),
    });
    child.on("error", (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/**
 * Like `run`, with what was printed as part of the answer. On a leash, as in `start`. What is `gentle` takes the time
 * that others leave; what lasts longer than our `patience`, in milliseconds, is ended.
 * @returns {Promise<{ code: number, output: string }>}
 */
export function capture(command, args, { cwd = process.cwd(), env = {}, gentle = false, patience } = {}) {
  return new Promise((resolve) => {
    const child = onLeash(command, args, { cwd, env: { ...process.env, ...env } });
    const late = patience && setTimeout(() => child.stdin.destroy(), patience);
    if (gentle && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    child.on("error", (error) => resolve({ code: 1, output: `${output}${error.message}\n` }));
    child.on("close", (code) => {
      clearTimeout(late);
      resolve({ code: code ?? 1, output });
    });
  });
}

export async function must(command, args, options) {
  const code = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}.`);
}

/**
 * Like `must`, but silent; what was printed becomes part of the error, or the answer. On a leash, as in `start`.
 * @returns {Promise<string>}
 */
export function quietly(command, args, { cwd = process.cwd(), env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = onLeash(command, args, { cwd, env: { ...process.env, ...env } });
    let out = "";
    let all = "";
    child.stdout.on("data", (bytes) => {
      out += bytes;
      all += bytes;
    });
    child.stderr.on("data", (bytes) => {
      all += bytes;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(out.trim());
      else reject(new Error(`${command} ${args.join(" ")} ended with ${code}.\n${all.trim().slice(-2000)}`));
    });
  });
}

/**
 * @typedef {object} StartOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {(line: string) => void} [onLine]
 */

/**
 * Starts a program on a leash: it and all its children end with `stop()`, and also when we end, however we end.
 * `onLine` hears every line of both of its streams.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {StartOptions} options
 */
export function start(command, args, { cwd = process.cwd(), env = process.env, onLine = () => {} } = {}) {
  const child = onLeash(command, args, { cwd, env });
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", onLine);
  const exited = new Promise((resolve) => {
    child.on("error", () => resolve(127));
    child.on("close", (code) => resolve(code ?? 1));
  });
  return {
    exited,
    stop() {
      child.stdin.destroy();
      return exited;
    },
  };
}

function onLeash(command, args, { cwd, env }) {
  const leash = join(process.cwd(), "test/support/kill-tree.mjs");
  return spawn(process.execPath, [leash, command, ...args], {
    cwd,
    env,
    // Ctrl-C reaches everything in the terminal's group; who ends first is ours to say.
    detached: !windows,
    stdio: ["pipe", "pipe", "pipe"],
  });
}
