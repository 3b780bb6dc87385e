// A conversation whose file could not be made when it began. It goes on in memory, every attempt to save it says why it
// is not saved, and each is another attempt to make the file, as the clock is: once there is one, all that was said is in it.

import { type ConversationRecord, remaining } from "../conversation/record.ts";
import type { Message } from "../messages/message.ts";
import { mostWaiting } from "../store/journal-writer.ts";
import { StoreError, tooMuchWaits, unsaved } from "../store/store-error.ts";
import { Emitter } from "../util/emitter.ts";
import { inOrder } from "../util/in-order.ts";
import type { ConversationJournal } from "./recorder.ts";
import { nothingUnsent, saysSomething, type Unsent } from "./unsent.ts";

type Make = () => Promise<ConversationJournal>;

const retryEvery = 5000;

export class RetryingJournal implements ConversationJournal {
  readonly id: string;
  readonly records = [];
  readonly #make: Make;
  readonly #oneByOne = inOrder();
  #held: ConversationRecord[] = [];
  /** How long what is held is, as JSON. */
  #heldLength = 0;
  /** Something was dropped: said as long as this window knows of it, whatever is saved later. */
  #dropped: StoreError | undefined;
  #unsent = nothingUnsent;
  #journal: ConversationJournal | undefined;
  #reason: StoreError;
  readonly #changes = new Emitter<void>();
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  /** `cause`: why it could not be made. */
  constructor(id: string, make: Make, cause: unknown) {
    this.id = id;
    this.#make = make;
    this.#reason = reasonOf(cause);
  }

  get unsaved(): Message | undefined {
    if (this.#dropped !== undefined) return this.#dropped.said;
    if (this.#journal !== undefined) return this.#journal.unsaved;
    return this.#isWanted ? this.#reason.said : undefined;
  }

  readonly onUnsaved = this.#changes.on;

  readonly checkpoints: NonNullable<ConversationJournal["checkpoints"]> = {
    take: async (taking) =>
      (await this.#journal?.checkpoints?.take(taking)) ?? { kept: false, reason: this.#reason },
    settle: async (...settled) => {
      if (this.#journal?.checkpoints === undefined) throw this.#reason;
      await this.#journal.checkpoints.settle(...settled);
    },
    find: (name) => this.#journal?.checkpoints?.find(name),
    bytes: async (blob) => this.#journal?.checkpoints?.bytes(blob),
  };

  goOn(): Promise<void> {
    return this.#oneByOne(async () => this.#journal?.goOn?.());
  }

  append(record: ConversationRecord, how: { durable: boolean }): Promise<void> {
    return this.#oneByOne(async () => {
      if (this.#journal !== undefined) return this.#journal.append(record, how);
      this.#hold(record);
      await this.#arrive(how);
    });
  }

  cutFrom(turn: string): Promise<void> {
    return this.#oneByOne(async () => {
      if (this.#journal !== undefined) return this.#journal.cutFrom(turn);
      const held = remaining([...this.#held, { type: "cut", turn, at: 0 }]);
      this.#held = [];
      this.#heldLength = 0;
      for (const record of held) this.#hold(record);
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
      if (saysSomething(changes)) await this.#arrive({ durable: true });
    });
  }

  close(): Promise<void> {
    return this.#oneByOne(async () => {
      this.#closed = true;
      clearTimeout(this.#retry);
      if (this.#journal === undefined && this.#isWanted)
        await this.#arrive({ durable: true }).catch(() => {});
      await this.#journal?.close();
    });
  }

  /** Nobody knows how long the disk will refuse; what memory holds for it has an end. */
  #hold(record: ConversationRecord): void {
    this.#heldLength += JSON.stringify(record).length;
    if (this.#dropped === undefined && this.#heldLength <= mostWaiting) this.#held.push(record);
    else this.#dropped ??= tooMuchWaits();
  }

  get #isWanted(): boolean {
    return this.#held.length > 0 || saysSomething(this.#unsent);
  }

  #retryLater(): void {
    clearTimeout(this.#retry);
    if (this.#closed) return;
    const retry = () => this.#oneByOne(async () => this.#journal ?? this.#arrive({ durable: true }));
    // It has said why: the next try is later still.
    this.#retry = setTimeout(() => void retry().catch(() => undefined), retryEvery).unref();
  }

  /** What the file does not take at once it tries again by itself. */
  async #arrive({ durable }: { durable: boolean }): Promise<void> {
    const journal = await this.#make().catch((error: unknown) => {
      this.#reason = reasonOf(error);
      this.#retryLater();
      this.#changes.fire();
      throw this.#reason;
    });
    this.#journal = journal;
    journal.onUnsaved?.(() => this.#changes.fire());
    this.#changes.fire();
    const held = this.#held.splice(0);
    this.#heldLength = 0;
    const saved = held.map((record, at) =>
      journal.append(record, { durable: durable && at === held.length - 1 }),
    );
    if (saysSomething(this.#unsent)) saved.push(journal.writeUnsent(this.#unsent));
    const failed = (await Promise.allSettled(saved)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }
}

const reasonOf = (cause: unknown): StoreError => unsaved(cause instanceof StoreError ? cause.cause : cause);
