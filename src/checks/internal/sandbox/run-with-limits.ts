// Runs one program with limits on its time, its output, and the resources of its whole process tree. The sandbox
// decides how to start, measure and end it.
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { readFile, statfs } from "node:fs/promises";
import { totalmem } from "node:os";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { createYieldPoint } from "../../../util/concurrency.ts";
import type { SandboxLimits, SandboxResult } from "./sandbox.ts";

export interface ProcessUsage {
  readonly processes: number;
  readonly memory: number;
}

export interface LimitedProgram {
  readonly line: readonly [program: string, ...args: string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Number of descriptors in addition to the usual three; each is a bidirectional pipe. */
  readonly pipes: number;
  /** Called synchronously, before the program can have run. */
  connect?(child: ChildProcess): void;
  /** Called with each piece of the output as it arrives. */
  readonly onOutput: ((piece: string) => void) | undefined;
  /** Folders whose disks are watched. */
  readonly folders: readonly string[];
  measure(child: ChildProcess): Promise<ProcessUsage | undefined>;
  /** Ends all processes immediately. */
  kill(child: ChildProcess): void;
  /** Resolves when no process is left; called once the output is closed. */
  gone(): Promise<void>;
}

interface RunLimits {
  readonly seconds: number;
  readonly limits: SandboxLimits;
}

const everyMilliseconds = 250;

/** Rejects with the signal's reason when it is aborted, once no process is left. */
export async function runLimited(
  program: LimitedProgram,
  { seconds, limits }: RunLimits,
  signal: AbortSignal,
): Promise<SandboxResult> {
  signal.throwIfAborted();
  const began = performance.now();
  const [file, ...args] = program.line;
  const child = spawn(file, args, {
    cwd: program.cwd,
    env: program.env,
    stdio: ["ignore", "pipe", "pipe", ...Array.from({ length: program.pipes }, () => "pipe" as const)],
  });
  let end: SandboxResult["end"] = "done";
  const kill = () => program.kill(child);
  const endFor = (why: SandboxResult["end"]) => {
    if (end === "done") end = why;
    kill();
  };
  const output = new KeptOutput(limits.outputLetters, () => endFor("output"));
  const ended = new Promise<number | null>((resolve) => {
    child.once("error", (error) => {
      endFor("broken");
      output.add(`${error.message}\n`);
      resolve(null);
    });
    child.once("close", resolve);
  });
  for (const stream of [child.stdout, child.stderr])
    (stream as Readable | null)?.setEncoding("utf8").on("data", (piece: string) => {
      output.add(piece);
      program.onOutput?.(piece);
    });
  program.connect?.(child);
  const stopWatching = watch(async (disks) => {
    if (await disks.exceed(limits)) endFor("disk");
    const usage = await program.measure(child);
    if (usage === undefined) return;
    if (usage.processes > limits.processes) endFor("processes");
    else if (usage.memory > limits.memory) endFor("memory");
  }, program.folders);
  const timing = setTimeout(() => endFor("timeout"), seconds * 1000);
  signal.addEventListener("abort", kill, { once: true });
  try {
    const code = await ended;
    await program.gone();
    signal.throwIfAborted();
    const took = (performance.now() - began) / 1000;
    return { end, ...(code !== null && { code }), output: output.text(), seconds: took };
  } finally {
    stopWatching();
    clearTimeout(timing);
    signal.removeEventListener("abort", kill);
  }
}

/** Never runs two measurements at once. A failed measurement is ignored. */
function watch(look: (disks: Disks) => Promise<void>, folders: readonly string[]): () => void {
  const disks = new Disks(folders);
  let isLooking = false;
  const timer = setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    await look(disks).catch(() => {});
    isLooking = false;
  }, everyMilliseconds);
  return () => clearInterval(timer);
}

/** How much space has been used on the disks of these folders. Includes what other programs write. */
class Disks {
  readonly #folders: readonly string[];
  readonly #atFirst: Promise<readonly (number | undefined)[]>;

  constructor(folders: readonly string[]) {
    this.#folders = folders;
    this.#atFirst = Promise.all(folders.map(freeBytes));
  }

  async exceed({ disk, freeDisk }: SandboxLimits): Promise<boolean> {
    const atFirst = await this.#atFirst;
    const now = await Promise.all(this.#folders.map(freeBytes));
    return now.some((free, index) => {
      const before = atFirst[index];
      return free !== undefined && (free < freeDisk || (before !== undefined && before - free > disk));
    });
  }
}

const freeBytes = (folder: string): Promise<number | undefined> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  );

/**
 * Number of pieces joined at once: a program that writes letter by letter would otherwise cost one string per letter.
 */
const joinedAtOnce = 512;

/** Collects output up to a maximum length. Copies each letter twice, no matter how small the pieces are. */
class KeptOutput {
  readonly #most: number;
  readonly #onFull: () => void;
  readonly #joined: string[] = [];
  #pieces: string[] = [];
  #letters = 0;

