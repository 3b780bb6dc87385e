// One conversation's journal as a process uses it: checked records, and appends in order, durable on request. It is a
// writer while we hold the lock; otherwise it follows another window as a reader. Does not interpret records.
import { join } from "node:path";
import { message } from "../../conversation/messages.ts";
import { Emitter } from "../../util/emitter.ts";
import { type ConversationSummary, isListed, summarize } from "../conversation-summary.ts";
import { StoreError, unsaved } from "../documents.ts";
import { sweepUnfinished, WriterLock } from "../file-system.ts";
import {
  changesFolder,
  cutFrom,
  isStoreRecord,
  type JournalChange,
  type JournalOptions,
  type JournalRecord,
  journalName,
  journalVersion,
  type NewRecord,
  type ReadOnly,
  type Repair,
  readOnlyBecause,
  startOf,
  storeRecordType,
} from "../journal-records.ts";
import { OwnedFile } from "./append-log.ts";
import { attachedName, changesNameOf, remarksNameOf, sentName, trialName } from "./draft-file.ts";
import { type Advance, JournalReader, type ReaderOptions, type Tail } from "./journal-reader.ts";
import { JournalWriter } from "./journal-writer.ts";
import { type ChangeRecords, readRecords, repairJournal, rewritten } from "./repair-journal.ts";

/** Together with the writer's delay for batching text, a reader sees new text within half a second. */
const pollEvery = 250;
/** Longer than a silent window keeps its lock. */
const maxAsking = 10_000;

export class Journal {
  readonly #options: JournalOptions;
  readonly #path: string;
  readonly #lock: WriterLock;
  readonly #wants: (type: string) => boolean;
  readonly #reader: JournalReader;
  readonly #changes = new Emitter<JournalChange>();
  /** The list entry and the store's own records, as read and as saved by this process since. */
  #summary: ConversationSummary;
  #own: readonly JournalRecord[] = [];
  #writer: JournalWriter | undefined;
  #readOnly: ReadOnly | undefined;
  #repair: Repair | undefined;
  /** The last known tail when the journal was opened. */
  #tail: Tail | undefined;
  /**
   * Replaces the records that were read on opening: with what is left of a damaged file, or with what was added since.
   */
  #current: readonly JournalRecord[] | undefined;
  /** Records refused by the disk and then by the lock. They are written first once we are the writer again. */
  #left: readonly NewRecord[] = [];
  #poll: NodeJS.Timeout | undefined;
  #following: Promise<void> | undefined;
  #closed = false;

  readonly onDidChange = this.#changes.on;

  private constructor(options: JournalOptions) {
    const { fs, folder, id } = options;
    this.#options = options;
    this.#path = join(folder, journalName);
    this.#lock = new WriterLock(fs, join(folder, "lock"));
    this.#lock.onAsked(() => this.#changes.fire({ type: "asked-for" }));
    this.#wants = (type) => !isStoreRecord(type) && (options.wants?.(type) ?? true);
    this.#reader = new JournalReader({ fs, path: this.#path, id, wants: this.#wants });
    this.#summary = this.#reader.summary;
  }

  static async open(options: JournalOptions): Promise<Journal> {
    const journal = new Journal(options);
    try {
      await journal.#load();
    } catch (error) {
      await journal.close();
      throw error;
    }
    return journal;
  }

  get id(): string {
    return this.#options.id;
  }

  /** The records as loaded. Records that this process appends are not added here. */
  get records(): readonly JournalRecord[] {
    return this.#current ?? this.#reader.records;
  }

  /** The store's own records, including those of this process. */
  get own(): readonly JournalRecord[] {
    return this.#own;
  }

  get summary(): ConversationSummary {
    return this.#summary;
  }

  get readOnly(): ReadOnly | undefined {
    return this.#readOnly;
  }

  /** Why the latest records are only in memory. */
  get problem(): StoreError | undefined {
    return this.#writer?.problem;
  }

  get repair(): Repair | undefined {
    return this.#repair;
  }

