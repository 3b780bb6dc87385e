// The append log: files of sealed lines that only grow, shared by journals and ledgers. Ends what a torn write has left,
// writes many lines at once, and loses nothing if the disk refuses: unwritten lines stay in memory and are retried with
// every later one and by a timer. Knows bytes and lines, not what they say; `log-reader.ts` reads them.
import { dirname } from "node:path";
import { type StoreError, unsaved } from "../documents.ts";
import { type FileSystem, type OpenFile, replaceFile, type WriterLock } from "../file-system.ts";

const newline = 10;

/** A file to which whole lines are appended. */
interface LogFile {
  /** If this throws, any part of the lines may be in the file, and the next call begins with a new line. */
  append(lines: Buffer, durable: boolean): Promise<void>;
}

/**
 * A file to which several processes append: it is opened for each call, so that any of them may remove it as a whole.
 * Half a line is ended first, no matter who has left it.
 */
export const sharedFile = (fs: FileSystem, path: string): LogFile => ({
  async append(lines, durable) {
    await fs.makeFolder(dirname(path));
    const file = await fs.open(path, "append");
    try {
      const { size } = await file.stat();
      await file.write((await endsInside(file, size)) ? onNewLine(lines) : lines);
      if (durable) await file.sync();
    } finally {
      await file.close();
    }
  },
});

async function endsInside(file: OpenFile, size: number): Promise<boolean> {
  const last = Buffer.alloc(1);
  if (size > 0) await file.read(last, size - 1);
  return size > 0 && last[0] !== newline;
}

const onNewLine = (lines: Buffer): Buffer => Buffer.concat([Buffer.from("\n"), lines]);

/** Thrown before anything is written: the file now belongs to another process. */
class LostLock extends Error {}

/**
 * A file with one writer, who holds its lock: opened on first use, appended to, never overwritten. Detects truncated
 * writes, a file that was deleted or renamed, and another process that became the writer.
 */
export class OwnedFile implements LogFile {
  readonly #fs: FileSystem;
  readonly #path: string;
  readonly #lock: WriterLock;
  #file: OpenFile | undefined;
  #owned = false;
  /** The file's length as far as we have read or written it. Bytes beyond it were written by another process. */
  #end: number;
  /** A write failed. The file may end in half a line, which the next write terminates. */
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

  /** Appends whole lines. If this throws, any part of them may be in the file. */
  async append(lines: Buffer, durable: boolean): Promise<void> {
    const file = await this.#ready();
    const bytes = this.#torn ? onNewLine(lines) : lines;
    this.#torn = true;
    await file.write(bytes);
    this.#end += bytes.byteLength;
    if (durable) await file.sync();
    this.#torn = false;
  }

