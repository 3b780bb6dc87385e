// Numbers records and writes them to the file in order, many with one write. Nothing is lost if the disk refuses:
// unwritten records stay in memory and are retried with every append and by a timer.
import { dirname } from "node:path";
import { type StoreError, tooMuchWaits, unsaved } from "../documents.ts";
import { type FileSystem, type OpenFile, replaceFile, type WriterLock } from "../file-system.ts";
import { encodeRecord, type JournalRecord, maxWaiting, type NewRecord } from "../journal-records.ts";
import { writeRecords } from "./repair-journal.ts";

const newline = 10;

/** Thrown before anything is written: the file now belongs to another process. */
class LostLock extends Error {}

/**
 * The journal file as its writer uses it: opened on first use, appended to, never overwritten. Detects truncated
 * writes, a file that was deleted or renamed, and another process that became the writer. Knows bytes and lines, not
 * records.
 */
export class AppendFile {
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
    const bytes = this.#torn ? Buffer.concat([Buffer.from("\n"), lines]) : lines;
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
      const last = Buffer.alloc(1);
      if (size > 0) await file.read(last, size - 1);
      if (size === this.#end) this.#torn ||= size > 0 && last[0] !== newline;
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

interface WriterDeps {
  readonly file: AppendFile;
  /** The number of the last record in the file, -1 if there is none. */
  readonly last: number;
  /** Written first to a file that has no records yet. */
  readonly head: NewRecord;
  onSaved(records: readonly JournalRecord[]): void;
  /** `problem` has changed. */
  onState(): void;
  /** Another process is the writer now. `waiting`: what was not written. */
  onLost(waiting: readonly NewRecord[]): void;
}

export interface Rewriting {
  /** How much of the beginning of the file is kept, byte for byte. */
  readonly same: { readonly records: number; readonly bytes: number };
  /** The records after that. */
  readonly records: Iterable<NewRecord>;
}

interface Waiting {
  readonly record: NewRecord;
  readonly durable: boolean;
  /** Kept across retries, so that a repeated write can be told from a second record. */
  readonly seq: number;
  readonly bytes: Buffer;
  readonly settle?: (error?: StoreError) => void;
}

export class JournalWriter {
  readonly #needs: WriterDeps;
  #last: number;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #draining = false;
  #retry: NodeJS.Timeout | undefined;
  #problem: StoreError | undefined;
  #ended = false;

  constructor(deps: WriterDeps) {
    this.#needs = deps;
    this.#last = deps.last;
  }

  /** Why the latest records are only in memory. */
  get problem(): StoreError | undefined {
    return this.#problem;
  }

  /** Records that are not in the file yet, in order. */
  get waiting(): readonly JournalRecord[] {
    return this.#waiting.map(({ record, seq }) => ({ ...record, seq }));
  }

  /** Settles after the first attempt. A refused record is kept and retried. */
  append(record: NewRecord, durable: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#last === -1) this.#wait(this.#needs.head, false);
      this.#wait(record, durable, (error) => (error === undefined ? resolve() : reject(error)));
      this.#drainSoon();
    });
  }

  /** Resolves once everything appended so far was written or refused. */
  flush(): Promise<void> {
    this.#drainSoon();
    return this.#serial(async () => {});
  }

  /**
   * Replaces all records. `decide` is called once all earlier records are in the file; records appended meanwhile
   * follow the new ones. If this throws, nothing has changed.
   */
  rewrite(decide: () => Promise<Rewriting>): Promise<void> {
    return this.#serial(async () => {
      await this.#drain();
      const { same, records } = await decide();
      let last = same.records - 1;
      await this.#needs.file.replace(same.bytes, async (file) => {
        last = await writeRecords(file, records, same.records);
      });
      this.#last = last;
      const late = this.#waiting;
      this.#waiting = [];
      this.#waitingBytes = 0;
      for (const { record, durable, settle } of late) this.#wait(record, durable, settle);
    });
  }

  /** Writes what can still be written and closes the file. */
  async end(): Promise<void> {
    await this.flush();
    this.#ended = true;
    clearTimeout(this.#retry);
    await this.#needs.file.close();
  }

  #wait(record: NewRecord, durable: boolean, settle?: Waiting["settle"]): void {
    const bytes = encodeRecord(this.#last + 1, record);
    this.#last += 1;
    // A dropped record leaves a gap in the numbers, so whoever opens the file finds and reports that something is
    // missing.
    if (this.#problem !== undefined && this.#waitingBytes + bytes.length > maxWaiting) {
      this.#say(tooMuchWaits());
      settle?.(this.#problem);
      return;
    }
    this.#waitingBytes += bytes.length;
    this.#waiting.push({ record, durable, seq: this.#last, bytes, ...(settle && { settle }) });
  }

  #serial<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  #drainSoon(): void {
    if (this.#draining || this.#ended) return;
    this.#draining = true;
    void this.#serial(() => {
      this.#draining = false;
      return this.#drain();
    });
  }

  async #drain(): Promise<void> {
    clearTimeout(this.#retry);
    while (this.#waiting.length > 0 && !this.#ended) {
      const batch = this.#nextBatch();
      const durable = batch.some((waiting) => waiting.durable);
      try {
        await this.#needs.file.append(Buffer.concat(batch.map(({ bytes }) => bytes)), durable);
      } catch (error) {
        // Later records would fail the same way, so their callers are told now.
        this.#refused([...this.#waiting], error);
        return;
      }
      this.#waiting.splice(0, batch.length);
      this.#waitingBytes -= batch.reduce((sum, { bytes }) => sum + bytes.length, 0);
      this.#say(undefined);
      this.#needs.onSaved(batch.map(({ record, seq }) => ({ ...record, seq })));
      for (const { settle } of batch) settle?.();
    }
  }

  /** There may be megabytes of records waiting, and a batch is built as a whole. */
  #nextBatch(): readonly Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex((waiting, at) => {
      bytes += waiting.bytes.length;
      return at > 0 && bytes > maxBatch;
    });
    return this.#waiting.slice(0, end < 0 ? undefined : end);
  }

  #refused(waiting: readonly Waiting[], error: unknown): void {
    const problem = unsaved(error);
    for (const { settle } of waiting) settle?.(problem);
    if (error instanceof LostLock) {
      this.#ended = true;
      this.#needs.onLost(this.#waiting.map(({ record }) => record));
      return;
    }
    this.#say(problem);
    this.#retry = setTimeout(() => this.#drainSoon(), retryEvery).unref();
  }

  #say(problem: StoreError | undefined): void {
    if (this.#problem?.message === problem?.message) return;
    this.#problem = problem;
    this.#needs.onState();
  }
}
