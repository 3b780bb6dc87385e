// The few things the store asks of a file system, so that tests can make any one of them fail. Everything made
// here is for its owner alone: files 0600, folders 0700. Knows nothing of conversations.
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
import { join } from "node:path";

export interface FileStat {
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modified: number;
  /** Tells a file from another that was later put under its name. */
  readonly identity: number;
  /** 0: the file is open but no longer has a name. */
  readonly links: number;
  readonly folder: boolean;
}

export interface OpenFile {
  /** Fills `into` from `position`; answers how many bytes came, 0 at the end. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** Writes all of it or throws; what stands in the file after a throw is unknown. */
  write(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  stat(): Promise<FileStat>;
  close(): Promise<void>;
}

/** `append` creates the file when it is missing; `create` refuses one that exists. */
export type OpenMode = "read" | "append" | "create";

export interface FileSystem {
  open(path: string, mode: OpenMode): Promise<OpenFile>;
  read(path: string): Promise<Uint8Array>;
  /** `undefined`: there is nothing under this name. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Names in a folder; none when the folder is missing. */
  list(folder: string): Promise<readonly string[]>;
  makeFolder(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  /** Sets the time of last change to now. */
  touch(path: string): Promise<void>;
  /** A file or a whole folder; silent when it is already gone. */
  remove(path: string): Promise<void>;
  /** Makes the names inside a folder durable, where the platform has such a thing. */
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
    // Windows cannot open a folder and needs no such call.
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

/** How many bytes lie in a folder, all the way down. */
export async function folderSize(fs: FileSystem, folder: string): Promise<number> {
  let sum = 0;
  for (const name of await fs.list(folder)) {
    const path = join(folder, name);
    const found = await fs.stat(path);
    if (found !== undefined) sum += found.folder ? await folderSize(fs, path) : found.size;
  }
  return sum;
}
