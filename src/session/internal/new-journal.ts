// The journal of a conversation that begins in this window. Its file is created with the first message or draft, so
// that opening the chat leaves nothing behind; choices made before are written first. A bare task gets a file only when
// somebody continues it.

import type { ChangeStore } from "../../changes/change-store.ts";
import { type ConversationRecord, withoutCutRecords } from "../../conversation/events.ts";
import type { Message } from "../../conversation/messages.ts";
import { StoreError, tooMuchWaits, unsaved } from "../../store/documents.ts";
import { maxWaiting } from "../../store/journal-records.ts";
import { createMutex } from "../../util/concurrency.ts";
import { Emitter } from "../../util/emitter.ts";
import type { ConversationStore } from "../conversation-store.ts";
import type { ConversationJournal } from "./recorder.ts";
import { hasContent, nothingUnsent, type Unsent } from "./session-draft.ts";

/** `bare`: a task without tools, not stored as long as it is a task. */
export type JournalKind = "chat" | "task" | "bare";

const retryEvery = 5000;

/**
 * If the file cannot be created, the conversation goes on in memory. Every save and a timer try again and report why
 * nothing is saved; once there is a file, everything is written to it.
 */
export class NewJournal implements ConversationJournal {
  readonly id: string;
  readonly records = [];
  readonly #create: ConversationStore["create"];
  readonly #oneByOne = createMutex();
  readonly #changes = new Emitter<void>();
  readonly #requests = new Emitter<void>();
  #kind: JournalKind;
  /**
   * Records to write first once there is a file, with their JSON lengths, which are measured once because records may
   * be megabytes long.
   */
  readonly #held = new Map<ConversationRecord, number>();
  #heldLength = 0;
  #unsent = nothingUnsent;
  /** Set when records were dropped, and reported as long as this window is open, whatever is saved later. */
  #dropped: StoreError | undefined;
  /** Why the file could not be created when it was needed. */
  #reason: StoreError | undefined;
  #journal: ConversationJournal | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(id: string, create: ConversationStore["create"], kind: JournalKind = "chat") {
    this.id = id;
    this.#create = create;
    this.#kind = kind;
  }

  get readOnly(): Message | undefined {
    return this.#journal?.readOnly;
  }

  get unsaved(): Message | undefined {
    if (this.#dropped !== undefined) return this.#dropped.asMessage;
    if (this.#journal !== undefined) return this.#journal.unsaved;
    return this.#isOwed ? this.#reason?.asMessage : undefined;
  }

  readonly onUnsaved = this.#changes.on;
  readonly onAskedFor = this.#requests.on;

  get isTask(): boolean {
    return this.#kind !== "chat";
  }

  readonly changes: ChangeStore = {
    read: async () => (await this.#journal?.changes?.read()) ?? "",
    write: async (state, waits) => (await this.#changeStore()).write(state, waits),
    put: async (text) => (await this.#changeStore()).put(text),
    get: async (name) => this.#journal?.changes?.get(name),
    keepOnly: async (names) => this.#journal?.changes?.keepOnly(names),
  };

  async goOn(): Promise<void> {
    if (!this.isTask) return;
    this.#kind = "chat";
    await this.#oneByOne(async () => {
      if (this.#journal !== undefined) await this.#journal.goOn?.();
      else await this.#make({ durable: false }).catch(() => undefined);
    });
  }

  append(record: ConversationRecord, how: { durable: boolean }): Promise<void> {
    return this.#oneByOne(async () => {
      if (this.#journal !== undefined) return this.#journal.append(record, how);
      this.#hold(record);
      const isWanted = record.type !== "choices" && this.#kind !== "bare";
      if (isWanted || this.#reason !== undefined) await this.#make(how);
    });
  }

  cutFrom(turn: string): Promise<void> {
    return this.#oneByOne(async () => {
      if (this.#journal !== undefined) return this.#journal.cutFrom(turn);
      // What remains after the cut was held already, even if later records were dropped.
      const kept = new Set(withoutCutRecords([...this.#held.keys(), { type: "cut", turn, at: 0 }]));
      for (const [record, length] of this.#held)
        if (!kept.has(record) && this.#held.delete(record)) this.#heldLength -= length;
    });
  }

  handOver(): Promise<void> {
    return this.#oneByOne(async () => this.#journal?.handOver?.());
  }

  async readUnsent(): Promise<Unsent> {
    return (await this.#journal?.readUnsent()) ?? this.#unsent;
  }

  writeUnsent(changes: Partial<Unsent>): Promise<void> {
    return this.#oneByOne(async () => {
      if (this.#journal !== undefined) return this.#journal.writeUnsent(changes);
      this.#unsent = { ...this.#unsent, ...changes };
      // An emptied draft needs no file.
      const isWanted = this.#kind !== "bare" || this.#reason !== undefined;
      if (hasContent(changes) && isWanted) await this.#make({ durable: true });
    });
  }

  async readTrial(): Promise<string> {
    return (await this.#journal?.readTrial?.()) ?? "";
  }

  writeTrial(text: string): Promise<void> {
    return this.#oneByOne(async () => {
      if (this.#journal === undefined && text !== "") await this.#make({ durable: true });
      await this.#journal?.writeTrial?.(text);
    });
  }

  async readRemarks(): Promise<string> {
    return (await this.#journal?.readRemarks?.()) ?? "";
  }

  /** There are remarks only where something was proposed, which is in the journal. */
  writeRemarks(text: string): Promise<void> {
    return this.#oneByOne(async () => this.#journal?.writeRemarks?.(text));
  }

  close(): Promise<void> {
    return this.#oneByOne(async () => {
      this.#closed = true;
      clearTimeout(this.#retry);
      if (this.#journal === undefined && this.#isOwed)
        await this.#make({ durable: true }).catch(() => undefined);
      await this.#journal?.close();
    });
  }

  /** The disk may fail for an unknown time, so the memory used for held records is limited. */
  #hold(record: ConversationRecord): void {
    if (this.#dropped !== undefined) return;
    const length = JSON.stringify(record).length;
    this.#heldLength += length;
    if (this.#heldLength <= maxWaiting) this.#held.set(record, length);
    else this.#dropped = tooMuchWaits();
  }

  /** Whether a file was needed but could not be created. */
  get #isOwed(): boolean {
    return this.#reason !== undefined && (this.#held.size > 0 || hasContent(this.#unsent));
  }

  /** The change store of the file. @throws with the reason if there is none. */
  #changeStore(): Promise<ChangeStore> {
    return this.#oneByOne(async () => {
      if (this.#journal === undefined) await this.#make({ durable: false });
      if (this.#journal?.changes === undefined) throw this.#reason ?? unsaved(undefined);
      return this.#journal.changes;
    });
  }

  /** Creates the file and writes what was held. The journal itself retries writes that fail. */
  async #make({ durable }: { durable: boolean }): Promise<void> {
    const journal = await this.#create(this.id, () => this.isTask).catch((error: unknown) => {
      this.#reason = unsaved(error instanceof StoreError ? error.cause : error);
      this.#retryLater();
      this.#changes.fire();
      throw this.#reason;
    });
    this.#journal = journal;
    journal.onUnsaved?.(() => this.#changes.fire());
    journal.onAskedFor?.(() => this.#requests.fire());
    if (this.#reason !== undefined || journal.unsaved !== undefined) this.#changes.fire();
    const held = [...this.#held.keys()];
    this.#held.clear();
    this.#heldLength = 0;
    const saved = held.map((record, at) =>
      journal.append(record, { durable: durable && at === held.length - 1 }),
    );
    if (hasContent(this.#unsent)) saved.push(journal.writeUnsent(this.#unsent));
    const failed = (await Promise.allSettled(saved)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }

  #retryLater(): void {
    clearTimeout(this.#retry);
    if (this.#closed || !this.#isOwed) return;
    this.#retry = setTimeout(() => {
      const made = this.#oneByOne(async () => this.#journal ?? this.#make({ durable: true }));
      // The failure was reported already, and the next retry is scheduled.
      void made.catch(() => undefined);
    }, retryEvery).unref();
  }
}
