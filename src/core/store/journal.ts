// One conversation's journal in the hands of a process: its records, checked; appends in order, durable when asked;
// a writer while the lock is ours, a reader along with another window otherwise. What a record means it does not know.

import { join } from "node:path";
import { message } from "../messages/message.ts";
import { Emitter } from "../util/emitter.ts";
import { AppendFile } from "./append-file.ts";
import { attachedName, changesNameOf, sentName } from "./draft.ts";
import { isOwn, ownType } from "./journal-events.ts";
import { type Advance, JournalReader, type ReaderOptions, type Tail } from "./journal-reader.ts";
import {
  blobFolder,
  changesFolder,
  type JournalChange,
  type JournalOptions,
  journalName,
  journalVersion,
  type ReadOnly,
  type Repair,
  readOnlyBecause,
} from "./journal-terms.ts";
import { JournalWriter } from "./journal-writer.ts";
import { WriterLock } from "./lock.ts";
import { readRecords } from "./read-records.ts";
import type { JournalRecord, NewRecord } from "./record-line.ts";
import { sweepUnfinished } from "./replace-file.ts";
import { type ChangeRecords, repairJournal, rewritten } from "./rewrite-journal.ts";
import { StoreError } from "./store-error.ts";
import { type ConversationSummary, isListed, summarize } from "./summary.ts";

/** With the moment that a writer waits for more of a text, what it writes is read within half a second. */
const pollEvery = 250;

export class Journal {
  readonly #options: JournalOptions;
  readonly #path: string;
  readonly #lock: WriterLock;
  readonly #wants: (type: string) => boolean;
  readonly #reader: JournalReader;
  readonly #changes = new Emitter<JournalChange>();
  /** What lists show, and the store's own records: as they were read, and what this process has saved since. */
  #summary: ConversationSummary;
  #own: readonly JournalRecord[] = [];
  #writer: JournalWriter | undefined;
  #readOnly: ReadOnly | undefined;
  #repair: Repair | undefined;
  /** How it was known to have ended when it was opened. */
  #tail: Tail | undefined;
  /** In place of what was read when it was opened: what is left of a damaged file, or what came since. */
  #current: readonly JournalRecord[] | undefined;
  /** Refused by the disk, then by the lock: they go first when writing is ours again. */
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
    this.#wants = (type) => !isOwn(type) && (options.wants?.(type) ?? true);
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

  /** As they were loaded. What this process appends is known to it and not added here. */
  get records(): readonly JournalRecord[] {
    return this.#current ?? this.#reader.records;
  }

  /** The store's own records, those of this process included. */
  get own(): readonly JournalRecord[] {
    return this.#own;
  }

  get summary(): ConversationSummary {
    return this.#summary;
  }

  get readOnly(): ReadOnly | undefined {
    return this.#readOnly;
  }

  /** Why the latest records are in memory only. */
  get problem(): StoreError | undefined {
    return this.#writer?.problem;
  }

  get repair(): Repair | undefined {
    return this.#repair;
  }

