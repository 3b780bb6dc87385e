// The question being written in one conversation: its text and attachments, saved shortly after each change. A sent
// question is kept here and saved at once until a turn contains it. Tracks whether the text was typed here or only
// read, because a draft that was only read is saved by another window.

import { type CleanContent, type ConversationRecord, verbatim } from "../../conversation/events.ts";
import type { Attachment, DraftAttachment } from "../../conversation/state.ts";
import { createMutex } from "../../util/concurrency.ts";
import { withRollback } from "../../util/disposables.ts";
import type { Log } from "../../util/log.ts";
import { shownPrompt } from "../slash-commands.ts";
import {
  type DraftAttachmentDeps,
  DraftAttachments,
  type DraftPart,
  keptUnread,
} from "./draft-attachments.ts";
import type { ConversationJournal } from "./recorder.ts";
import type { UserInput } from "./user-question.ts";

export interface SessionDraftDeps extends Omit<DraftAttachmentDeps, "changed"> {
  /** The current journal. */
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
  /** Questions that have left the box but are in no turn yet. */
  #sent: readonly SentQuestion[] = [];
  /** What is on the disk. */
  readonly #saved: { text: string; attached: string; sent: string };
  /** The questions that may be among the sent ones on the disk. */
  #keptAsSent: readonly SentQuestion[];
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  /** Whether another window may leave its text for this one just now. */
  #isAside = false;
  readonly #one = createMutex();
  /** The reason last logged for not being saved. */
  #logged: string | undefined;

  constructor(deps: SessionDraftDeps, { text, attached, saved }: DraftState, isTyped: boolean) {
    this.#deps = deps;
    this.#text = text;
    this.#isTyped = isTyped;
    this.#attachments = new DraftAttachments({ ...deps, changed: () => this.#changed() });
    this.#saved = spelled(saved);
    this.#keptAsSent = saved.sent;
    this.#take(attached);
    // Questions that had been sent are in the box or in a turn by now, so their file can be emptied.
    if (saved.sent.length > 0) this.#saveSoon();
  }

  get text(): string {
    return this.#text;
  }

  /** The attachments that go out with the question. */
  get attachments(): readonly DraftAttachment[] {
    return this.#attachments.list;
  }

  /** The attachments one by one, as far as they were read. */
  get parts(): readonly DraftPart[] {
    return this.#attachments.parts;
  }

  /** Everything, as it would be sent. */
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

  attach(spec: Attachment): void {
    this.#attachments.add(spec);
  }

  detach(id: string): void {
    this.#attachments.remove(id);
  }

