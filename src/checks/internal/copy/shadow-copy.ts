// A copy of one folder on which checks run. It is updated and restored in a thread of its own (copy-thread.ts), so that
// the editor stays responsive. Independent of the editor; never writes into the folder.
import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { createYieldPoint } from "../../../util/concurrency.ts";
import { removeTree } from "../sandbox/remove-tree.ts";
import type { CopyTasks } from "./copy-thread.ts";
import type { Dependencies, DependencySize } from "./dependencies.ts";
import type { CopyData, CopyLimits, Texts } from "./files-without-links.ts";
import { type CopyOwner, takeCopy } from "./owner.ts";
import type { Updated } from "./sources.ts";

const defaultLimits: CopyLimits = {
  files: 200_000,
  bytes: 2 * 1024 ** 3,
  dependencyFiles: 30_000,
  dependencyBytes: 400 * 1024 ** 2,
};

export interface CopyDeps {
  /** Storage folder for copies. */
  readonly storage: string;
  /** Path of the built copy-thread.ts. */
  readonly copyThread: string;
  /** Absolute path of Git; without it, folders are walked. */
  readonly git?: string | undefined;
  readonly limits?: Partial<CopyLimits>;
  /** Excluded by the privacy rules; not copied. */
  isLeftOut(path: string): boolean;
  /** Files and folders that Git ignores but a check needs: they are copied as well. */
  named?(): readonly string[];
}

export class FolderTooLarge extends Error {}

/** Seconds after which an unused copy is removed. */
const keptFor = 7 * 24 * 3600;

export class ShadowCopy {
  readonly #needs: CopyDeps;
  readonly #root: string;
  readonly #home: string;
  readonly #owner: CopyOwner;
  #worker: Worker | undefined;
  #listed: readonly string[] = [];

  private constructor(deps: CopyDeps, root: string, home: string, owner: CopyOwner) {
    this.#needs = deps;
    this.#root = root;
    this.#home = home;
    this.#owner = owner;
  }

  /** Opens a copy of this folder that no other window uses. */
  static async open(folder: string, deps: CopyDeps): Promise<ShadowCopy> {
    const root = await realpath(folder);
    // The prefix keeps these names apart from those of older versions, which shared copies differently.
    const name = createHash("sha256").update(`owned ${root}`).digest("hex").slice(0, 12);
    await mkdir(deps.storage, { recursive: true, mode: 0o700 });
    for (let number = 0; ; number++) {
      const home = join(deps.storage, number === 0 ? name : `${name}-${number}`);
      const owner = await takeCopy(home);
      if (owner === undefined) continue;
      try {
        await nameFolder(home, root);
        return new ShadowCopy(deps, root, await realpath(home), owner);
      } catch (error) {
        // Release it, so that the next one to be opened can use it.
        await owner.release();
        throw error;
      }
    }
  }

  /** False if another window took it over while this process was suspended; it must not be used any more. */
  isOurs(): Promise<boolean> {
    return this.#owner.holds();
  }

  /** Real path of the original folder. */
  get root(): string {
    return this.#root;
  }