  constructor(most: number, onFull: () => void) {
    this.#most = most;
    this.#onFull = onFull;
  }

  add(piece: string): void {
    const room = this.#most - this.#letters;
    if (piece.length > room) this.#onFull();
    if (room <= 0) return;
    this.#letters += Math.min(piece.length, room);
    this.#pieces.push(piece.slice(0, room));
    if (this.#pieces.length < joinedAtOnce) return;
    this.#joined.push(this.#pieces.join(""));
    this.#pieces = [];
  }

  text(): string {
    return [...this.#joined, ...this.#pieces].join("");
  }
}

const gibibyte = 1024 ** 3;

/** Limits for a command in the sandbox. */
export const defaultLimits: SandboxLimits = {
  outputLetters: 4_000_000,
  processes: 1024,
  memory: Math.min(8 * gibibyte, Math.floor(totalmem() * 0.75)),
  disk: 4 * gibibyte,
  freeDisk: gibibyte / 4,
  file: 2 * gibibyte,
};

/** Size in bytes of in-memory file systems (/dev/shm, the home). */
export const memoryFileSystem = gibibyte;

/**
 * Limits enforced by the kernel, as lines for /bin/sh. They apply to each process; the process limit does not bind
 * root. The whole process tree is watched from outside. Before Linux 5.14, the process limit counts everything the user
 * runs, so it is not set.
 */
export function shellLimits({ file, processes }: SandboxLimits, release: string): string {
  const [major = 0, minor = 0] = release.split(".").map(Number);
  const isCountedApart = major > 5 || (major === 5 && minor >= 14);
  const threads = processes * 4;
  return [
    "ulimit -c 0",
    `ulimit -f ${Math.ceil(file / 512)}`,
    "ulimit -n 8192",
    // bash uses -u, dash uses -p.
    ...(isCountedApart ? [`ulimit -u ${threads} 2>/dev/null || ulimit -p ${threads}`] : []),
  ]
    .map((each) => `{ ${each}; } 2>/dev/null || :`)
    .join("\n");
}

// What the processes of one pid namespace use. Without cgroups, the kernel offers neither a process limit that binds
// root nor a memory limit for a process tree.

/** The first process of a pid namespace, with what distinguishes it from a later process with the same pid. */
export interface NamespaceInit {
  readonly pid: number;
  readonly namespace: string;
}

/** Returns `undefined` if the process has already ended. */
export function initOf(pid: number): NamespaceInit | undefined {
  const namespace = namespaceOf(pid);
  return namespace === undefined ? undefined : { pid, namespace };
}

const namespaceOf = (pid: number | string): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
};

export function killInit({ pid, namespace }: NamespaceInit): void {
  if (namespaceOf(pid) !== namespace) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended.
  }
}

/** The first process is the last to go: the kernel keeps it until all others have gone. */
export async function untilNamespaceGone({ pid, namespace }: NamespaceInit): Promise<void> {
  for (let wait = 1; namespaceOf(pid) === namespace && !isZombie(pid); wait = Math.min(wait * 2, 50))
    await pause(wait);
}

function isZombie(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return true;
  }
}

/** Bytes of memory that belong to no single process: files in memory, mapped or not. */
export function sharedMemory(): number {
  const kilobytes = /^Shmem:\s+(\d+)/m.exec(readFileSync("/proc/meminfo", "latin1"))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

interface UsageLimits {
  readonly processes: number;
  readonly memory: number;
}

/** Stops counting as soon as a limit is exceeded. */
export async function namespaceUsage(
  namespace: string,
  sharedBefore: number,
  most: UsageLimits,
): Promise<ProcessUsage> {
  const breathe = createYieldPoint();
  const shared = Math.max(0, sharedMemory() - sharedBefore);
  const pids: string[] = [];
  let own = 0;
  for (const each of readdirSync("/proc")) {
    if (!/^\d/.test(each)) continue;
    await breathe();
    if (namespaceOf(each) !== namespace) continue;
    pids.push(each);
    own += ownMemory(each);
    if (pids.length > most.processes) break;
  }
  // Pages inherited from the parent that neither process has written are counted twice, so measure more precisely.
  if (own + shared > most.memory) own = await exactly(pids, own);
  return { processes: pids.length, memory: own + shared };
}

function ownMemory(pid: string): number {
  try {
    const kilobytes = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

async function exactly(pids: readonly string[], otherwise: number): Promise<number> {
  let all = 0;
  for (const each of pids) {
    const text = await readFile(`/proc/${each}/smaps_rollup`, "latin1").catch(() => "");
    const kilobytes = /^Pss_Anon:\s+(\d+)/m.exec(text)?.[1];
    // Older kernels do not report it; a process that has just ended has nothing to report.
    if (kilobytes === undefined && text !== "") return otherwise;
    all += Number(kilobytes ?? 0) * 1024;
  }
  return all;
}
