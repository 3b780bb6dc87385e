// Gives records their numbers and gets them into the file, in order, many with one write. A disk that refuses
// loses nothing: what could not be written waits in memory and is tried again, with every append and by the clock.
import { type AppendFile, LostLock } from "./append-file.ts";
import { writeRecords } from "./read-records.ts";
import { encodeRecord, type JournalRecord, type NewRecord } from "./record-line.ts";
import { type StoreError, tooMuchWaits, unsaved } from "./store-error.ts";

const retryEvery = 5000;
/** What a disk that refuses may leave waiting, in bytes. */
export const maxWaiting = 32 * 1024 * 1024;
/** So much is written in one go. */
const maxBatch = 4 * 1024 * 1024;

export interface WriterDeps {
  readonly file: AppendFile;
  /** The number of the last record in the file; -1 when it has none. */
  readonly last: number;
  /** Stands first in a file that has no record yet. */
  readonly head: NewRecord;
  onSaved(records: readonly JournalRecord[]): void;
  /** `problem` has changed. */
  onState(): void;
  /** Somebody else writes now. What was not written is handed back. */
  onLost(waiting: readonly NewRecord[]): void;
}

export interface Rewriting {
  /** How much of the file's beginning stays as it is, byte for byte. */
  readonly same: { readonly records: number; readonly bytes: number };
  /** What follows. */
  readonly records: Iterable<NewRecord>;
}

interface Waiting {
  readonly record: NewRecord;
  readonly durable: boolean;
  /** Kept for every try, so that a repeated write can be told from a second record. */
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

  /** Why the latest records are in memory only. */
  get problem(): StoreError | undefined {
    return this.#problem;
  }

  /** What is not in the file yet, in order. */
  get waiting(): readonly JournalRecord[] {
    return this.#waiting.map(({ record, seq }) => ({ ...record, seq }));
  }

  /** Settles with the first try; a refused record stays and is tried again. */
  append(record: NewRecord, durable: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#last === -1) this.#wait(this.#needs.head, false);
      this.#wait(record, durable, (error) => (error === undefined ? resolve() : reject(error)));
      this.#drainSoon();
    });
  }

  /** Resolves when everything appended so far has been written or refused. */
  flush(): Promise<void> {
    this.#drainSoon();
    return this.#serial(async () => {});
  }

  /**
   * Other records in place of all; asked for when everything before is in the file. What is appended meanwhile
   * follows them. Nothing has changed when it throws.
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

  /** Writes what still can be written and lets go of the file. */
  async end(): Promise<void> {
    await this.flush();
    this.#ended = true;
    clearTimeout(this.#retry);
    await this.#needs.file.close();
  }

  #wait(record: NewRecord, durable: boolean, settle?: Waiting["settle"]): void {
    const bytes = encodeRecord(this.#last + 1, record);
    this.#last += 1;
    // What is dropped leaves a number out: whoever opens the file finds that something is missing there, and says so.
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
        // What stands behind it would fare the same, and whoever waits for it is told now.
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

  /** Of what has waited for long there may be megabytes, and a batch is put together at once. */
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
