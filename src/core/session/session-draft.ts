// The question that is being written in one conversation: its words, what is attached to them, and how both are saved a
// moment after they changed. What has left the box stays with it, saved at once, until a turn has it. Whether the words were
// written here or only read is remembered, because a draft that was only read is somebody else's to keep.
import type { Attachment, DraftAttachment } from "../conversation/attachment.ts";
import { type CleanContent, verbatim } from "../conversation/content.ts";
import { inOrder } from "../util/in-order.ts";
import type { Log } from "../util/log.ts";
import { type DraftAttachmentDeps, DraftAttachments, type DraftPart } from "./draft-attachments.ts";
import type { ConversationJournal } from "./recorder.ts";
import { type Box, joinWords, type SentQuestion, type Unsent } from "./unsent.ts";

export interface SessionDraftDeps extends Omit<DraftAttachmentDeps, "changed"> {
  /** Where it is kept by now. */
  journal(): Pick<ConversationJournal, "readOnly" | "writeUnsent">;
  changed(): void;
  readonly log: Log;
}

const delay = 500;
const retryEvery = 5000;

export class SessionDraft {
  readonly #deps: SessionDraftDeps;
  readonly #attachments: DraftAttachments;
  #text: string;
  #isTyped: boolean;
  /** They have left the box, and are in no turn yet. */
  #sent: readonly SentQuestion[] = [];
  /** What lies on the disk. */
  readonly #saved: { text: string; attached: string; sent: string };
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  readonly #one = inOrder();
  /** Why it is not saved, as the log knows it. */
  #logged: string | undefined;

  constructor(deps: SessionDraftDeps, { text, attached, saved }: Box, isTyped: boolean) {
    this.#deps = deps;
    this.#text = text;
    this.#isTyped = isTyped;
    this.#attachments = new DraftAttachments({ ...deps, changed: () => this.#changed() });
    this.#saved = spelled(saved);
    this.#take(attached);
    // What was on its way is in the box or in a turn by now.
    if (saved.sent.length > 0) this.#saveSoon();
  }

  get text(): string {
    return this.#text;
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
  get contents(): readonly CleanContent[] {
    const text = this.#text.trim() === "" ? [] : [{ kind: "text", text: verbatim(this.#text) } as const];
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

  /** What is attached goes out now. Answers all of it, and what may be kept of it until then. */
  takeAttachments(): { readonly wishes: readonly Attachment[]; readonly small: readonly Attachment[] } {
    const { small } = this.#attachments;
    return { wishes: this.#attachments.take(), small };
  }

  /** It has left the box. Resolves when it is on the disk, or the log says why it is not. */
  hold(question: SentQuestion): Promise<void> {
    this.#sent = [...this.#sent, question];
    return this.keep();
  }

  /** A turn has it, or nobody wants it any more. */
  release(turn: string): void {
    if (!this.#sent.some((each) => each.turn === turn)) return;
    this.#sent = this.#sent.filter((each) => each.turn !== turn);
    this.#saveSoon();
  }

  /** Words that were not sent after all, and what belonged to them. */
  putBefore(words: string, wishes: readonly Attachment[]): void {
    this.#join([words, this.#text]);
    for (const wish of wishes) this.#attachments.add(wish);
    this.#changed();
  }

  /** What waited in line when all of it ends. */
  putBehind(words: readonly string[], wishes: readonly Attachment[]): void {
    if (words.length > 0) this.#join([this.#text, ...words]);
    for (const wish of wishes) this.#attachments.add(wish);
  }

  /** The same draft was read again: what a person has written here stays. */
  reread({ text, attached, saved }: Box): void {
    if (!this.#isTyped) this.#text = text;
    Object.assign(this.#saved, spelled(saved));
    this.#take(attached);
    if (saved.sent.length > 0) this.#saveSoon();
  }

  /** Rejects with a sentence when the disk does not take it. */
  save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // What lies on the disk is known only once it does.
    return this.#one(() => this.#write());
  }

  async #write(): Promise<void> {
    const journal = this.#deps.journal();
    const text = this.#text;
    // Whoever reads along keeps nothing in the conversation, and no draft but an own one.
    if (journal.readOnly !== undefined) {
      if (this.#isTyped) await journal.writeUnsent({ text });
      return;
    }
    const unsent = { text, attached: this.#attachments.small, sent: this.#sent };
    const [now, saved] = [spelled(unsent), this.#saved];
    await journal.writeUnsent({
      ...(now.text !== saved.text && { text }),
      ...(now.attached !== saved.attached && { attached: unsent.attached }),
      ...(now.sent !== saved.sent && { sent: unsent.sent }),
    });
    Object.assign(saved, now);
  }

  /** Rejects with a sentence when what stands in the box would be lost by closing now. */
  settle(): Promise<void> {
    const isEmpty = this.#text === "" && this.wishes.length === 0;
    return isEmpty ? this.keep() : this.save();
  }

  /** A draft that no disk takes holds up nothing else. */
  async keep(): Promise<void> {
    try {
      await this.save();
      this.#logged = undefined;
    } catch (error) {
      if (String(error) !== this.#logged) this.#deps.log.error("The draft could not be saved.", error);
      this.#logged = String(error);
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
    this.#text = joinWords(texts);
    this.#isTyped = true;
  }
}

const spelled = ({ text, attached, sent }: Unsent) => ({
  text,
  attached: JSON.stringify(attached),
  sent: JSON.stringify(sent),
});
