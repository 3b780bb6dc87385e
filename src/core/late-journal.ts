// A conversation whose file could not be made when it began. It goes on in memory, every attempt to save it says why it
// is not saved, and each is another attempt to make the file: once there is one, all that was said is in it.
import type { Attachment } from "./conversation/attachment.ts";
import { type ConversationRecord, remaining } from "./conversation/record.ts";
import type { ConversationJournal } from "./conversation-recorder.ts";
import { StoreError, unsaved } from "./store/store-error.ts";
import { inOrder } from "./util/in-order.ts";

type Make = () => Promise<ConversationJournal>;

export class LateJournal implements ConversationJournal {
  readonly id: string;
  readonly records = [];
  readonly #make: Make;
  readonly #oneByOne = inOrder();
  #held: ConversationRecord[] = [];
  #draft = "";
  #attached: readonly Attachment[] = [];
  #journal: ConversationJournal | undefined;
  #reason: StoreError;

  /** `cause`: why it could not be made. */
  constructor(id: string, make: Make, cause: unknown) {
    this.id = id;
    this.#make = make;
    this.#reason = reasonOf(cause);
  }

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

  append(record: ConversationRecord, how: { durable: boolean }): Promise<void> {
    return this.#oneByOne(async () => {
      if (this.#journal !== undefined) return this.#journal.append(record, how);
      this.#held.push(record);
      await this.#arrive(how);
    });
  }

  cutFrom(turn: string): Promise<void> {
    return this.#oneByOne(async () => {
      if (this.#journal !== undefined) return this.#journal.cutFrom(turn);
      this.#held = remaining([...this.#held, { type: "cut", turn, at: 0 }]);
    });
  }

  async readDraft(): Promise<string> {
    return (await this.#journal?.readDraft()) ?? this.#draft;
  }

  writeDraft(text: string): Promise<void> {
    return this.#oneByOne(async () => {
      if (this.#journal !== undefined) return this.#journal.writeDraft(text);
      this.#draft = text;
      // An emptied draft needs no place.
      if (text !== "") await this.#arrive({ durable: true });
    });
  }

  async readAttached(): Promise<readonly Attachment[]> {
    return (await this.#journal?.readAttached()) ?? this.#attached;
  }

  writeAttached(wishes: readonly Attachment[]): Promise<void> {
    return this.#oneByOne(async () => {
      if (this.#journal !== undefined) return this.#journal.writeAttached(wishes);
      this.#attached = wishes;
      if (wishes.length > 0) await this.#arrive({ durable: true });
    });
  }

  close(): Promise<void> {
    return this.#oneByOne(async () => {
      const isWanted = this.#held.length > 0 || this.#draft !== "" || this.#attached.length > 0;
      if (this.#journal === undefined && isWanted) await this.#arrive({ durable: true }).catch(() => {});
      await this.#journal?.close();
    });
  }

  /** What the file does not take at once it tries again by itself. */
  async #arrive({ durable }: { durable: boolean }): Promise<void> {
    const journal = await this.#make().catch((error: unknown) => {
      this.#reason = reasonOf(error);
      throw this.#reason;
    });
    this.#journal = journal;
    const held = this.#held.splice(0);
    const saved = held.map((record, at) =>
      journal.append(record, { durable: durable && at === held.length - 1 }),
    );
    if (this.#draft !== "") saved.push(journal.writeDraft(this.#draft));
    if (this.#attached.length > 0) saved.push(journal.writeAttached(this.#attached));
    const failed = (await Promise.allSettled(saved)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }
}

const reasonOf = (cause: unknown): StoreError => unsaved(cause instanceof StoreError ? cause.cause : cause);