  /** What programs cache for the next run; proposals must not write here. */
  get cache(): string {
    return join(this.#home, "cache");
  }

  get place(): string {
    return join(this.#home, "copy");
  }

  /** The folder's files that the copy had at its last update, unless a text was put in the place of one. */
  get listed(): readonly string[] {
    return this.#listed;
  }

  /** Temporary folder for programs. */
  get temporary(): string {
    return join(this.#home, "tmp");
  }

  /** @throws FolderTooLarge, or the signal's reason. */
  async update(
    texts: Texts,
    dependencies: Dependencies,
    signal: AbortSignal,
    progress?: (done: number, all: number) => void,
  ): Promise<Updated> {
    const paths = await this.#list(signal);
    // Its modification time records the last use.
    await nameFolder(this.#home, this.#root);
    const kept = texts.filter(([path]) => !this.#needs.isLeftOut(path));
    this.#listed = paths;
    return this.#ask("update", { paths, texts: kept, dependencies }, signal, progress);
  }

  /** Size of the dependencies, if it is large and they are not copied yet. */
  async measure(signal: AbortSignal): Promise<DependencySize | undefined> {
    return this.#ask("measure", { paths: await this.#list(signal) }, signal);
  }

  async #list(signal: AbortSignal): Promise<readonly string[]> {
    const { git, named } = this.#needs;
    const listing = git === undefined ? undefined : listFiles(git, this.#root, signal);
    // Check the copy meanwhile: most of an update is spent on that.
    const [listed] = await Promise.all([listing, this.#ask("look", {}, signal)]);
    signal.throwIfAborted();
    const others = listed === undefined ? [""] : (named?.() ?? []);
    const found = others.length === 0 ? [] : await this.#ask("list", { places: others }, signal);
    const all =
      listed === undefined || found.length === 0 ? (listed ?? found) : [...new Set([...listed, ...found])];
    return this.#forCopy(all);
  }

  async #forCopy(paths: readonly string[]): Promise<readonly string[]> {
    const nextStep = createYieldPoint();
    const kept: string[] = [];
    for (const path of paths) {
      await nextStep();
      if (!this.#needs.isLeftOut(path)) kept.push(path);
    }
    return kept;
  }

  /** `since`: when the program on the proposal was started. */
  restore(texts: Texts, since: number | undefined, signal: AbortSignal): Promise<number> {
    const kept = texts.filter(([path]) => !this.#needs.isLeftOut(path));
    return this.#ask("restore", { texts: kept, since }, signal);
  }

  /**
   * Call before a program runs on a proposal: the copy is not trusted until `restore`. Returns the time, by the clock
   * of the disk, from which writes are the program's own.
   */
  begin(signal: AbortSignal): Promise<number> {
    return this.#ask("begin", {}, signal);
  }

  /** Paths changed in the original folder. */
  changedSince(time: number, signal: AbortSignal): Promise<readonly string[]> {
    return this.#ask("changedSince", { time }, signal);
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
    await this.#owner.release();
  }

  async #ask<Kind extends keyof CopyTasks>(
    kind: Kind,
    task: Parameters<CopyTasks[Kind]>[0],
    signal: AbortSignal,
    progress?: (done: number, all: number) => void,
  ): Promise<ReturnType<CopyTasks[Kind]>> {
    if (!(await this.isOurs())) throw new Error("The copy is not ours any more.");
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
      // Its state is unknown, so a new thread starts from what is on the disk.
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
    const { place: copy, temporary } = this;
    const workerData: CopyData = { root: this.#root, copy, manifest, temporary, limits };
    const worker = new Worker(this.#needs.copyThread, { env: {}, execArgv: [], workerData });
    worker.on("error", () => {});
    // One that ends between two tasks is asked nothing more: it would never respond.
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }
}

/** Records whose copy it is, for `sweepCopies`. Does not write through anything that a program has put in its place. */
async function nameFolder(home: string, root: string): Promise<void> {
  const name = join(home, "folder");
  const fresh = `${name}.new`;
  await rm(fresh, { force: true });
  await writeFile(fresh, root, { flag: "wx", mode: 0o600 });
  await rename(fresh, name);
}

/** Removes copies of folders that no longer exist, or that were not used for long. */
export async function sweepCopies(storage: string, now: number): Promise<void> {
  for (const name of await readdir(storage).catch(() => [])) {
    const home = join(storage, name);
    const used = await lstat(join(home, "folder")).catch(() => lstat(home).catch(() => undefined));
    if (used === undefined) continue;
    const isOld = now - used.mtimeMs >= keptFor * 1000;
    if (!isOld && (!used.isFile() || (await isStillThere(join(home, "folder"))))) continue;
    // A process that opens this copy now finds it taken or gone.
    const owner = await takeCopy(home);
    if (owner === undefined) continue;
    const away = join(storage, `.gone-${randomUUID()}`);
    const isMoved = await rename(home, away).then(
      () => true,
      () => false,
    );
    await owner.release();
    if (isMoved) await removeTree(away);
  }
}

async function isStillThere(name: string): Promise<boolean> {
  const folder = await readFile(name, "utf8");
  return (await stat(folder).catch(() => undefined)) !== undefined;
}

/** Tracked files, and new ones that are not ignored; `undefined` if it is not a repository. */
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
