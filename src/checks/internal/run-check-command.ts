// Runs the command of a check on its copy: with an environment free of secrets, in a process group that is killed as a
// whole and ends with this process, and with limits on time, output and disk. Independent of the editor.
import { spawn } from "node:child_process";
import { statfs } from "node:fs/promises";
import type { Readable } from "node:stream";
import { present } from "../../util/present.ts";
import type { CheckRun, RunEnd } from "../check.ts";
import { environmentFor } from "./command-environment.ts";
import { launcher } from "./command-launcher.ts";

/** What to run: a shell command line, or a program with its arguments. */
interface Launch {
  readonly command: string | readonly [file: string, ...args: string[]];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How it ended. */
interface Landing {
  readonly code?: number;
  /** The signal that has ended it. */
  readonly signal?: string;
  /** Why it could not be started. */
  readonly failed?: string;
}

/** File descriptor to which the landing is written. */
const landingPipe = 3;

export interface CommandDeps {
  /** A shell command line, or a program with its arguments. */
  readonly command: Launch["command"];
  /** Environment variables in addition to the common ones. */
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory. */
  readonly folder: string;
  readonly temporary: string;
  readonly seconds: number;
  readonly limits?: Partial<RunLimits>;
  /** Called with each piece of the output as it arrives. */
  readonly onOutput?: (piece: string) => void;
}

interface RunLimits {
  readonly outputLetters: number;
  /** The run is ended if less disk space than this is free. */
  readonly freeBytes: number;
  /** The run is ended if it has used more disk space than this. */
  readonly takenBytes: number;
}

export const defaultLimits: RunLimits = {
  outputLetters: 4_000_000,
  freeBytes: 256 * 1024 ** 2,
  takenBytes: 4 * 1024 ** 3,
};

/** Rejects with the signal's reason when aborted, once all its processes have ended. */
export async function runCommand(
  { command, env, folder, temporary, seconds, limits, onOutput }: CommandDeps,
  signal: AbortSignal,
): Promise<CheckRun> {
  signal.throwIfAborted();
  const { outputLetters, freeBytes, takenBytes } = { ...defaultLimits, ...limits };
  const began = performance.now();
  const isWindows = process.platform === "win32";
  const launch: Launch = { command, folder, env: { ...environmentFor(folder, temporary), ...env } };
  const child = spawn(process.execPath, ["-e", launcher, JSON.stringify(launch)], {
    // Not the copy, so that the launcher loads nothing from it.
    cwd: temporary,
    env: { ...environmentFor(temporary, temporary), ELECTRON_RUN_AS_NODE: "1" },
    detached: !isWindows,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  // Never written to: it only stays open as long as this process lives.
  child.stdin.on("error", () => {});
  const outputs = [child.stdout, child.stderr];
  const landing = readLanding(child.stdio[landingPipe] as Readable);
  const { pid } = child;
  let end: RunEnd = "done";
  const kill = () => {
    if (pid === undefined) return;
    if (isWindows)
      spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true })
        // Without taskkill the program ends by itself; an unhandled error event would end this process.
        .on("error", () => {});
    else endGroup(pid);
  };
  const endFor = (why: RunEnd) => {
    if (end === "done") end = why;
    kill();
  };
  const pieces: string[] = [];
  let letters = 0;
  for (const stream of outputs)
    stream.setEncoding("utf8").on("data", (piece: string) => {
      letters += piece.length;
      if (letters > outputLetters) return endFor("output");
      pieces.push(piece);
      onOutput?.(piece);
    });
  // Subscribed immediately: a quick command may end before the disk is checked.
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => {
      endFor("broken");
      resolve();
    });
    child.once("close", () => resolve());
    // Processes it left running may keep its output open; do not wait for them.
    child.once("exit", () => {
      kill();
      // Nor wait for processes that have left the group.
      setTimeout(() => {
        for (const stream of outputs) stream.destroy();
      }, 1000).unref();
    });
  });
  const free = async () => {
    const { bavail, bsize } = await statfs(temporary);
    return bavail * bsize;
  };
  const atFirst = await free().catch(() => undefined);
  const lookAtDisk = async () => {
    const now = await free();
    if (now < freeBytes || (atFirst !== undefined && atFirst - now > takenBytes)) endFor("disk");
  };
  const watching = setInterval(() => void lookAtDisk().catch(() => {}), 500);
  const timing = setTimeout(() => endFor("timeout"), seconds * 1000);
  signal.addEventListener("abort", kill, { once: true });
  if (signal.aborted) kill();
  try {
    await ended;
    signal.throwIfAborted();
    const { code, signal: endedBy, failed } = landing();
    if (failed !== undefined && end === "done") end = "broken";
    const output = [...pieces, ...(failed === undefined ? [] : [failed])].join("");
    const seconds = (performance.now() - began) / 1000;
    return { end, ...present({ code, signal: endedBy || undefined }), output, seconds };
  } finally {
    clearInterval(watching);
    clearTimeout(timing);
    signal.removeEventListener("abort", kill);
  }
}

/** The landing, once the pipe is closed; empty if the launcher itself was killed. */
function readLanding(pipe: Readable): () => Landing {
  let text = "";
  pipe.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  pipe.on("error", () => {});
  return () => (text === "" ? {} : (JSON.parse(text) as Landing));
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
