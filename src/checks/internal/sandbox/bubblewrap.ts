// A sandbox based on bubblewrap: separate namespaces in which the copy is mounted at the real folder's path. Linux and
// WSL 2.

import type { ChildProcess } from "node:child_process";
import { lstatSync, realpathSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { release } from "node:os";
import { join, relative } from "node:path";
import type { Duplex } from "node:stream";
import { prepareMountPoint } from "./real-folders.ts";
import { removeTree } from "./remove-tree.ts";
import {
  defaultLimits,
  initOf,
  killInit,
  type LimitedProgram,
  memoryFileSystem,
  type NamespaceInit,
  namespaceUsage,
  runLimited,
  sharedMemory,
  shellLimits,
  untilNamespaceGone,
} from "./run-with-limits.ts";
import type { Sandbox, SandboxResult, SandboxRun } from "./sandbox.ts";
import { seccompFilter } from "./seccomp-filter.ts";
import {
  closedFolders,
  homes,
  isInside,
  shownConfiguration,
  shownPrograms,
  shownSystem,
  type ViewOptions,
} from "./visible-paths.ts";

/**
 * How dependencies are overlaid below the copy: by bubblewrap, by mounts made before it starts, or not at all
 * (read-only).
 */
export type OverlayWay = "bubblewrap" | "before" | "none";

interface ArgumentOptions extends ViewOptions {
  /** Flags that this version supports. */
  readonly flags: ReadonlySet<string>;
  readonly overlayWay: OverlayWay;
  /** Mounted as /tmp. */
  readonly temporary: string;
  /** Paths of the overlays that were mounted before, in the order of `run.overlay`. */
  readonly mounted: readonly (string | undefined)[];
}

/** Variables set for bubblewrap itself, or by a shell that starts it. */
const ownVariables = ["PATH", "LC_ALL", "PWD", "OLDPWD", "SHLVL", "_"];

/**
 * Arguments for bubblewrap: the sandbox starts empty, then programs are mounted read-only, then the copy at the real
 * folder's path. Also prepares the mount points in the copy, so nothing else may run on the copy meanwhile.
 */
async function bubblewrapArguments(run: SandboxRun, options: ArgumentOptions): Promise<readonly string[]> {
  const { copy, at } = run;
  if (at === "/") throw new Error("The whole disk cannot be the folder of a sandbox.");
  const view = { ...options, workspaceFolders: [...options.workspaceFolders, at] };
  const system = shownSystem();
  const programs = shownPrograms(run.env["PATH"] ?? "", view);
  const args = namespaces(options.flags, run.network === true);
  for (const { at: path, linkTo } of system)
    args.push(...(linkTo === undefined ? ["--ro-bind", path, path] : ["--symlink", linkTo, path]));
  for (const [from, path] of shownConfiguration(run.network === true)) args.push("--ro-bind", from, path);
  args.push(...devices(options));
  for (const home of homes().filter((each) => each !== "/tmp")) args.push(...inMemory(home, options.flags));
  for (const [from, path] of programs) args.push("--ro-bind", from, path);
  const shown = [...system, ...programs.map(([, path]) => ({ at: path }))].map((each) => each.at);
  for (const folder of closedFolders(shown, at, options)) args.push(...inMemory(folder, options.flags));
  args.push("--bind", copy, at);
  const mount = async (flags: readonly string[], from: string, path: string) => {
    const stats = lstatSync(from, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (isInside(path, at) && path !== at)
      await prepareMountPoint(copy, relative(at, path), stats.isDirectory() ? "folder" : "file");
    args.push(...flags, path);
  };
  for (const [index, path] of run.overlay.entries()) {
    const from = realpathIfThere(path);
    const mounted = options.mounted[index];
    if (options.overlayWay === "bubblewrap" && isFolder(from))
      await mount(["--overlay-src", from, "--tmp-overlay"], from, path);
    else if (mounted !== undefined) await mount(["--bind", mounted], from, path);
    else await mount(["--ro-bind", from], from, path);
  }
  for (const path of run.readOnly) {
    const from = realpathIfThere(path);
    await mount(["--ro-bind", from], from, path);
  }
  for (const { from, at: path } of run.writable) await mount(["--bind", from], from, path);
  const told = { ...run.env, TMPDIR: "/tmp", TMP: "/tmp", TEMP: "/tmp" };
  for (const name of ownVariables) args.push("--unsetenv", name);
  for (const [name, value] of Object.entries(told)) args.push("--setenv", name, value);
  return [...args, "--remount-ro", "/", "--chdir", at];
}

/**
 * Shares nothing with the machine, except its network where that was agreed to: no processes, users, memory or host
 * names. The command itself is the first process, so that every process is subject to the system call filter.
 */
function namespaces(flags: ReadonlySet<string>, network: boolean): string[] {
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
    ...(network ? [] : ["--unshare-net"]),
    ...["--unshare-cgroup-try", "--as-pid-1", "--new-session", "--die-with-parent"],
    ...["--cap-drop", "ALL", "--hostname", "sandbox"],
    ...["--uid", String(process.getuid?.() ?? 0), "--gid", String(process.getgid?.() ?? 0)],
    // Before 0.8, only the filter prevents new user namespaces.
    ...(flags.has("--disable-userns") ? ["--disable-userns"] : []),
  ];
}

/**
 * `/proc` is read-only, because bubblewrap leaves /proc/sys writable for root, and writing core_pattern there runs
 * programs as root on the machine itself, without any capability.
 */
function devices({ flags, temporary }: ArgumentOptions): readonly string[] {
  return [
    ...["--ro-bind-try", "/sys/devices/system/cpu", "/sys/devices/system/cpu"],
    ...["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"],
    ...inMemory("/dev/shm", flags),
    ...["--bind", temporary, "/tmp", "--dir", "/var", "--symlink", "/tmp", "/var/tmp", "--dir", "/run"],
  ];
}

function inMemory(path: string, flags: ReadonlySet<string>): readonly string[] {
  return [...(flags.has("--size") ? ["--size", String(memoryFileSystem)] : []), "--tmpfs", path];
}

const isFolder = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

function realpathIfThere(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Milliseconds within which bubblewrap must report the process it has started. */
const patience = 5000;

/** Reads bubblewrap's status messages while it runs, and ends the whole sandbox. */
class BubblewrapLife {
  #text = "";
  #toEnd: ChildProcess | undefined;
  /** The first process of the sandbox. */
  init: NamespaceInit | undefined;
  /** The exit code of the command. Absent until it has ended, and forever if it never started. */
  exitCode: number | undefined;
  /** Whether the command was allowed to begin. It must not be started again then. */
  hasBegun = false;

  /** Takes lines of JSON in chunks of any size. */
  hear(text: string): void {
    this.#text = (this.#text + text).slice(0, 10_000);
    const pid = /"child-pid"\s*:\s*(\d+)/.exec(this.#text)?.[1];
    if (pid !== undefined) this.init ??= initOf(Number(pid));
    const code = /"exit-code"\s*:\s*(\d+)/.exec(this.#text)?.[1];
    if (code !== undefined) this.exitCode = Number(code);
    if (pid !== undefined && this.#toEnd !== undefined) this.end(this.#toEnd);
  }

  /**
   * Killing the first process of a pid namespace ends all others. Wait until bubblewrap has reported that process: if
   * it is not bound to bubblewrap yet, it would be left running.
   */
  end(child: ChildProcess): void {
    if (this.init !== undefined) killInit(this.init);
    if (this.#text !== "") child.kill("SIGKILL");
    else if (this.#toEnd === undefined) setTimeout(() => child.kill("SIGKILL"), patience).unref();
    this.#toEnd = child;
  }
}

interface Layers {
  /** The path of each dependency folder's overlay; `undefined` for entries without one, such as files. */
  readonly mounted: readonly (string | undefined)[];
  readonly line: readonly [program: string, ...args: string[]];
}

/**
 * Overlays for a bubblewrap version without overlay support: `unshare` mounts them in a separate namespace and then
 * executes bubblewrap. Mounts use short names, because paths may contain the commas and colons of mount options.
 */
async function prepareLayers(
  { overlay, temporary }: SandboxRun,
  bubblewrap: string,
): Promise<Layers | undefined> {
  const mounted: (string | undefined)[] = [];
  const folders: string[] = [];
  for (const path of overlay) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
      mounted.push(undefined);
      continue;
    }
    const layer = join(temporary, `layer${folders.length}`);
    for (const name of ["lower", "upper", "work", "both"])
      await mkdir(join(layer, name), { recursive: true, mode: 0o700 });
    mounted.push(join(layer, "both"));
    folders.push(realpathSync(path));
  }
  if (folders.length === 0) return undefined;
  const mounts = folders.map((_, index) => {
    const layer = `layer${index}`;
    const layers = ["lower", "upper", "work"].map((each) => `${each}dir=${layer}/${each}`).join(",");
    return `mount --rbind "$${index + 2}" ${layer}/lower && mount -t overlay overlay -o userxattr,${layers} ${layer}/both`;
  });
  const script = [`cd "$1"`, ...mounts, "cd /", `shift ${folders.length + 1}`, 'exec "$@"'].join(" && ");
  const shell = ["/bin/sh", "-c", script, "sh", temporary, ...folders, bubblewrap];
  return { mounted, line: ["unshare", "-rm", "--", ...shell] };
}

interface BubblewrapOptions extends ViewOptions {
  readonly program: string;
  readonly flags: ReadonlySet<string>;
  readonly overlayWay: OverlayWay;
}

/** Programs that set up the sandbox are never looked up in the user's PATH or in a workspace. */
export const ownEnvironment = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C" };

export function createBubblewrap(options: BubblewrapOptions): Sandbox {
  return {
    overlays: options.overlayWay !== "none",
    async run(run, signal) {
      signal.throwIfAborted();
      try {
        const result = await attempt(run, options, signal);
        if (result.end !== "broken" || run.overlay.length === 0 || options.overlayWay === "none")
          return result;
        // The command has not started. Not every file system can be below an overlay, but each can be mounted
        // read-only.
        return await attempt(run, { ...options, overlayWay: "none" }, signal);
      } finally {
        await removeTree(run.temporary);
      }
    },
  };
}

interface Prepared {
  readonly line: readonly [program: string, ...args: string[]];
  readonly args: readonly string[];
  readonly filter: Buffer;
}

async function attempt(
  run: SandboxRun,
  options: BubblewrapOptions,
  signal: AbortSignal,
): Promise<SandboxResult> {
  let prepared: Prepared;
  try {
    prepared = await prepare(run, options);
  } catch (error) {
    return { end: "broken", output: error instanceof Error ? error.message : String(error), seconds: 0 };
  }
  return runPrepared(run, prepared, signal);
}

async function prepare(run: SandboxRun, options: BubblewrapOptions): Promise<Prepared> {
  const filter = seccompFilter({ network: run.network === true });
  if (filter === undefined) throw new Error(`There is no filter for ${process.arch}.`);
  const temporary = join(run.temporary, "tmp");
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  const layers = options.overlayWay === "before" ? await prepareLayers(run, options.program) : undefined;
  const args = await bubblewrapArguments(run, { ...options, temporary, mounted: layers?.mounted ?? [] });
  return { line: layers?.line ?? [options.program], args, filter };
}

async function runPrepared(
  run: SandboxRun,
  { line, args, filter }: Prepared,
  signal: AbortSignal,
): Promise<SandboxResult> {
  const limits = { ...defaultLimits, ...run.limits };
  const life = new BubblewrapLife();
  const sharedBefore = sharedMemory();
  const program: LimitedProgram = {
    line: [
      ...line,
      ...["--args", "3", "--seccomp", "4", "--json-status-fd", "5", "--", "/bin/sh", "-c"],
      ...[firstProcess(shellLimits(limits, release())), run.command],
    ],
    ...{ cwd: "/", env: ownEnvironment, pipes: 4, onOutput: run.onOutput },
    connect(child) {
      const pipes = child.stdio.slice(3) as Duplex[];
      // Ignore write errors: if a process ends before it reads the pipes, its exit is reported.
      for (const each of pipes) each.on("error", () => {});
      const [told, filtered, status, control] = pipes;
      told?.end(args.map((each) => `${each}\0`).join(""));
      filtered?.end(filter);
      status?.setEncoding("utf8").on("data", (text: string) => life.hear(text));
      control?.once("data", () => {
        life.hasBegun = true;
        control.end("go\n");
      });
    },
    folders: [run.copy, run.temporary, ...run.writable.map(({ from }) => from)],
    async measure() {
      return life.init && namespaceUsage(life.init.namespace, sharedBefore, limits);
    },
    kill: (child) => life.end(child),
    async gone() {
      if (life.init !== undefined) await untilNamespaceGone(life.init);
    },
  };
  const { code, ...result } = await runLimited(program, { seconds: run.seconds, limits }, signal);
  if (result.end !== "done") return result;
  // Otherwise a sandbox that could not be created would look like a failing check.
  if (life.exitCode === undefined) return life.hasBegun ? result : { ...result, end: "broken" };
  return { ...result, code: life.exitCode };
}

/**
 * A shell that is the first process of the sandbox. It starts the command, its `$0`, once it has heard from us.
 * bubblewrap ties its life to ours only just before it starts this shell: if we ended before that, nothing would end
 * the command.
 */
const firstProcess = (limits: string): string =>
  ["echo ready >&6", "read -r _ <&6 || exit 125", "exec 6>&-", limits, '/bin/sh -c "$0"', "exit $?"].join(
    "\n",
  );