  /** Rejects with a sentence when the record is not on disk; unless this journal is read-only, it will be tried again. */
  append(record: NewRecord, { durable }: { readonly durable: boolean }): Promise<void> {
    if (this.#closed) return Promise.reject(new StoreError(message("keptClosed")));
    if (this.#writer === undefined) return Promise.reject(this.#refusal());
    return this.#writer.append(record, durable);
  }

  /** Every record that `wants` lets through, from the file; the store's own ones are asked for like any other. */
  async read(wants: (type: string) => boolean): Promise<readonly JournalRecord[]> {
    await this.#writer?.flush();
    const waiting = this.#writer?.waiting.filter(({ type }) => wants(type)) ?? [];
    const saved = await readRecords({ ...this.#source, wants });
    // What the disk took meanwhile is among them.
    const last = saved.at(-1)?.seq ?? -1;
    return [...saved, ...waiting.filter(({ seq }) => seq > last)];
  }

  /** Puts other records in place of all: what is left out is gone from the disk. All or nothing. */
  async rewrite(change: ChangeRecords): Promise<void> {
    if (this.#writer === undefined) throw this.#refusal();
    await this.#writer.rewrite(async () => {
      const reader = new JournalReader({ ...this.#source, wants: () => true });
      await reader.advance();
      return rewritten(reader, () => this.#head(), change);
    });
    this.#reader.restart();
    await this.#reader.advance();
    this.#takeRead();
    this.#options.onSummary?.();
  }

  /** Whether all that was appended is in the file. */
  async save(): Promise<boolean> {
    await this.#writer?.flush();
    return this.problem === undefined && this.#left.length === 0;
  }

  /** From here on `records` holds what this process has appended as well. */
  async reload(): Promise<void> {
    if (this.#writer !== undefined) this.#current = await this.read(this.#wants);
  }

  /** Writes what still can be written and lets the next process write. */
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
    // Whoever deletes a conversation deletes its folder: of one that is gone nothing can be told.
    if (isThere || (await fs.stat(folder)) !== undefined)
      this.#tail = await this.#options.tail?.().catch(() => undefined);
    const lock = isThere || this.#hasLost ? await this.#tryLock() : "later";
    await this.#reader.advance();
    await this.#takeRole(lock);
  }

  /** A disk that cannot hold a lock is no reason to refuse: the first append will say what is wrong with it. */
  async #tryLock(): Promise<"ours" | "theirs" | "later"> {
    try {
      return (await this.#lock.acquire()) ? "ours" : "theirs";
    } catch {
      return "later";
    }
  }

  /** Writer or reader, and why; the records have just been read. */
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
    const isCutShort = this.#reader.condition !== "damaged";
    const lostLines = isCutShort ? (this.#tail?.last ?? 0) - this.#reader.last : this.#reader.lostLines;
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

  get #hasLost(): boolean {
    return (
      this.#reader.condition === "damaged" || (this.#tail !== undefined && !this.#reader.reaches(this.#tail))
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

  /** What writers before us were about to put in place when they died. Litter is no reason to fail. */
  async #sweep(): Promise<void> {
    const { fs, folder, place, now } = this.#options;
    const ours = [journalName, attachedName, sentName, changesNameOf(place)];
    for (const each of [folder, join(folder, blobFolder), join(folder, changesFolder)])
      await sweepUnfinished(fs, each, { now: now(), ours }).catch(() => undefined);
  }

  #becomeWriter(): void {
    clearInterval(this.#poll);
    this.#readOnly = undefined;
    const { fs } = this.#options;
    this.#writer = new JournalWriter({
      file: new AppendFile(fs, this.#path, this.#lock, this.#reader.end),
      last: this.#reader.last,
      head: this.#head(),
      onSaved: (records) => this.#saved(records),
      onState: () => this.#changes.fire({ type: "state" }),
      onLost: (waiting) => this.#lost(waiting),
    });
    // A second refusal is told by `problem`; here nobody is left to hear it.
    for (const record of this.#left) this.#writer.append(record, true).catch(() => undefined);
    this.#left = [];
  }

  #stayReader(kind: ReadOnly["kind"]): void {
    this.#writer = undefined;
    this.#readOnly = { kind, message: readOnlyBecause[kind] };
    clearInterval(this.#poll);
    if (!this.#closed) this.#poll = setInterval(() => void this.follow(), pollEvery).unref();
  }

  /** Reads what the writer has written, and takes its place when it is gone. Called by the clock. */
  follow(): Promise<void> {
    this.#following ??= this.#catchUp()
      // A file that cannot be read for a moment is read a moment later.
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

  /** Answers whether there was anything to tell. */
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
    this.#reader.restart();
    await this.#reader.advance();
    this.#takeRead();
  }

  /** All that has just been read. Answers whether the summary is another one now. */
  #takeRead(): boolean {
    const before = JSON.stringify(this.#summary);
    this.#summary = this.#reader.summary;
    this.#own = this.#reader.own;
    return JSON.stringify(this.#summary) !== before;
  }

  #saved(records: readonly JournalRecord[]): void {
    const before = this.#summary;
    this.#own = [...this.#own, ...records.filter(({ type }) => isOwn(type))];
    this.#summary = records.filter(({ type }) => isListed(type)).reduce(summarize, before);
    if (this.#summary !== before) this.#options.onSummary?.();
  }

  #head(): NewRecord {
    const { place, now } = this.#options;
    return { type: ownType.head, version: journalVersion, id: this.id, at: now(), place };
  }

  #refusal(): StoreError {
    return new StoreError(this.#readOnly?.message ?? message("keptClosed"));
  }
}
