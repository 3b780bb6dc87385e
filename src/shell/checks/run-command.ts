// Runs one command of a check on its copy: with an environment that holds no secrets, in a group of its own that is ended as
// a whole, and with limits on time, output and disk. Knows no editor.
import { spawn } from "node:child_process";
import { statfs } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { CheckRun, RunEnd } from "../../core/checks/check.ts";

export interface CommandDeps {
  readonly command: string;
  /** Where it runs. */
  readonly folder: string;
  readonly temporary: string;
  readonly seconds: number;
  readonly limits?: Partial<RunLimits>;
}

export interface RunLimits {
  readonly outputLetters: number;
  /** It is ended where less of the disk is left. */
  readonly freeBytes: number;
  /** And where so much of it has gone since it began. */
  readonly takenBytes: number;
}

const defaultLimits: RunLimits = {
  outputLetters: 4_000_000,
  freeBytes: 256 * 1024 ** 2,
  takenBytes: 4 * 1024 ** 3,
};

/** What programs need to find each other and their caches; whatever else there is may be a secret. */
const passedOn = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ"],
  ...["SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA"],
  ...["ProgramFiles", "ProgramFiles(x86)", "ProgramData", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE"],
  ...["JAVA_HOME", "GOROOT", "GOPATH", "CARGO_HOME", "RUSTUP_HOME", "PYENV_ROOT", "NVM_DIR", "VOLTA_HOME"],
];

export function environmentFor(folder: string, temporary: string): NodeJS.ProcessEnv {
  const own = Object.fromEntries(
    passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const])),
  );
  const programs = [".venv", "venv"].map((name) =>
    join(folder, name, process.platform === "win32" ? "Scripts" : "bin"),
  );
  return {
    ...own,
    PATH: [...programs, own["PATH"] ?? ""].join(delimiter),
    ...{ TMPDIR: temporary, TEMP: temporary, TMP: temporary },
    // Nobody answers, nobody sees colours, and nothing is to be fetched.
    ...{ CI: "1", NO_COLOR: "1", FORCE_COLOR: "0", TERM: "dumb", PYTHONUNBUFFERED: "1" },
    ...{ PYTHONDONTWRITEBYTECODE: "1", npm_config_offline: "true", npm_config_update_notifier: "false" },
    ...{ npm_config_manage_package_manager_versions: "false", COREPACK_ENABLE_NETWORK: "0" },
    ...{ CARGO_NET_OFFLINE: "true", CARGO_TERM_COLOR: "never", GOPROXY: "off", GOTOOLCHAIN: "local" },
    ...{ PIP_NO_INDEX: "1", YARN_ENABLE_NETWORK: "0", GIT_TERMINAL_PROMPT: "0" },
  };
}

/** Rejects with the signal's reason when it is aborted, once nothing of it runs any more. */
export async function runCommand(
  { command, folder, temporary, seconds, limits }: CommandDeps,
  signal: AbortSignal,
): Promise<CheckRun> {
  signal.throwIfAborted();
  const { outputLetters, freeBytes, takenBytes } = { ...defaultLimits, ...limits };
  const began = performance.now();
  const isWindows = process.platform === "win32";
  const child = spawn(command, {
    cwd: folder,
    env: environmentFor(folder, temporary),
    shell: true,
    detached: !isWindows,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  const { pid } = child;
  let end: RunEnd = "done";
  const kill = () => {
    if (pid === undefined) return;
    if (isWindows)
      spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true })
        // Where there is none the program ends by itself; an error that nobody hears would end this process.
        .on("error", () => {});
    else endGroup(pid);
  };
  const endFor = (why: RunEnd) => {
    if (end === "done") end = why;
    kill();
  };
  const pieces: string[] = [];
  let letters = 0;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (piece: string) => {
      letters += piece.length;
      if (letters > outputLetters) endFor("output");
      else pieces.push(piece);
    });
  // Listened for at once: a quick command has ended before the disk has been looked at.
  const ended = new Promise<number | null>((resolve) => {
    child.once("error", () => {
      endFor("broken");
      resolve(null);
    });
    child.once("close", resolve);
    // What it has left running may hold its output open; nobody waits for that.
    child.once("exit", () => {
      kill();
      // Whoever has left the group as well is not waited for, either.
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
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
    const code = await ended;
    signal.throwIfAborted();
    const output = pieces.join("");
    const seconds = (performance.now() - began) / 1000;
    return { end, ...(code !== null && { code }), output, seconds };
  } finally {
    clearInterval(watching);
    clearTimeout(timing);
    signal.removeEventListener("abort", kill);
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
