// A sandbox based on macOS's sandbox-exec. UNTRIED, like its profile. macOS cannot mount a folder over another one, so
// the command runs in the copy, and the copy's path is replaced in the output.
import { type ChildProcess, execFile } from "node:child_process";
import { constants } from "node:fs";
import { cp, lstat, mkdir, realpath, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { prepareMountPoint, removeBelow } from "./real-folders.ts";
import { removeTree } from "./remove-tree.ts";
import { defaultLimits, type ProcessUsage, runLimited, shellLimits } from "./run-with-limits.ts";
import type { Sandbox, SandboxRun } from "./sandbox.ts";
import { isInside, shownPrograms, type ViewOptions } from "./visible-paths.ts";

interface SeatbeltFolders {
  /** Readable, and programs in them may be started. Real paths (/private/var/…), like all paths here. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly network: boolean;
}

/** System paths that programs need to start. */
const systemReadable = [
  ...["/usr", "/bin", "/sbin", "/System", "/opt/homebrew", "/opt/local", "/nix/store", "/Library/Apple"],
  ...["/Library/Developer", "/Library/Frameworks", "/Library/Java", "/Applications/Xcode.app"],
  ...["/private/var/db/timezone", "/private/var/db/dyld", "/private/etc/ssl"],
];
const systemFiles = [
  ...["/", "/private/var/db/xcode_select_link", "/private/var/select/sh", "/private/etc/localtime"],
  ...["/private/etc/passwd", "/private/etc/protocols", "/private/etc/services", "/private/etc/hosts"],
];

/** Programs that make other processes start something, or that show what runs outside. */
const closedPrograms = ["/bin/ps", "/usr/bin/open", "/usr/bin/osascript", "/usr/bin/sudo", "/usr/bin/su"];

/**
 * Builds the profile of macOS's sandbox for one run. UNTRIED: modelled on the system's own profiles and those of other
 * projects; nobody has run it on a Mac. As on Linux, a trial decides whether it works. Denies everything that is not
 * listed. Left out on purpose: services that start programs or provide keys or the pasteboard, Apple events, and the
 * network, unless a person agreed to it. macOS has no private loopback interface, so a command has no network at all.
 */
export function seatbeltProfile({ readable, writable, network }: SeatbeltFolders): string {
  const folders = (paths: readonly string[]) => paths.map((each) => `(subpath ${quote(each)})`).join(" ");
  const files = (paths: readonly string[]) => paths.map((each) => `(literal ${quote(each)})`).join(" ");
  return [
    "(version 1)",
    "(deny default)",
    '(import "system.sb")',
    network ? "(allow network*)" : "(deny network*)",
    "(allow process-exec process-fork)",
    `(deny process-exec ${files(closedPrograms)})`,
    "(allow process-info* signal (target same-sandbox))",
    "(allow sysctl-read)",
    // Needed by realpath and getcwd: names of folders are visible, their contents are not.
    "(allow file-read-metadata (vnode-type DIRECTORY))",
    `(allow file-read* file-map-executable ${files(systemFiles)} ${folders([...systemReadable, ...readable])})`,
    `(allow file-read* file-write* file-map-executable ${folders(writable)})`,
    "(deny file-write-setugid file-link)",
    `(allow file-read* file-write-data file-ioctl ${files(devices)} (subpath "/dev/fd"))`,
    "(allow pseudo-tty)",
    '(allow file-read* file-write* file-ioctl (literal "/dev/ptmx") (regex #"^/dev/ttys[0-9]+$"))',
    // Python's multiprocessing and OpenMP depend on it.
    "(allow ipc-posix-sem)",
    '(allow ipc-posix-shm* (ipc-posix-name-regex #"^/(__KMP_REGISTERED_LIB_|psm_)"))',
    `(allow mach-lookup ${services.map((each) => `(global-name ${quote(each)})`).join(" ")})`,
    "",
  ].join("\n");
}

const devices = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/dtracehelper"];
const services = [
  "com.apple.system.opendirectoryd.libinfo",
  "com.apple.system.notification_center",
  "com.apple.logd",
];

/** Quotes a string for the profile language; a path may contain any character. */
function quote(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

export const sandboxExec = "/usr/bin/sandbox-exec";

export function createSeatbelt(options: ViewOptions): Sandbox {
  return {
    // Dependencies are cloned for each run.
    overlays: true,
    async run(run, signal) {
      signal.throwIfAborted();
      const copy = await lstat(run.copy);
      try {
        return await runIn(run, options, signal);
      } finally {
        for (const { path } of clonesOf(run)) await removeBelow(run.copy, path, copy);
        await removeTree(run.temporary);
      }
    },
  };
}

/** Folders that Linux would mount below the copy's path. */
function clonesOf({ overlay, readOnly, at }: SandboxRun) {
  return [...overlay, ...readOnly]
    .filter((each) => isInside(each, at) && each !== at)
    .map((from) => ({ from, path: relative(at, from) }));
}

async function runIn(run: SandboxRun, options: ViewOptions, signal: AbortSignal) {
  await mkdir(run.temporary, { recursive: true, mode: 0o700 });
  const [copy, temporary] = await Promise.all([run.copy, run.temporary].map((each) => realpath(each)));
  if (copy === undefined || temporary === undefined) throw new Error("The copy is not there.");
  for (const { from, path } of clonesOf(run)) await clone(from, copy, path);
  const programs = shownPrograms(run.env["PATH"] ?? "", options).map(([from]) => from);
  const outside = run.readOnly.filter((each) => !isInside(each, run.at));
  const caches = await Promise.all(run.writable.map(({ from }) => realpath(from)));
  const profile = seatbeltProfile({
    readable: [...programs, ...outside],
    writable: [copy, temporary, ...caches],
    network: run.network === true,
  });
  const limits = { ...defaultLimits, ...run.limits };
  const told = { ...run.env, TMPDIR: temporary, TMP: temporary, TEMP: temporary };
  const moved = new Map([[run.at, copy], ...run.writable.map(({ from, at }) => [at, from] as const)]);
  const env = Object.fromEntries(
    Object.entries(told).map(([name, value]) => [name, replacePaths(value, moved)]),
  );
  // On macOS, the process limit counts the whole login session.
  const script = `${shellLimits(limits, "0")}\n/bin/sh -c "$0"\nexit $?`;
  const tree = new DescendantTree();
  const result = await runLimited(
    {
      line: [sandboxExec, "-p", profile, "/bin/sh", "-c", script, replacePaths(run.command, moved)],
      ...{ cwd: copy, env, pipes: 0, folders: [copy, temporary], onOutput: run.onOutput },
      measure: (child) => tree.measure(child),
      kill: (child) => tree.kill(child),
      gone: () => tree.gone(),
    },
    { seconds: run.seconds, limits },
    signal,
  );
  return { ...result, output: replacePaths(result.output, new Map([[copy, run.at]])) };
}

/** Makes an APFS clone if the file system supports it. Changes to the clone do not affect the original. */
async function clone(from: string, copy: string, path: string): Promise<void> {
  const into = join(copy, path);
  await prepareMountPoint(copy, path, "folder");
  await removeTree(into);
  await cp(from, into, { recursive: true, mode: constants.COPYFILE_FICLONE, verbatimSymlinks: true }).catch(
    () => rm(into, { recursive: true, force: true }),
  );
}

function replacePaths(text: string, moved: ReadonlyMap<string, string>): string {
  let replaced = text;
  for (const [from, into] of moved) replaced = replaced.replaceAll(from, into);
  return replaced;
}

/**
 * macOS has no pid namespaces. Descendants are searched for and remembered, since a process whose parent has ended can
 * no longer be attributed.
 */
class DescendantTree {
  readonly #known = new Set<number>();

  async measure({ pid }: ChildProcess): Promise<ProcessUsage | undefined> {
    if (pid === undefined) return undefined;
    this.#known.add(pid);
    const rows = await processes();
    for (let before = -1; before !== this.#known.size; ) {
      before = this.#known.size;
      for (const row of rows)
        if (this.#known.has(row.parent) || this.#known.has(row.group)) this.#known.add(row.pid);
    }
    const own = rows.filter((row) => this.#known.has(row.pid));
    for (const each of this.#known) if (!own.some((row) => row.pid === each)) this.#known.delete(each);
    return { processes: own.length, memory: own.reduce((sum, { memory }) => sum + memory, 0) };
  }

  kill(child: ChildProcess): void {
    child.kill("SIGKILL");
    for (const each of this.#known) end(each);
  }

  async gone(): Promise<void> {
    for (const each of this.#known) end(each);
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended.
  }
}

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly memory: number;
}

function processes(): Promise<readonly ProcessRow[]> {
  return new Promise((resolve, reject) => {
    execFile("/bin/ps", ["-axo", "pid=,ppid=,pgid=,rss="], (error, stdout) => {
      if (error) reject(error);
      const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
      resolve(
        rows.map(([pid = -1, parent = -1, group = -1, kilobytes = 0]) => ({
          ...{ pid, parent, group },
          memory: kilobytes * 1024,
        })),
      );
    });
  });
}
