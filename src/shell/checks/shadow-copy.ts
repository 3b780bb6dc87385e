// A copy of one folder on which checks run: brought up to date and put back in a thread of its own (copy-thread.ts), so that
// nothing of it holds up the editor. Knows no editor, and never writes into the folder.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, realpath, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { inSteps } from "../../core/util/yield-to-event-loop.ts";
import type { CopyData, CopyLimits, Texts } from "./copy-files.ts";
import type { Updated } from "./copy-sources.ts";
import { type CopyTasks, threadSource } from "./copy-thread.ts";

export const defaultLimits: CopyLimits = {
  files: 200_000,
  bytes: 2 * 1024 ** 3,
  dependencyFiles: 30_000,
  dependencyBytes: 400 * 1024 ** 2,
};

export interface CopyDeps {
  /** Our own folder for copies. */
  readonly storage: string;
  /** Git, by its whole path; absent: folders are gone through. */
  readonly git?: string | undefined;
  readonly limits?: Partial<CopyLimits>;
  /** What is not for anybody else is not for a copy. */
  isLeftOut(path: string): boolean;
  /** Files and folders that Git ignores and somebody has named: they are copied all the same. */
  named?(): readonly string[];
}

export class FolderTooLarge extends Error {}

/** So many paths are looked at in one go. */
const atOnce = 200;

/** Seconds after which a folder's copy that nobody has used is removed. */
const keptFor = 7 * 24 * 3600;

export class ShadowCopy {
  readonly #needs: CopyDeps;
  readonly #root: string;
  readonly #home: string;
  #worker: Worker | undefined;

  private constructor(deps: CopyDeps, root: string, home: string) {
    this.#needs = deps;
    this.#root = root;
    this.#home = home;
  }

  /** The copy of this folder that no other window uses. */
  static async open(folder: string, deps: CopyDeps): Promise<ShadowCopy> {
    const root = await realpath(folder);
    const name = createHash("sha256").update(root).digest("hex").slice(0, 12);
    await mkdir(deps.storage, { recursive: true, mode: 0o700 });
    for (let number = 0; ; number++) {
      const home = join(deps.storage, number === 0 ? name : `${name}-${number}`);
      if (!(await takeOver(home))) continue;
      try {
        await writeFile(join(home, "folder"), root, { mode: 0o600 });
        return new ShadowCopy(deps, root, await realpath(home));
      } catch (error) {
        // Nobody uses it: the next one that is opened here finds it free.
        await rm(join(home, "lock"), { force: true });
        throw error;
      }
    }
  }

