// The question that is being written in one conversation: its words, what is attached to them, and how both are saved a
// moment after they changed. Whether the words were written here or only read is remembered, because a draft that was only
// read is somebody else's to keep.
import type { Attachment, DraftAttachment } from "../conversation/attachment.ts";
import type { Content } from "../conversation/content.ts";
import { everyStep } from "../util/every-step.ts";
import type { Log } from "../util/log.ts";
import { type DraftAttachmentDeps, DraftAttachments, type DraftPart } from "./draft-attachments.ts";
import type { ConversationJournal } from "./recorder.ts";

export interface SessionDraftDeps extends Omit<DraftAttachmentDeps, "changed"> {
  /** Where it is kept by now. */
  journal(): Pick<ConversationJournal, "readOnly" | "writeDraft" | "writeAttached">;
  changed(): void;
  readonly log: Log;
}

/** Words and things that were not sent. */
export interface Unsent {
  readonly text: string;
  readonly attached: readonly Attachment[];
}

const delay = 500;
const retryEvery = 5000;

export class SessionDraft {
  readonly #deps: SessionDraftDeps;
  readonly #attachments: DraftAttachments;
  #text: string;
  #isTyped: boolean;
  /** What is attached, as it lies on the disk. */
  #savedAttachments: string;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  /** Why it is not saved, as the log knows it. */
  #told: string | undefined;

  constructor(deps: SessionDraftDeps, { text, attached }: Unsent, isTyped: boolean) {
    this.#deps = deps;
    this.#text = text;
    this.#isTyped = isTyped;
    this.#attachments = new DraftAttachments({ ...deps, changed: () => this.#changed() });
    this.#savedAttachments = JSON.stringify(attached);
    this.#take(attached);
  }

  get text(): string {
    return this.#text;
  }

  get isEmpty(): boolean {
    return this.#text === "" && this.#attachments.wishes.length === 0;
  }

  /** What will go out with the question. */
  get attachments(): readonly DraftAttachment[] {
    return this.#attachments.list;
  }

  /** What is attached, one by one, as far as it was looked at. */
  get parts(): readonly DraftPart[] {
    return this.#attachments.parts;
  }

  /** All of it, as it would be sent. */
  get contents(): readonly Content[] {
    const text = this.#text.trim() === "" ? [] : [{ kind: "text", text: this.#text } as const];
    return [...this.parts.map(({ content }) => content), ...text];
  }

  get wishes(): readonly Attachment[] {
    return this.#attachments.wishes;
  }

  write(text: string): void {
    this.#text = text;
    this.#isTyped = true;
    this.#saveSoon();
    this.#deps.changed();
  }

  attach(wish: Attachment): void {
    this.#attachments.add(wish);
  }

  detach(id: string): void {
    this.#attachments.remove(id);
  }

  /** What is attached goes out now. */
  takeAttachments(): readonly Attachment[] {
    return this.#attachments.take();
  }

  /** Words that were not sent after all, and what belonged to them. */
  putBefore(words: string, wishes: readonly Attachment[]): void {
    this.#join([words, this.#text]);
    for (const wish of wishes) this.#attachments.add(wish);
    this.#changed();
  }

  putBehind(words: readonly string[]): void {
    if (words.length > 0) this.#join([this.#text, ...words]);
  }

  /** The same draft was read again: what a person has written here stays. */
  reread({ text, attached }: Unsent): void {
    if (!this.#isTyped) this.#text = text;
    this.#take(attached);
  }

  /** Rejects with a sentence when the disk does not take it. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const journal = this.#deps.journal();
    // Whoever reads along keeps nothing in the conversation, and no draft but an own one.
    const isOurs = journal.readOnly === undefined;
    await everyStep([
      () => isOurs && this.#saveAttachments(this.#attachments.small),
      () => (isOurs || this.#isTyped) && journal.writeDraft(this.#text),
    ]);
  }

  /** A draft that no disk takes holds up nothing else. */
  async keep(): Promise<void> {
    try {
      await this.save();
      this.#told = undefined;
    } catch (error) {
      if (String(error) !== this.#told) this.#deps.log.error("The draft could not be saved.", error);
      this.#told = String(error);
      if (!this.#closed) this.#timer ??= setTimeout(() => void this.keep(), retryEvery).unref();
    }
  }

  /** From here on it is saved only when it is asked for. */
  close(): void {
    this.#closed = true;
  }

  /** What waits beside the draft of another window is that window's to send. */
  #take(attached: readonly Attachment[]): void {
    if (this.#deps.journal().readOnly === undefined) for (const wish of attached) this.#attachments.add(wish);
  }

  #changed(): void {
    this.#deps.changed();
    this.#saveSoon();
  }

  #saveSoon(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#deps.changed();
      void this.keep();
    }, delay);
  }

  #join(texts: readonly string[]): void {
    this.#text = texts.filter((text) => text !== "").join("\n\n");
    this.#isTyped = true;
  }

  async #saveAttachments(wishes: readonly Attachment[]): Promise<void> {
    const text = JSON.stringify(wishes);
    if (text === this.#savedAttachments) return;
    await this.#deps.journal().writeAttached(wishes);
    this.#savedAttachments = text;
  }
}