  /** Keeps the first bytes and replaces everything after them atomically. */
  async replace(same: number, write: (file: OpenFile) => Promise<void>): Promise<void> {
    await this.#own();
    // Windows cannot rename over an open file.
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

  /** Returns the open file after checking that it is ours and has the length at which we left it. */
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
      const isInside = await endsInside(file, size);
      if (size === this.#end) this.#torn ||= isInside;
      // The directory entries of a new file and of its new folder must survive a crash, too.
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

  /** Somebody deleted the folder while the file was open. The unlinked file still has all its contents. */
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

/** Copies a range of bytes from one open file to the end of another, in chunks. */
async function copyStretch(from: OpenFile, to: OpenFile, stretch: Stretch): Promise<void> {
  const space = Buffer.allocUnsafe(Math.min(piece, stretch.to - stretch.from));
  for (let position = stretch.from; position < stretch.to; ) {
    const count = await from.read(space.subarray(0, stretch.to - position), position);
    if (count === 0) return;
    await to.write(space.subarray(0, count));
    position += count;
  }
}

const retryEvery = 5000;
/** Maximum number of bytes per write. */
const maxBatch = 4 * 1024 * 1024;

interface QueueOptions<Entry> {
  fileOf(entry: Entry): LogFile;
  /** How many bytes may wait while the disk refuses. */
  readonly limit: number;
  /** Why an entry beyond that limit is dropped. */
  tooMuch(): StoreError;
  onSaved(entries: readonly Entry[]): void;
  /** `problem` has changed. */
  onProblem?(): void;
  /** Another process is the writer now; nothing is written any more. */
  onLost?(): void;
}

interface Waiting<Entry> {
  readonly entry: Entry;
  /** Kept across retries, so that a repeated write can be told from a second entry. */
  readonly line: Buffer;
  readonly durable: boolean;
  settle(error?: StoreError): void;
}

/** Entries on their way to the disk, in order. */
export class LogQueue<Entry> {
  readonly #options: QueueOptions<Entry>;
  #waiting: Waiting<Entry>[] = [];
  #waitingBytes = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #draining = false;
  #retry: NodeJS.Timeout | undefined;
  #problem: StoreError | undefined;
  #ended = false;

  constructor(options: QueueOptions<Entry>) {
    this.#options = options;
  }

  /** Why the latest entries are only in memory. */
  get problem(): StoreError | undefined {
    return this.#problem;
  }

  /** Entries that are not in a file yet, or only in part. */
  get waiting(): readonly Entry[] {
    return this.#waiting.map(({ entry }) => entry);
  }

  /** Settles after the first attempt. A refused entry is kept and retried. */
  add(entry: Entry, line: Buffer, durable: boolean): Promise<void> {
    if (this.#problem !== undefined && this.#waitingBytes + line.length > this.#options.limit) {
      const problem = this.#options.tooMuch();
      this.#say(problem);
      return Promise.reject(problem);
    }
    this.#waitingBytes += line.length;
    return new Promise((resolve, reject) => {
      const settle = (error?: StoreError) => (error === undefined ? resolve() : reject(error));
      this.#waiting.push({ entry, line, durable, settle });
      this.#drainSoon();
    });
  }

  /** Resolves once everything added so far was written or refused. */
  flush(): Promise<void> {
    this.#drainSoon();
    return this.serial(async () => {});
  }

  /** Runs while nothing is being written. */
  serial<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /** Only within `serial`: writes what waits. */
  async drain(): Promise<void> {
    clearTimeout(this.#retry);
    while (this.#waiting.length > 0 && !this.#ended) {
      const batch = this.#nextBatch();
      const [first] = batch;
      if (first === undefined) return;
      try {
        const lines = Buffer.concat(batch.map(({ line }) => line));
        await this.#options.fileOf(first.entry).append(
          lines,
          batch.some(({ durable }) => durable),
        );
      } catch (error) {
        this.#refused(error);
        return;
      }
      this.#waiting.splice(0, batch.length);
      this.#waitingBytes -= batch.reduce((sum, { line }) => sum + line.length, 0);
      this.#say(undefined);
      this.#options.onSaved(batch.map(({ entry }) => entry));
      for (const { settle } of batch) settle();
    }
  }

  /** Only within `serial`: changes entries that wait, which the file must not contain any part of. */
  recode(change: (entry: Entry) => { readonly entry: Entry; readonly line: Buffer }): void {
    this.#waiting = this.#waiting.map((waiting) => ({ ...waiting, ...change(waiting.entry) }));
    this.#waitingBytes = this.#waiting.reduce((sum, { line }) => sum + line.length, 0);
  }

  /** Writes what can still be written. */
  async end(): Promise<void> {
    await this.flush();
    this.#ended = true;
    clearTimeout(this.#retry);
  }

  #drainSoon(): void {
    if (this.#draining || this.#ended) return;
    this.#draining = true;
    void this.serial(() => {
      this.#draining = false;
      return this.drain();
    });
  }

  /** Entries of one file. There may be megabytes waiting, and a batch is built as a whole. */
  #nextBatch(): readonly Waiting<Entry>[] {
    const { fileOf } = this.#options;
    let bytes = 0;
    let file: LogFile | undefined;
    const end = this.#waiting.findIndex(({ entry, line }, at) => {
      bytes += line.length;
      file ??= fileOf(entry);
      return at > 0 && (bytes > maxBatch || fileOf(entry) !== file);
    });
    return this.#waiting.slice(0, end < 0 ? undefined : end);
  }

  /** Later entries would fail the same way, so their callers are told now. */
  #refused(error: unknown): void {
    const problem = unsaved(error);
    for (const { settle } of this.#waiting) settle(problem);
    if (error instanceof LostLock) {
      this.#ended = true;
      this.#options.onLost?.();
      return;
    }
    this.#say(problem);
    this.#retry = setTimeout(() => this.#drainSoon(), retryEvery).unref();
  }

  #say(problem: StoreError | undefined): void {
    if (this.#problem?.message === problem?.message) return;
    this.#problem = problem;
    this.#options.onProblem?.();
  }
}