  get place(): string {
    return join(this.#home, "copy");
  }

  /** For what programs write on their way. */
  get temporary(): string {
    return join(this.#home, "tmp");
  }

  /** @throws FolderTooLarge; the signal's reason. */
  async update(
    texts: Texts,
    signal: AbortSignal,
    progress?: (done: number, all: number) => void,
  ): Promise<Updated> {
    const { git, isLeftOut, named } = this.#needs;
    const listing = git === undefined ? undefined : listFiles(git, this.#root, signal);
    // Meanwhile the copy is looked through: most of what an update takes is looking.
    const [listed] = await Promise.all([listing, this.#ask("look", {}, signal)]);
    signal.throwIfAborted();
    const others = listed === undefined ? [""] : (named?.() ?? []);
    const found = others.length === 0 ? [] : await this.#ask("list", { places: others }, signal);
    const all =
      listed === undefined || found.length === 0 ? (listed ?? found) : [...new Set([...listed, ...found])];
    const paths = await this.#forCopy(all);
    await Promise.all([
      mkdir(this.temporary, { recursive: true, mode: 0o700 }),
      utimes(join(this.#home, "folder"), new Date(), new Date()),
    ]);
    const kept = texts.filter(([path]) => !isLeftOut(path));
    return this.#ask("update", { paths, texts: kept }, signal, progress);
  }

  /** Whoever else works in this thread is not held up by a long list. */
  async #forCopy(paths: readonly string[]): Promise<readonly string[]> {
    const pause = inSteps();
    const kept: string[] = [];
    for (let from = 0; from < paths.length; from += atOnce) {
      await pause();
      for (const path of paths.slice(from, from + atOnce)) if (!this.#needs.isLeftOut(path)) kept.push(path);
    }
    return kept;
  }

  restore(texts: Texts, signal: AbortSignal): Promise<number> {
    const kept = texts.filter(([path]) => !this.#needs.isLeftOut(path));
    return this.#ask("restore", { texts: kept }, signal);
  }

  /** Of the folders that the copy shares with its folder. */
  writtenSince(time: number, signal: AbortSignal): Promise<readonly string[]> {
    return this.#ask("writtenSince", { time }, signal);
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
    await rm(join(this.#home, "lock"), { force: true });
  }

  async #ask<Kind extends keyof CopyTasks>(
    kind: Kind,
    task: Parameters<CopyTasks[Kind]>[0],
    signal: AbortSignal,
    progress?: (done: number, all: number) => void,
  ): Promise<ReturnType<CopyTasks[Kind]>> {
    signal.throwIfAborted();
    this.#worker ??= this.#start();
    const worker = this.#worker;
    let stop = () => {};
    try {
      return await new Promise((resolve, reject) => {
        const onMessage = (data: { answer?: unknown; failed?: string; done?: number; all?: number }) => {
          if (data.failed !== undefined)
            reject(data.failed === "too-large" ? new FolderTooLarge() : new Error(data.failed));
          else if ("answer" in data) resolve(data.answer as ReturnType<CopyTasks[Kind]>);
          else progress?.(data.done ?? 0, data.all ?? 0);
        };
        const ended = () => reject(new Error("The thread of a copy has ended."));
        const aborted = () => reject(signal.reason);
        worker.on("message", onMessage).on("error", reject).on("exit", ended);
        signal.addEventListener("abort", aborted, { once: true });
        stop = () => {
          worker.off("message", onMessage).off("error", reject).off("exit", ended);
          signal.removeEventListener("abort", aborted);
        };
        worker.postMessage([kind, task]);
      });
    } catch (error) {
      // What it was doing is not known: it begins again with what is on the disk.
      this.#worker = undefined;
      await worker.terminate();
      throw error;
    } finally {
      stop();
    }
  }

  #start(): Worker {
    const limits = { ...defaultLimits, ...this.#needs.limits };
    const manifest = join(this.#home, "manifest.json");
    const workerData: CopyData = { root: this.#root, copy: this.place, manifest, limits };
    const worker = new Worker(threadSource, { eval: true, env: {}, execArgv: [], workerData });
    return worker.on("error", () => {});
  }
}

/** False where another window has it. */
async function takeOver(home: string): Promise<boolean> {
  const lock = join(home, "lock");
  await mkdir(home, { recursive: true, mode: 0o700 });
  for (let attempt = 0; attempt < 2; attempt++) {
    const isTaken = await writeFile(lock, String(process.pid), { flag: "wx", mode: 0o600 }).then(
      () => true,
      () => false,
    );
    if (isTaken) return true;
    const owner = Number(await readFile(lock, "utf8").catch(() => ""));
    if (owner > 0 && isAlive(owner)) return false;
    await rm(lock, { force: true });
  }
  return false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Copies of folders that are gone, or that nobody has used for long. */
export async function sweepCopies(storage: string, now: number): Promise<void> {
  for (const name of await readdir(storage).catch(() => [])) {
    const home = join(storage, name);
    const owner = Number(await readFile(join(home, "lock"), "utf8").catch(() => ""));
    if (owner > 0 && isAlive(owner)) continue;
    const used = await stat(join(home, "folder")).catch(() => undefined);
    const folder = await readFile(join(home, "folder"), "utf8").catch(() => "");
    const isThere = folder !== "" && (await stat(folder).catch(() => undefined)) !== undefined;
    if (used !== undefined && isThere && now - used.mtimeMs < keptFor * 1000) continue;
    await rm(home, { recursive: true, force: true });
  }
}

/** Tracked files and those that are new and not ignored; undefined where it is no repository. */
async function listFiles(
  git: string,
  root: string,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const { PATH, SystemRoot, HOME, USERPROFILE } = process.env;
  const known = Object.entries({ PATH, SystemRoot, HOME, USERPROFILE });
  const child = spawn(
    git,
    [
      "-c",
      "core.fsmonitor=false",
      "ls-files",
      "-z",
      "--cached",
      "--others",
      "--exclude-standard",
      "--deduplicate",
    ],
    {
      cwd: root,
      env: {
        ...Object.fromEntries(known.filter(([, value]) => value !== undefined)),
        GIT_OPTIONAL_LOCKS: "0",
      },
      shell: false,
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
      signal,
    },
  );
  const pieces: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (piece: string) => pieces.push(piece));
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", resolve);
  });
  if (code !== 0) return undefined;
  return pieces
    .join("")
    .split("\0")
    .filter((path) => path !== "" && !path.startsWith("../"));
}