  /**
   * Removes the attachments because they are sent now; a question with attachments of its own leaves them. Returns all
   * that are sent, and those that may be stored until then.
   */
  takeAttachments(own?: readonly Attachment[]): Record<"wishes" | "small", readonly Attachment[]> {
    if (own !== undefined) return { wishes: own, small: own.flatMap((spec) => keptUnread(spec) ?? []) };
    const { small } = this.#attachments;
    return { wishes: this.#attachments.take(), small };
  }

  /** Keeps a question that has left the box. Resolves when it is on the disk, or the log states why it is not. */
  hold(question: SentQuestion): Promise<void> {
    this.#sent = [...this.#sent, question];
    return this.keep();
  }

  /** A turn contains the question, or it is no longer wanted. */
  release(turn: string): void {
    if (!this.#sent.some((each) => each.turn === turn)) return;
    this.#sent = this.#sent.filter((each) => each.turn !== turn);
    this.#saveSoon();
  }

  /** Puts text that was not sent after all before the current text, with its attachments. */
  putBefore(words: string, wishes: readonly Attachment[]): void {
    this.#join([words, this.#text]);
    for (const spec of wishes) this.#attachments.add(spec);
    this.#changed();
  }

  /** Appends questions that waited behind a turn and are not sent after all. */
  putBehind(questions: readonly { readonly id: string; readonly asked: UserInput }[]): void {
    const words = questions.map(({ asked: { prompt, command } }) => shownPrompt(prompt, command, []));
    if (words.length > 0) this.#join([this.#text, ...words]);
    for (const { asked } of questions)
      for (const spec of asked.attachments ?? []) this.#attachments.add(spec);
    for (const { id } of questions) this.release(id);
  }

  /**
   * Updates the draft from a reread journal; text typed here is kept. `isTakenOver`: what another window has handed over
   * comes before it.
   */
  reread({ text, attached, saved }: DraftState, isTakenOver = false): void {
    const isOurs = [this.#text, this.#saved.text, ""].includes(text);
    if (!this.#isTyped) this.#text = text;
    else if (isTakenOver && !isOurs) this.#join([text, this.#text]);
    Object.assign(this.#saved, spelled(saved));
    this.#keptAsSent = saved.sent;
    this.#take(attached);
    if (saved.sent.length > 0) this.#saveSoon();
  }

  /** Rejects with a readable message if it cannot be saved. */
  save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // The saved state is known only after the previous write, so writes run one after the other.
    return this.#one(() => this.#write());
  }

  async #write(): Promise<void> {
    if (this.#isAside) return;
    const journal = this.#deps.journal();
    const text = this.#text;
    // A window that only reads along saves nothing in the conversation, except a draft typed there.
    if (journal.readOnly !== undefined) {
      if (!this.#isTyped) return;
      await journal.writeUnsent({ text });
      this.#saved.text = text;
      return;
    }
    const unsent = { text, attached: this.#attachments.small, sent: this.#sent };
    const [now, saved] = [spelled(unsent), this.#saved];
    const { sent } = unsent;
    // A question that goes back into the box stays among the sent ones until the box is on the disk, also while another
    // one leaves the box.
    const leaving = this.#keptAsSent.filter(({ turn }) => sent.every((each) => each.turn !== turn));
    const isSwap = sent.length > 0 && leaving.length > 0;
    this.#keptAsSent = [...leaving, ...sent];
    await journal.writeUnsent({
      ...(now.text !== saved.text && { text }),
      ...(now.attached !== saved.attached && { attached: unsent.attached }),
      ...(now.sent !== saved.sent && { sent: isSwap ? this.#keptAsSent : sent }),
    });
    if (isSwap) await journal.writeUnsent({ sent });
    this.#keptAsSent = sent;
    Object.assign(saved, now);
  }

  /** Rejects with a readable message if closing now would lose what is in the box. */
  settle(): Promise<void> {
    const isEmpty = this.#text === "" && this.wishes.length === 0;
    return isEmpty ? this.keep() : this.save();
  }

  /** A draft that cannot be saved must not block anything else. */
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

  /**
   * Saves everything for the window that continues the conversation; from then on the text counts as read here. Rejects
   * with a readable message if it cannot be saved.
   */
  async handOver(): Promise<void> {
    // That window may have saved a text of its own meanwhile.
    if (this.#text !== "") this.#saved.text = "";
    await this.save();
    this.#isTyped = false;
  }

  /** Saves what is here, and nothing while `work` runs: another window leaves its text, which must not be written over. */
  async aside(work: () => Promise<void>): Promise<void> {
    await this.keep();
    this.#isAside = true;
    try {
      // What had begun meanwhile.
      await this.#one(async () => {});
      await work();
    } finally {
      this.#isAside = false;
      this.#saveSoon();
    }
  }

  /** From now on it is saved only on request. */
  close(): void {
    this.#closed = true;
  }

  /** Attachments to the draft of another window are sent by that window. */
  #take(attached: readonly Attachment[]): void {
    if (this.#deps.journal().readOnly === undefined) for (const spec of attached) this.#attachments.add(spec);
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

/** A question that was sent but is in no turn yet. */
export interface SentQuestion {
  /** The id of its future turn. */
  readonly turn: string;
  readonly words: string;
  readonly attached: readonly Attachment[];
}

/**
 * What is stored beside a conversation without being part of it: the draft, and questions that have left the box but
 * are in no turn yet because they wait for a response or a confirmation. It is on the disk all the time.
 */
export interface Unsent {
  readonly text: string;
  readonly attached: readonly Attachment[];
  readonly sent: readonly SentQuestion[];
}

/** The draft of a conversation that is opened. */
export interface DraftState extends Pick<Unsent, "text" | "attached"> {
  /** What is on the disk. */
  readonly saved: Unsent;
}

export const nothingUnsent: Unsent = { text: "", attached: [], sent: [] };

/** Whether it contains anything to be saved. */
export const hasContent = ({ text = "", attached = [], sent = [] }: Partial<Unsent>): boolean =>
  text !== "" || attached.length + sent.length > 0;

/** Puts sent questions without a turn in the journal back into the draft. */
export function draftStateOf(saved: Unsent, records: readonly ConversationRecord[]): DraftState {
  const { text, attached, sent } = saved;
  const isAsked = ({ turn }: SentQuestion) => records.some((record) => questionIn(record) === turn);
  const lost = sent.filter((each) => !isAsked(each));
  // They may have been saved as sent before the box was emptied.
  const missing = lost.map(({ words }) => words).filter((words) => !text.includes(words));
  return {
    text: joinWords([...missing, text]),
    attached: [...lost.flatMap((each) => each.attached), ...attached],
    saved,
  };
}

/** The id of the question that this record has put into the conversation. */
function questionIn(record: ConversationRecord): string | undefined {
  if (record.type === "started") return record.turn;
  if (record.type === "steered") return record.id;
  return record.type === "replay" ? record.steered?.id : undefined;
}

export const joinWords = (texts: readonly string[]): string =>
  texts.filter((text) => text !== "").join("\n\n");

/** Reads the draft of a conversation that is being opened. If it cannot be read, the journal is closed. */
export const readDraftState = (journal: ConversationJournal): Promise<DraftState> =>
  withRollback(async (own) => {
    own({ dispose: () => journal.close() });
    const saved = await journal.readUnsent();
    // What another window has sent is being handled there.
    return journal.readOnly === undefined ? draftStateOf(saved, journal.records) : { ...saved, saved };
  });
