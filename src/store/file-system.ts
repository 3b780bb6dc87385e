// The file operations that the store needs, as an interface, so that tests can make any of them fail; how a whole file
// is replaced, and the lock of a writer. Everything is created for its owner only: files 0600, folders 0700. Knows
// nothing about conversations.

import { randomBytes, randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import {
  copyFile,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
} from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { Emitter } from "../util/emitter.ts";

interface FileStat {
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modified: number;
  /** Distinguishes a file from another one that later has the same name. */
  readonly identity: number;
  /** 0: the file is open but has been unlinked. */
  readonly links: number;
  readonly folder: boolean;
}

export interface OpenFile {
  /** Fills `into` from `position`. Returns the number of bytes read, 0 at the end. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** Writes all bytes or throws. After a throw, the contents of the file are unknown. */
  write(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  stat(): Promise<FileStat>;
  close(): Promise<void>;
}

/** `append` creates the file if it is missing; `create` fails if it exists. */
type OpenMode = "read" | "append" | "create";

export interface FileSystem {
  open(path: string, mode: OpenMode): Promise<OpenFile>;
  read(path: string): Promise<Uint8Array>;
  /** Returns `undefined` if nothing has this name. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Names in a folder; empty if the folder is missing. */
  list(folder: string): Promise<readonly string[]>;
  makeFolder(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  /** Sets the modification time to now. */
  touch(path: string): Promise<void>;
  /** Removes a file or a whole folder. Succeeds if it does not exist. */
  remove(path: string): Promise<void>;
  /** Makes the entries of a folder durable, on platforms that support it. */
  syncFolder(path: string): Promise<void>;
}

export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

export const isMissing = (error: unknown): boolean =>
  errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR";

const flags: Record<OpenMode, string> = { read: "r", append: "a+", create: "wx" };

export const nodeFileSystem: FileSystem = {
  open: async (path, mode) => openFile(await open(path, flags[mode], 0o600)),
  read: (path) => readFile(path),
  stat: (path) => unlessMissing(async () => asStat(await stat(path)), undefined),
  list: (folder) => unlessMissing(() => readdir(folder), []),
  makeFolder: async (path) => {
    await mkdir(path, { recursive: true, mode: 0o700 });
  },
  rename: (from, to) => rename(from, to),
  copy: (from, to) => copyFile(from, to, constants.COPYFILE_FICLONE),
  touch: (path) => utimes(path, new Date(), new Date()),
  remove: (path) => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  syncFolder: async (path) => {
    // Windows cannot open a folder and does not need this call.
    if (process.platform === "win32") return;
    const folder = await open(path, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  },
};

function openFile(handle: FileHandle): OpenFile {
  return {
    read: async (into, position) => (await handle.read(into, 0, into.byteLength, position)).bytesRead,
    write: async (bytes) => {
      for (let done = 0; done < bytes.byteLength; )
        done += (await handle.write(bytes, done, bytes.byteLength - done)).bytesWritten;
    },
    sync: () => handle.sync(),
    stat: async () => asStat(await handle.stat()),
    close: () => handle.close(),
  };
}

function asStat(found: Stats): FileStat {
  const { size, mtimeMs: modified, ino: identity, nlink: links } = found;
  return { size, modified, identity, links, folder: found.isDirectory() };
}

async function unlessMissing<T>(ask: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (isMissing(error)) return otherwise;
    throw error;
  }
}

/** Total number of bytes in a folder and all its subfolders. */
export async function folderSize(fs: FileSystem, folder: string): Promise<number> {
  let sum = 0;
  for (const name of await fs.list(folder)) {
    const path = join(folder, name);
    const found = await fs.stat(path);
    if (found !== undefined) sum += found.folder ? await folderSize(fs, path) : found.size;
  }
  return sum;
}

const renameTries = 6;
const passing: ReadonlySet<string> = new Set(["EPERM", "EBUSY", "EACCES"]);

/**
 * Replaces a whole file so that after any crash either the old or the new one exists: writes a temporary file next to
 * it, syncs it, and renames it. Antivirus tools lock files for moments, so a refused rename is retried. Temporary files
 * that a crash leaves are removed later, since they may contain what a person has deleted since.
 */
export async function replaceFile(
  fs: FileSystem,
  path: string,
  write: (file: OpenFile) => Promise<void>,
): Promise<void> {
  const beside = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const file = await fs.open(beside, "create");
    try {
      await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await renamePatiently(fs, beside, path);
  } catch (error) {
    // The leftover does no harm; the caller must get the original error.
    await fs.remove(beside).catch(() => undefined);
    throw error;
  }
  // The new file is in place even if this fails. If the caller got an error, it would assume the old one.
  await fs.syncFolder(dirname(path)).catch(() => undefined);
}

export const replaceText = (fs: FileSystem, path: string, text: string): Promise<void> =>
  replaceFile(fs, path, (file) => file.write(Buffer.from(text)));

async function renamePatiently(fs: FileSystem, from: string, to: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await fs.rename(from, to);
    } catch (error) {
      if (tried === renameTries || !passing.has(errorCode(error))) throw error;
      await wait(5 * 2 ** tried);
    }
  }
}

const unfinished = /\.[0-9a-f]{12}\.tmp$/;
/** Another window may be writing a younger file right now. */
export const staleAfterMilliseconds = 60 * 60 * 1000;

/** `ours`: files that only we may replace, so that their temporary files are leftovers regardless of age. */
export async function sweepUnfinished(
  fs: FileSystem,
  folder: string,
  { now, ours }: { readonly now: number; readonly ours?: readonly string[] },
): Promise<void> {
  for (const name of await fs.list(folder)) {
    if (!unfinished.test(name)) continue;
    const path = join(folder, name);
    const isOurs = ours?.includes(name.replace(unfinished, "")) === true;
    if (isOurs || now - ((await fs.stat(path))?.modified ?? now) > staleAfterMilliseconds)
      await fs.remove(path);
  }
}

const heartbeat = 1000;
const staleAfter = 5000;
/**
 * An owner writes its name immediately after creating the lock. How often to look for the name, and how long to wait in
 * between.
 */
const unnamed = { looks: 10, every: 50 };

interface Owner {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
}

/**
 * One writer per conversation, across processes. The lock is a file that names its owner, who touches it every second.
 * A lock is stale if its process is dead, or if nobody has seen it change for five seconds. This is observed, not
 * computed from times, because clocks jump and machines sleep. A lock can be lost (a stopped process continues after
 * somebody took over), so the owner checks it before every write. A lock without an owner is free after half a second.
 * Who asks for a lock puts a file beside it, touched in the same way, and until that is stale nobody else takes the lock.
 */
export class WriterLock {
  readonly #fs: FileSystem;
  readonly #path: string;
  readonly #elapsed: () => number;
  readonly #token = randomUUID();
  #held = false;
  /** By path: when this process has first seen the file as it is. */
  readonly #seen = new Map<string, { readonly sign: string; readonly at: number }>();
  #timer: NodeJS.Timeout | undefined;
  #asking: NodeJS.Timeout | undefined;
  readonly #requests = new Emitter<void>();

  /** Fires every second while another process asks for the lock that we hold. */
  readonly onAsked = this.#requests.on;

  /** `elapsed` is monotonic, independent of the wall clock. */
  constructor(fs: FileSystem, path: string, elapsed: () => number = () => performance.now()) {
    this.#fs = fs;
    this.#path = path;
    this.#elapsed = elapsed;
  }

  /** Takes the lock if it is free or stale. Staleness only shows over several calls. */
  async acquire(): Promise<boolean> {
    if (this.#held) return this.holds();
    if (await this.#isAskedFor()) return false;
    if (!(await this.#create()) && !(await this.#takeOver())) return false;
    this.#held = true;
    this.#timer = setInterval(() => void this.#pulse(), heartbeat).unref();
    clearInterval(this.#asking);
    // Whoever had asked is here now, or gone.
    await this.#fs.remove(this.#request).catch(() => undefined);
    return true;
  }

  /** Asks the owner for the lock, until `acquire` succeeds or `withdraw` is called. */
  async ask(): Promise<void> {
    clearInterval(this.#asking);
    await replaceText(this.#fs, this.#request, this.#text());
    const touch = () => void this.#fs.touch(this.#request).catch(() => undefined);
    this.#asking = setInterval(touch, heartbeat).unref();
  }

  async withdraw(): Promise<void> {
    clearInterval(this.#asking);
    const text = await this.#read(this.#request).catch(() => undefined);
    if (text !== undefined && asOwner(text)?.token === this.#token)
      await this.#fs.remove(this.#request).catch(() => undefined);
  }

  /** Whether the lock is still ours. Restores a lock file that vanished together with its folder. */
  async holds(): Promise<boolean> {
    if (!this.#held) return false;
    const owner = await this.#owner();
    this.#held = owner === undefined ? await this.#create() : asOwner(owner)?.token === this.#token;
    if (!this.#held) clearInterval(this.#timer);
    return this.#held;
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    const held = await this.holds().catch(() => false);
    clearInterval(this.#timer);
    this.#held = false;
    if (held) await this.#fs.remove(this.#path).catch(() => undefined);
  }

  get #request(): string {
    return `${this.#path}.asked`;
  }

  /** Whether another process that lives asks for the lock. */
  async #isAskedFor(): Promise<boolean> {
    const text = await this.#read(this.#request).catch(() => undefined);
    if (text === undefined || asOwner(text)?.token === this.#token) return false;
    return !(await this.#isStale(this.#request, text));
  }

  #text(): string {
    const owner: Owner = { token: this.#token, pid: process.pid, host: hostname() };
    return `${JSON.stringify(owner)}\n`;
  }

  async #create(): Promise<boolean> {
    try {
      const file = await this.#fs.open(this.#path, "create");
      await this.#fill(file);
      return true;
    } catch (error) {
      if (errorCode(error) === "EEXIST") return false;
      throw error;
    }
  }

  /** Removes a lock that could not be filled, so that it blocks nobody. */
  async #fill(file: OpenFile): Promise<void> {
    try {
      await file.write(Buffer.from(this.#text())).finally(() => file.close());
    } catch (error) {
      await this.#fs.remove(this.#path).catch(() => undefined);
      throw error;
    }
  }

  /** Two processes may find the same stale lock. The later rename wins, and the loser notices before it writes. */
  async #takeOver(): Promise<boolean> {
    const text = await this.#namedOwner();
    if (text === undefined) return this.#create();
    // The lock was written completely before the disk reported an error.
    if (asOwner(text)?.token === this.#token) return true;
    if (!(await this.#isStale(this.#path, text))) return false;
    await replaceText(this.#fs, this.#path, this.#text());
    const now = await this.#owner();
    return now !== undefined && asOwner(now)?.token === this.#token;
  }

  async #isStale(path: string, text: string): Promise<boolean> {
    const owner = asOwner(text);
    // Its writer died between creating and filling it, or the disk refused both filling and removing it.
    if (owner === undefined) return true;
    if (owner.host === hostname() && !isAlive(owner.pid)) return true;
    const sign = `${(await this.#fs.stat(path))?.modified} ${text}`;
    const now = this.#elapsed();
    const known = this.#seen.get(path);
    const seen = known?.sign === sign ? known : { sign, at: now };
    this.#seen.set(path, seen);
    return now - seen.at >= staleAfter;
  }

  async #pulse(): Promise<void> {
    try {
      if (!(await this.holds())) return;
      await this.#fs.touch(this.#path);
      if (await this.#isAskedFor()) this.#requests.fire();
    } catch {
      // A heartbeat that could not be written is only skipped; the next write of a record reports what is wrong.
    }
  }

  /** Waits for an empty lock to be filled. Otherwise it would be taken from a process that has just created it. */
  async #namedOwner(): Promise<string | undefined> {
    for (let look = 1; ; look += 1) {
      const text = await this.#owner();
      if (text === undefined || asOwner(text) !== undefined || look === unnamed.looks) return text;
      await wait(unnamed.every);
    }
  }

  #owner(): Promise<string | undefined> {
    return this.#read(this.#path);
  }

  async #read(path: string): Promise<string | undefined> {
    try {
      return Buffer.from(await this.#fs.read(path)).toString("utf8");
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }
}

/** Returns `undefined` if the text names no owner. */
function asOwner(text: string): Owner | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}
