// The conversation on the table, with what lies around it: the draft and what is attached to it, questions that wait,
// what was chosen before the first word. It gets its file with its first word: opening the panel leaves nothing behind.
import type { Attachment } from "./conversation/attachment.ts";
import type { Choices } from "./conversation/record.ts";
import { emptyConversation } from "./conversation/reduce.ts";
import type { Conversation, Turn } from "./conversation/state.ts";
import type { ConversationJournal } from "./conversation-recorder.ts";
import { type DraftAttachmentNeeds, DraftAttachments } from "./draft-attachments.ts";
import type { LiveConversation } from "./live-conversation.ts";
import { PromptQueue } from "./prompt-queue.ts";
import { shownPrompt } from "./turn/commands.ts";
import type { Asked } from "./turn/question.ts";
import type { Outgoing } from "./turn/service-request.ts";
import { TypedDraft } from "./typed-draft.ts";
import { everyStep } from "./util/every-step.ts";
import { HumanError } from "./util/human-error.ts";
import type { Log } from "./util/log.ts";

export interface OpenConversationNeeds extends DraftAttachmentNeeds {
  readonly id: string;
  /** Absent while there is no file yet. */
  readonly journal: ConversationJournal | undefined;
  readonly draft: string;
  /** What was attached to it when it was kept last. */
  readonly attached: readonly Attachment[];
  create(id: string): Promise<ConversationJournal>;
  goLive(journal: ConversationJournal): LiveConversation;
  /** Words that were to be sent stand in the draft again. */
  putBack(words: string): void;
  model(): string;
  readonly log: Log;
}

type Chosen = Omit<Choices, "type" | "at">;
type RunTurn = (live: LiveConversation) => Promise<Turn | undefined>;

