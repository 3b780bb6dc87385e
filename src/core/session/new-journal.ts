// The journal of a conversation that begins here. It gets its file with the first word or draft: opening the chat leaves
// nothing behind, and what was chosen before is written first. That of a task which nothing can wait in gets one only when
// somebody goes on with it. Where the file cannot be made it goes on in memory: every attempt to save is another one to make
// it, as the clock is, and says why nothing is saved; once there is a file, all that was said is in it.

import type { ChangeStore } from "../changes/kept-changes.ts";
import { type ConversationRecord, remaining } from "../conversation/record.ts";
import type { Message } from "../messages/message.ts";
import { maxWaiting } from "../store/journal-writer.ts";
import { StoreError, tooMuchWaits, unsaved } from "../store/store-error.ts";
import { Emitter } from "../util/emitter.ts";
import { inOrder } from "../util/in-order.ts";
import type { ConversationStore } from "./conversation-store.ts";
import type { ConversationJournal } from "./recorder.ts";
import { nothingUnsent, saysSomething, type Unsent } from "./unsent.ts";

/** `bare`: a task without tools, kept nowhere as long as it is one. */
export type JournalKind = "chat" | "task" | "bare";

const retryEvery = 5000;

export class NewJournal implements ConversationJournal {
  readonly id: string;
  readonly records = [];
  readonly #create: ConversationStore["create"];
  readonly #oneByOne = inOrder();
  readonly #changes = new Emitter<void>();
  #kind: JournalKind;
  /** What is written first, once there is a file, with the length of each as JSON: measured once, since all may be megabytes. */
  readonly #held = new Map<ConversationRecord, number>();
  #heldLength = 0;
  #unsent = nothingUnsent;
  /** Something was dropped: said as long as this window knows of it, whatever is saved later. */
  #dropped: StoreError | undefined;
  /** Why there is no file, though one was wanted. */
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
      // What is left of it was held already, whatever was dropped behind it.
      const kept = new Set(remaining([...this.#held.keys(), { type: "cut", turn, at: 0 }]));
      for (const [record, length] of this.#held)
        if (!kept.has(record) && this.#held.delete(record)) this.#heldLength -= length;
    });
  }

  async readUnsent(): Promise<Unsent> {
    return (await this.#journal?.readUnsent()) ?? this.#unsent;
  }

  writeUnsent(changes: Partial<Unsent>): Promise<void> {
    return this.#oneByOne(async () => {
      if (this.#journal !== undefined) return this.#journal.writeUnsent(changes);
      this.#unsent = { ...this.#unsent, ...changes };
      // An emptied draft needs no place.
      const isWanted = this.#kind !== "bare" || this.#reason !== undefined;
      if (saysSomething(changes) && isWanted) await this.#make({ durable: true });
    });
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

  /** Nobody knows how long the disk will refuse; what memory holds for it has an end. */
  #hold(record: ConversationRecord): void {
    if (this.#dropped !== undefined) return;
    const length = JSON.stringify(record).length;
    this.#heldLength += length;
    if (this.#heldLength <= maxWaiting) this.#held.set(record, length);
    else this.#dropped = tooMuchWaits();
  }

  /** A file was wanted for it, and could not be made. */
  get #isOwed(): boolean {
    return this.#reason !== undefined && (this.#held.size > 0 || saysSomething(this.#unsent));
  }

  /** That of its file. @throws why there is none. */
  #changeStore(): Promise<ChangeStore> {
    return this.#oneByOne(async () => {
      if (this.#journal === undefined) await this.#make({ durable: false });
      if (this.#journal?.changes === undefined) throw this.#reason ?? unsaved(undefined);
      return this.#journal.changes;
    });
  }

  /** What the file does not take at once it tries again by itself. */
  async #make({ durable }: { durable: boolean }): Promise<void> {
    const journal = await this.#create(this.id, () => this.isTask).catch((error: unknown) => {
      this.#reason = unsaved(error instanceof StoreError ? error.cause : error);
      this.#retryLater();
      this.#changes.fire();
      throw this.#reason;
    });
    this.#journal = journal;
    journal.onUnsaved?.(() => this.#changes.fire());
    if (this.#reason !== undefined || journal.unsaved !== undefined) this.#changes.fire();
    const held = [...this.#held.keys()];
    this.#held.clear();
    this.#heldLength = 0;
    const saved = held.map((record, at) =>
      journal.append(record, { durable: durable && at === held.length - 1 }),
    );
    if (saysSomething(this.#unsent)) saved.push(journal.writeUnsent(this.#unsent));
    const failed = (await Promise.allSettled(saved)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }

  #retryLater(): void {
    clearTimeout(this.#retry);
    if (this.#closed || !this.#isOwed) return;
    this.#retry = setTimeout(() => {
      const made = this.#oneByOne(async () => this.#journal ?? this.#make({ durable: true }));
      // It has said why: the next try is later still.
      void made.catch(() => undefined);
    }, retryEvery).unref();
  }
}
