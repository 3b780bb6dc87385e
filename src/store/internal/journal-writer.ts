// Numbers the records of a journal on their way to its append log, and replaces them.
import { type StoreError, tooMuchWaits } from "../documents.ts";
import { encodeRecord, type JournalRecord, maxWaiting, type NewRecord } from "../journal-records.ts";
import { LogQueue, type OwnedFile } from "./append-log.ts";
import { writeRecords } from "./repair-journal.ts";

interface WriterDeps {
  readonly file: OwnedFile;
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

interface Rewriting {
  /** How much of the beginning of the file is kept, byte for byte. */
  readonly same: { readonly records: number; readonly bytes: number };
  /** The records after that. */
  readonly records: Iterable<NewRecord>;
}

export class JournalWriter {
  readonly #needs: WriterDeps;
  readonly #queue: LogQueue<JournalRecord>;
  #last: number;

  constructor(deps: WriterDeps) {
    this.#needs = deps;
    this.#last = deps.last;
    this.#queue = new LogQueue({
      fileOf: () => deps.file,
      limit: maxWaiting,
      tooMuch: tooMuchWaits,
      onSaved: (records) => deps.onSaved(records),
      onProblem: () => deps.onState(),
      onLost: () => deps.onLost(this.#queue.waiting),
    });
  }

  /** Why the latest records are only in memory. */
  get problem(): StoreError | undefined {
    return this.#queue.problem;
  }

  /** Records that are not in the file yet, in order. */
  get waiting(): readonly JournalRecord[] {
    return this.#queue.waiting;
  }

  /** Settles after the first attempt. A refused record is kept and retried. */
  append(record: NewRecord, durable: boolean): Promise<void> {
    // The record that follows it fails or succeeds in the same way, and somebody waits for that.
    if (this.#last === -1) this.#add(this.#needs.head, false).catch(() => undefined);
    return this.#add(record, durable);
  }

  /** Resolves once everything appended so far was written or refused. */
  flush(): Promise<void> {
    return this.#queue.flush();
  }

  /**
   * Replaces all records. `decide` is called once all earlier records are in the file; records appended meanwhile
   * follow the new ones. If this throws, nothing has changed.
   */
  rewrite(decide: () => Promise<Rewriting>): Promise<void> {
    return this.#queue.serial(async () => {
      await this.#queue.drain();
      const { same, records } = await decide();
      let last = same.records - 1;
      await this.#needs.file.replace(same.bytes, async (file) => {
        last = await writeRecords(file, records, same.records);
      });
      this.#last = last;
      this.#queue.recode((record) => this.#numbered(record));
    });
  }

  /** Writes what can still be written and closes the file. */
  async end(): Promise<void> {
    await this.#queue.end();
    await this.#needs.file.close();
  }

  /** A dropped record leaves a gap in the numbers, so whoever opens the file finds that something is missing. */
  #add(record: NewRecord, durable: boolean): Promise<void> {
    const { entry, line } = this.#numbered(record);
    return this.#queue.add(entry, line, durable);
  }

  #numbered(record: NewRecord): { readonly entry: JournalRecord; readonly line: Buffer } {
    const line = encodeRecord(this.#last + 1, record);
    this.#last += 1;
    return { entry: { ...record, seq: this.#last }, line };
  }
}