export class OpenConversation {
  readonly #needs: OpenConversationNeeds;
  readonly queue = new PromptQueue();
  readonly attachments: DraftAttachments;
  #journal: ConversationJournal | undefined;
  #live: LiveConversation | undefined;
  #creating: Promise<LiveConversation> | undefined;
  #chosen: Chosen = {};
  readonly #draft: TypedDraft;
  /** What is attached, as it lies on the disk. */
  #kept: string;
  #busy = false;
  #running: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(needs: OpenConversationNeeds) {
    this.#needs = needs;
    this.#journal = needs.journal;
    this.#live = needs.journal && needs.goLive(needs.journal);
    const save = () => this.#saveDraft();
    this.#draft = new TypedDraft({ ...needs, save }, needs.draft, needs.journal === undefined);
    this.attachments = new DraftAttachments({ ...needs, changed: () => this.#draftChanged() });
    // What waits beside the draft of another window is that window's to send.
    this.#kept = JSON.stringify(needs.attached);
    if (this.readOnly === undefined) for (const wish of needs.attached) this.attachments.add(wish);
  }

  get live(): LiveConversation | undefined {
    return this.#live;
  }

  get state(): Conversation {
    return this.#live?.state ?? emptyConversation(this.#needs.id);
  }

  get readOnly(): string | undefined {
    return this.#journal?.readOnly;
  }

  get repaired(): string | undefined {
    return this.#journal?.repaired;
  }

  /** Nothing runs or waits in it that reading it again would lose. */
  get isAtRest(): boolean {
    return !this.#busy && !this.#closed && this.queue.list.length === 0;
  }

  get draft(): string {
    return this.#draft.text;
  }

  get choices(): Chosen {
    return { ...this.#live?.choices, ...this.#chosen };
  }

  choose(chosen: Chosen): void {
    if (this.#live === undefined) this.#chosen = { ...this.#chosen, ...chosen };
    else this.#live.choose(chosen);
    this.#needs.changed();
  }

  setDraft(text: string): void {
    this.#draft.write(text);
  }

  /** The same conversation was read again: what a person has done here and not sent goes on in its place. */
  handOn(to: OpenConversation): void {
    if (this.#draft.isTyped) to.setDraft(this.draft);
    for (const wish of this.attachments.wishes) to.attachments.add(wish);
  }

  /** What the draft, or another question, would send now. */
  async preview(asked: Asked | undefined, signal: AbortSignal): Promise<Outgoing> {
    const draft = { prompt: this.draft, attachments: this.attachments.wishes };
    const live = await this.#ensureLive();
    return live.preview(asked ?? draft, this.#needs.model(), signal);
  }

  /** While a turn runs it waits in the queue. */
  send(asked: Asked): Promise<Turn | undefined> {
    if (!this.#busy) return this.#ask(asked);
    const id = this.#needs.newId();
    const answer = this.queue.add(id, asked);
    asked.signal?.addEventListener("abort", () => this.unqueue(id), { once: true });
    this.#needs.changed();
    return answer;
  }

  unqueue(id: string): void {
    this.queue.remove(id);
    this.#needs.changed();
  }

  /** The queue stands still after a turn that went wrong; this sends its first question. */
  sendQueued(): void {
    if (this.#busy) return;
    const next = this.queue.next();
    if (next === undefined) return;
    this.#needs.changed();
    this.#ask(next.asked).then(next.answer, (error: unknown) => {
      this.#needs.log.error("A turn could not be run.", error);
      next.answer(undefined);
    });
  }

  /** One turn at a time, and none once it is being closed. Where nothing comes of it, `unrun` is told. */
  async run(turn: RunTurn, unrun?: () => void): Promise<Turn | undefined> {
    if (this.#busy || this.#closed) {
      unrun?.();
      return undefined;
    }
    this.#busy = true;
    const running = this.#run(turn, unrun);
    this.#running = running.catch(() => {});
    let ran: Turn | undefined;
    try {
      ran = await running;
    } catch (error) {
      unrun?.();
      throw error;
    } finally {
      this.#busy = false;
    }
    if (ran?.status === "done" && !this.#closed) this.sendQueued();
    return ran;
  }

  async propose(turn: string, patch: string): Promise<string> {
    return (await this.#ensureLive()).propose(turn, patch);
  }

  async #run(turn: RunTurn, unrun: (() => void) | undefined): Promise<Turn | undefined> {
    const live = await this.#ensureLive();
    // Whatever was said would be gone with this window (requirements M8).
    if (this.readOnly !== undefined) throw new HumanError(this.readOnly);
    if (!this.#closed) return turn(live);
    unrun?.();
    return undefined;
  }

  /** Rejects with a sentence when what stands in the box would be lost by closing now. */
  async settleDraft(): Promise<void> {
    await this.#draft.save();
  }

  /** Puts it back on its shelf, with everything that was said in it and everything that was not sent yet. */
  async close(): Promise<void> {
    this.#draft.putBehind(this.queue.close());
    this.#closed = true;
    this.#draft.close();
    // What is only coming to be has to be closed, too.
    await this.#creating?.catch(() => {});
    await this.#draft.keep();
    const kept = this.draft;
    try {
      await this.#live?.close();
      await this.#running;
      // What waited for a yes, or had not begun yet, was put back just now.
      if (this.draft !== kept) await this.#draft.keep();
    } finally {
      await this.#live?.flush();
      await this.#journal?.close();
    }
  }

  edit(turn: string, prompt: string): Promise<Turn | undefined> {
    const unrun = () => this.#putBack({ prompt });
    return this.run((live) => live.edit(turn, prompt, this.#needs.model(), unrun), unrun);
  }

  #ask(asked: Asked): Promise<Turn | undefined> {
    const { signal } = asked;
    // What a person has taken back themselves is not put into their box.
    const unrun = () => {
      if (signal?.aborted !== true) this.#putBack(asked);
    };
    return this.run(async (live) => {
      if (signal?.aborted === true) return undefined;
      const stop = () => live.stop();
      signal?.addEventListener("abort", stop, { once: true });
      try {
        return await live.send(asked, this.#needs.model(), unrun);
      } finally {
        signal?.removeEventListener("abort", stop);
      }
    }, unrun);
  }

  /** A person decided not to send it; nothing of it is lost. */
  #putBack({ prompt, command, attachments = [] }: Asked): void {
    const words = shownPrompt(prompt, command, []);
    this.#draft.putBefore(words);
    for (const wish of attachments) this.attachments.add(wish);
    this.#needs.putBack(words);
    this.#draftChanged();
  }

  #ensureLive(): Promise<LiveConversation> {
    this.#creating ??= (async () => {
      this.#journal ??= await this.#needs.create(this.#needs.id);
      this.#live ??= this.#needs.goLive(this.#journal);
      if (Object.keys(this.#chosen).length > 0) this.#live.choose(this.#chosen);
      this.#chosen = {};
      return this.#live;
    })().catch((error: unknown) => {
      this.#creating = undefined;
      throw error;
    });
    return this.#creating;
  }

  #draftChanged(): void {
    this.#needs.changed();
    this.#draft.saveSoon();
  }

  async #saveDraft(): Promise<void> {
    const { small } = this.attachments;
    if (this.draft === "" && small.length === 0 && this.#live === undefined) return;
    await this.#ensureLive();
    // Whoever reads along keeps nothing in the conversation, and no draft but an own one.
    const isOurs = this.readOnly === undefined;
    await everyStep([
      () => isOurs && this.#keepAttached(small),
      () => (isOurs || this.#draft.isTyped) && this.#journal?.writeDraft(this.draft),
    ]);
  }

  async #keepAttached(wishes: readonly Attachment[]): Promise<void> {
    const text = JSON.stringify(wishes);
    if (text === this.#kept) return;
    await this.#journal?.writeAttached(wishes);
    this.#kept = text;
  }
}
