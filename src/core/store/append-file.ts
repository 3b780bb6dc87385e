// The journal file in the hands of its writer: opened when first needed, appended to, never overwritten. Notices
// when a write was cut short, when the file lost its name, and when somebody else became the writer.
// Knows bytes and lines, not records.
import { dirname } from "node:path";
import type { FileSystem, OpenFile } from "./file-system.ts";
import type { WriterLock } from "./lock.ts";
import { replaceFile } from "./replace-file.ts";

const newline = 10;

/** Thrown before anything is written: the file belongs to another process now. */
export class LostLock extends Error {}

export class AppendFile {
  readonly #fs: FileSystem;
  readonly #path: string;
  readonly #lock: WriterLock;
  #file: OpenFile | undefined;
  #owned = false;
  /** How long the file is, as far as we have read or written it: bytes beyond are somebody else's. */
  #end: number;
  /** A write failed: the file may end in half a line, which the next write steps over. */
  #torn = false;

  constructor(fs: FileSystem, path: string, lock: WriterLock, end: number) {
    this.#fs = fs;
    this.#path = path;
    this.#lock = lock;
    this.#end = end;
  }

  get end(): number {
    return this.#end;
  }

  /** Appends whole lines. After a throw any part of them may stand in the file. */
  async append(lines: Buffer, durable: boolean): Promise<void> {
    const file = await this.#ready();
    const bytes = this.#torn ? Buffer.concat([Buffer.from("\n"), lines]) : lines;
    this.#torn = true;
    await file.write(bytes);
    this.#end += bytes.byteLength;
    if (durable) await file.sync();
    this.#torn = false;
  }

  /** Puts other bytes behind the first ones, all at once. */
  async replace(same: number, write: (file: OpenFile) => Promise<void>): Promise<void> {
    await this.#own();
    // Windows renames nothing over an open file.
    await this.close();
    let end = same;
    await replaceFile(this.#fs, this.#path, async (file) => {
      if (same > 0) await this.#copyBeginning(file, same);
      const counted = async (bytes: Uint8Array) => {
        await file.write(bytes);
        end += bytes.byteLength;
      };
      await write({ ...file, write: counted });
    });
    this.#end = end;
    this.#torn = false;
  }

  async #copyBeginning(file: OpenFile, to: number): Promise<void> {
    const old = await this.#fs.open(this.#path, "read");
    try {
      await copyStretch(old, file, { from: 0, to });
    } finally {
      await old.close();
    }
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  /** The file, open, ours, and as long as we left it. */
  async #ready(): Promise<OpenFile> {
    if (this.#file === undefined) {
      await this.#fs.makeFolder(dirname(this.#path));
      await this.#own();
      this.#file = await this.#open();
    }
    const { links, size } = await this.#file.stat();
    if (links === 0) return this.#restore(this.#file);
    await this.#own();
    if (this.#torn) this.#end = size;
    else if (size !== this.#end) throw new LostLock();
    return this.#file;
  }

  async #own(): Promise<void> {
    this.#owned ||= await this.#lock.acquire();
    if (!this.#owned || !(await this.#lock.holds())) throw new LostLock();
  }

  async #open(): Promise<OpenFile> {
    const file = await this.#fs.open(this.#path, "append");
    try {
      const { size } = await file.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await file.read(last, size - 1);
      if (size === this.#end) this.#torn ||= size > 0 && last[0] !== newline;
      // The names of a new file and of its new folder have to survive as well.
      if (size === 0) await this.#syncNames();
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async #syncNames(): Promise<void> {
    const folder = dirname(this.#path);
    await this.#fs.syncFolder(folder);
    await this.#fs.syncFolder(dirname(folder));
  }

  /** Somebody deleted the folder under us; the nameless file, still open, holds everything. */
  async #restore(nameless: OpenFile): Promise<OpenFile> {
    await this.#fs.makeFolder(dirname(this.#path));
    await this.#own();
    if ((await this.#fs.stat(this.#path)) !== undefined) throw new LostLock();
    const { size } = await nameless.stat();
    await replaceFile(this.#fs, this.#path, (file) => copyStretch(nameless, file, { from: 0, to: size }));
    await this.close();
    this.#file = await this.#open();
    return this.#file;
  }
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

const piece = 1024 * 1024;

/** Copies some bytes of one open file to the end of another, a piece at a time. */
async function copyStretch(from: OpenFile, to: OpenFile, stretch: Stretch): Promise<void> {
  const space = Buffer.allocUnsafe(Math.min(piece, stretch.to - stretch.from));
  for (let position = stretch.from; position < stretch.to; ) {
    const count = await from.read(space.subarray(0, stretch.to - position), position);
    if (count === 0) return;
    await to.write(space.subarray(0, count));
    position += count;
  }
}
