// The journal of a conversation in which nothing was said yet. It gets its file with its first word or draft: opening the
// chat leaves nothing behind. What was chosen before that is written first. That of a task which nothing can wait in gets
// its file only when somebody goes on with it.

import { type ConversationRecord, remaining } from "../conversation/record.ts";
import type { Message } from "../messages/message.ts";
import { unsaved } from "../store/store-error.ts";
import { Emitter } from "../util/emitter.ts";
import type { ConversationStore } from "./conversation-store.ts";
import type { ConversationJournal } from "./recorder.ts";
import { nothingUnsent, saysSomething, type Unsent } from "./unsent.ts";

/** `bare`: a task without tools, kept nowhere as long as it is one. */
export type JournalKind = "chat" | "task" | "bare";

export class NewJournal implements ConversationJournal {
  readonly id: string;
  readonly records = [];
  readonly #create: ConversationStore["create"];
  /** What is written first, once there is a file. */
  #held: ConversationRecord[] = [];
  #kind: JournalKind;
  readonly #unsaved = new Emitter<void>();
  #creating: Promise<ConversationJournal> | undefined;
  #journal: ConversationJournal | undefined;

  constructor(id: string, create: ConversationStore["create"], kind: JournalKind = "chat") {
    this.id = id;
    this.#create = create;
    this.#kind = kind;
  }

  readonly checkpoints: NonNullable<ConversationJournal["checkpoints"]> = {
    // A patch is proposed by a turn, and a turn has begun the file.
    take: async (taking) => {
      const { checkpoints } = await this.#begin();
      return checkpoints?.take(taking) ?? { kept: false, reason: unsaved(undefined) };
    },
    settle: async (...settled) => (await this.#begin()).checkpoints?.settle(...settled),
    find: (name) => this.#journal?.checkpoints?.find(name),
    bytes: async (blob) => this.#journal?.checkpoints?.bytes(blob),
  };

  get readOnly(): Message | undefined {
    return this.#journal?.readOnly;
  }

  get unsaved(): Message | undefined {
    return this.#journal?.unsaved;
  }

  readonly onUnsaved = this.#unsaved.on;

  get isTask(): boolean {
    return this.#kind !== "chat";
  }

  async goOn(): Promise<void> {
    if (!this.isTask) return;
    this.#kind = "chat";
    if (this.#creating === undefined) await this.#begin();
    else await (await this.#creating).goOn?.();
  }

  async append(record: ConversationRecord, how: { durable: boolean }): Promise<void> {
    if (this.#creating === undefined && (record.type === "choices" || this.#kind === "bare")) {
      this.#held.push(record);
      return;
    }
    await (await this.#begin()).append(record, how);
  }

  async cutFrom(turn: string): Promise<void> {
    this.#held = remaining([...this.#held, { type: "cut", turn, at: 0 }]);
    await this.#journal?.cutFrom(turn);
  }

  async readUnsent(): Promise<Unsent> {
    return (await this.#journal?.readUnsent()) ?? nothingUnsent;
  }

  async writeUnsent(changes: Partial<Unsent>): Promise<void> {
    if ((saysSomething(changes) && this.#kind !== "bare") || this.#creating !== undefined)
      await (await this.#begin()).writeUnsent(changes);
  }

  async close(): Promise<void> {
    // What is only coming to be has to be closed, too.
    await this.#creating?.catch(() => undefined);
    await this.#journal?.close();
  }

  #begin(): Promise<ConversationJournal> {
    this.#creating ??= this.#make().catch((error: unknown) => {
      this.#creating = undefined;
      throw error;
    });
    return this.#creating;
  }

  async #make(): Promise<ConversationJournal> {
    const journal = await this.#create(this.id, () => this.isTask);
    this.#journal = journal;
    journal.onUnsaved?.(() => this.#unsaved.fire());
    if (journal.unsaved !== undefined) this.#unsaved.fire();
    const held = this.#held.splice(0).map((record) => journal.append(record, { durable: false }));
    await Promise.all(held);
    return journal;
  }
}