  /**
   * Rejects with a message if the record is not on the disk. Unless this journal is read-only, the record will be
   * retried.
   */
  append(record: NewRecord, { durable }: { readonly durable: boolean }): Promise<void> {
    if (this.#closed) return Promise.reject(new StoreError(message("keptClosed")));
    if (this.#writer === undefined) return Promise.reject(this.#refusal());
    return this.#writer.append(record, durable);
  }

  /** Reads every record that `wants` accepts from the file, including the store's own. */
  async read(wants: (type: string) => boolean): Promise<readonly JournalRecord[]> {
    await this.#writer?.flush();
    const waiting = this.#writer?.waiting.filter(({ type }) => wants(type)) ?? [];
    const saved = await readRecords({ ...this.#source, wants });
    // Records that were written meanwhile are among those read.
    const last = saved.at(-1)?.seq ?? -1;
    return [...saved, ...waiting.filter(({ seq }) => seq > last)];
  }

  /**
   * Replaces records atomically. Records that are left out are gone from the disk. `turn`: only it and what follows it
   * may change; where possible, what is before it is neither read again nor given to `change`.
   */
  async rewrite(change: ChangeRecords, turn?: string): Promise<void> {
    if (this.#writer === undefined) throw this.#refusal();
    let from: number | undefined;
    await this.#writer.rewrite(async () => {
      from = turn === undefined ? undefined : await this.#startOf(turn);
      const all = { ...this.#source, wants: () => true };
      const reader = from === undefined ? new JournalReader(all) : this.#reader.from(from);
      await reader.advance();
      return rewritten(reader, from === undefined ? () => this.#head() : undefined, change);
    });
    if (from === undefined) this.#reader.restart();
    else this.#reader.rewind(from);
    await this.#reader.advance();
    this.#current = undefined;
    this.#takeRead();
    this.#options.onSummary?.();
  }

  /** The number of the record with which a turn begins; undefined unless nothing before it has to be read again. */
  async #startOf(turn: string): Promise<number | undefined> {
    if (!["started", "ended", "cut"].every(this.#wants)) return undefined;
    await this.#reader.advance();
    const { records, scanner } = this.#reader;
    if (!scanner.isOrderly || records.some((record) => cutFrom(record) !== undefined)) return undefined;
    // The first record is the head, which stays.
    return records[startOf(records, turn)]?.seq || undefined;
  }

  /** Whether all appended records are in the file. */
  async save(): Promise<boolean> {
    await this.#writer?.flush();
    return this.problem === undefined && this.#left.length === 0;
  }

  /** Makes `records` include what this process has appended. */
  async reload(): Promise<void> {
    if (this.#writer !== undefined) this.#current = await this.read(this.#wants);
  }

  /** Asks the window that writes it to hand it over. Rejects with a message if that window does not. */
  async takeOver(): Promise<void> {
    if (this.#readOnly?.kind !== "elsewhere") return;
    try {
      await this.#lock.ask().catch((error: unknown) => {
        throw unsaved(error);
      });
      for (let asked = 0; asked <= maxAsking && !this.#closed; asked += pollEvery) {
        await this.follow();
        if (!this.#isElsewhere) return;
        await new Promise((resolve) => setTimeout(resolve, pollEvery));
      }
      if (this.#isElsewhere && !this.#closed) throw new StoreError(message("keptNotHandedOver"));
    } finally {
      await this.#lock.withdraw();
    }
  }

  /** Lets the window that asks for it write it from now on. Rejects with a message if something is not on the disk. */
  async handOver(): Promise<void> {
    const writer = this.#writer;
    if (writer === undefined) return;
    if (!(await this.save())) {
      await this.reload();
      throw this.problem ?? unsaved(undefined);
    }
    this.#stayReader("elsewhere");
    await this.#following;
    this.#following = this.#reread(writer)
      .then(() => this.#lock.release())
      .finally(() => {
        this.#following = undefined;
      });
    await this.#following;
    this.#changes.fire({ type: "state" });
  }

  /** Writes what can still be written and releases the lock. */
  async close(): Promise<void> {
    await this.#following;
    if (this.#left.length > 0) await this.follow();
    this.#closed = true;
    clearInterval(this.#poll);
    await this.#following;
    await this.#writer?.end();
    await this.#lock.release();
  }

  async #load(): Promise<void> {
    const { fs, folder } = this.#options;
    const isThere = (await fs.stat(this.#path)) !== undefined;
    // Deleting a conversation deletes its folder, so if that is gone, there is nothing to record.
    if (isThere || (await fs.stat(folder)) !== undefined)
      this.#tail = await this.#options.tail?.().catch(() => undefined);
    const lock = isThere || this.#hasLost ? await this.#tryLock() : "later";
    await this.#reader.advance();
    await this.#takeRole(lock);
  }

  /** If the disk cannot create a lock, do not refuse to open: the first append will report what is wrong. */
  async #tryLock(): Promise<"ours" | "theirs" | "later"> {
    try {
      return (await this.#lock.acquire()) ? "ours" : "theirs";
    } catch {
      return "later";
    }
  }

  /** Becomes writer or reader, and records why. Call it right after the records were read. */
  async #takeRole(lock: "ours" | "theirs" | "later"): Promise<void> {
    if (lock === "ours") await this.#sweep();
    if (this.#reader.version > journalVersion) this.#stayReader("newer");
    else if (lock === "theirs") this.#stayReader("elsewhere");
    else if (this.#hasLost && !(await this.#mend(lock))) await this.#readWhatIsLeft();
    else this.#becomeWriter();
    this.#takeRead();
    if (this.#readOnly !== undefined && this.#readOnly.kind !== "elsewhere") await this.#lock.release();
  }

  async #mend(lock: "ours" | "later"): Promise<boolean> {
    if (lock === "later") return false;
    const { scanner } = this.#reader;
    const isCutShort = scanner.condition() !== "damaged";
    const lostLines = isCutShort ? (this.#tail?.last ?? 0) - scanner.last : scanner.lost;
    try {
      const { now } = this.#options;
      const head = this.#head();
      const original = await repairJournal(this.#source, { head, now: now(), isCutShort });
      this.#reader.restart();
      await this.#reader.advance();
      this.#repair = { lostLines, isCutShort, original };
      return true;
    } catch {
      return false;
    }
  }

  get #isElsewhere(): boolean {
    return this.#readOnly?.kind === "elsewhere";
  }

  get #hasLost(): boolean {
    return (
      this.#reader.scanner.condition() === "damaged" ||
      (this.#tail !== undefined && !this.#reader.reaches(this.#tail))
    );
  }

  get #source(): Omit<ReaderOptions, "wants"> {
    const { fs, id } = this.#options;
    return { fs, path: this.#path, id };
  }

  async #readWhatIsLeft(): Promise<void> {
    this.#current = await readRecords({ ...this.#source, wants: this.#wants });
    this.#stayReader("damaged");
  }

  /** Removes unfinished replacements of writers that died. Leftovers are no reason to fail. */
  async #sweep(): Promise<void> {
    const { fs, folder, place, now } = this.#options;
    const ours = [journalName, attachedName, sentName, trialName, remarksNameOf(place), changesNameOf(place)];
    for (const each of [folder, join(folder, changesFolder)])
      await sweepUnfinished(fs, each, { now: now(), ours }).catch(() => undefined);
  }

  #becomeWriter(): void {
    clearInterval(this.#poll);
    this.#readOnly = undefined;
    const { fs } = this.#options;
    const { scanner } = this.#reader;
    this.#writer = new JournalWriter({
      file: new OwnedFile(fs, this.#path, this.#lock, scanner.lines.position),
      last: scanner.last,
      head: this.#head(),
      onSaved: (records) => this.#saved(records),
      onState: () => this.#changes.fire({ type: "state" }),
      onLost: (waiting) => this.#lost(waiting),
    });
    // A second refusal is reported by `problem`; nobody listens here.
    for (const record of this.#left) this.#writer.append(record, true).catch(() => undefined);
    this.#left = [];
  }

  #stayReader(kind: ReadOnly["kind"]): void {
    this.#writer = undefined;
    this.#readOnly = { kind, message: readOnlyBecause[kind] };
    clearInterval(this.#poll);
    if (!this.#closed) this.#poll = setInterval(() => void this.follow(), pollEvery).unref();
  }

  /** Reads what the writer has written, and takes over when it is gone. Called by a timer. */
  follow(): Promise<void> {
    this.#following ??= this.#catchUp()
      // A file that cannot be read now is read on the next call.
      .catch(() => undefined)
      .finally(() => {
        this.#following = undefined;
      });
    return this.#following;
  }

  async #catchUp(): Promise<void> {
    if (this.#closed || this.#readOnly === undefined) return;
    const isWritten = this.#tell(await this.#reader.advance());
    if (isWritten || this.#readOnly.kind !== "elsewhere" || !(await this.#lock.acquire())) return;
    this.#tell(await this.#reader.advance());
    await this.#takeRole("ours");
    this.#changes.fire({ type: "state" });
  }

  /** Returns whether there was anything to report. */
  #tell({ reloaded, records }: Advance): boolean {
    if (!reloaded && records.length === 0) return false;
    const isOther = this.#takeRead();
    this.#changes.fire(reloaded ? { type: "reloaded" } : { type: "appended", records });
    if (isOther) this.#options.onSummary?.();
    return true;
  }

  #lost(waiting: readonly NewRecord[]): void {
    this.#left = waiting;
    const writer = this.#writer;
    this.#stayReader("elsewhere");
    this.#following = this.#reread(writer)
      .catch(() => undefined)
      .finally(() => {
        this.#following = undefined;
        this.#changes.fire({ type: "reloaded" });
      });
    this.#changes.fire({ type: "state" });
  }

  async #reread(writer: JournalWriter | undefined): Promise<void> {
    await writer?.end();
    this.#current = undefined;
    this.#reader.restart();
    await this.#reader.advance();
    this.#takeRead();
  }

  /** Takes all that was just read. Returns whether the summary has changed. */
  #takeRead(): boolean {
    const before = JSON.stringify(this.#summary);
    this.#summary = this.#reader.summary;
    this.#own = this.#reader.own;
    return JSON.stringify(this.#summary) !== before;
  }

  #saved(records: readonly JournalRecord[]): void {
    const before = this.#summary;
    this.#own = [...this.#own, ...records.filter(({ type }) => isStoreRecord(type))];
    this.#summary = records.filter(({ type }) => isListed(type)).reduce(summarize, before);
    if (this.#summary !== before) this.#options.onSummary?.();
  }

  #head(): NewRecord {
    const { place, now } = this.#options;
    return { type: storeRecordType.head, version: journalVersion, id: this.id, at: now(), place };
  }

  #refusal(): StoreError {
    return new StoreError(this.#readOnly?.message ?? message("keptClosed"));
  }
}
