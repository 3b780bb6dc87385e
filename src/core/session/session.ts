// One conversation that is alive in this process, and all that can be done with it: the question that is being written, what
// waits behind it, what was chosen, the turn that runs. Pages, commands and the status bar talk to nothing else. It knows
// neither the editor nor who looks at it; whoever does hears of it by events.

import type { Outgoing } from "../api/request.ts";
import { type Waiting, waitingIn } from "../changes/pending-counts.ts";
import { errorLines } from "../checks/applied-errors.ts";
import type { Attachment } from "../conversation/attachment.ts";
import type { Content } from "../conversation/content.ts";
import type { Decision } from "../conversation/decision.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import type { QueuedPrompt } from "../conversation/page-list-schemas.ts";
import type { Problem, ProblemAction } from "../conversation/problem.ts";
import { type ConversationRecord, isEvent } from "../conversation/record.ts";
import type { SavedPrompt } from "../conversation/saved-prompt.ts";
import type { Conversation, Turn } from "../conversation/state.ts";
import { asking } from "../conversation/waiting-tools.ts";
import { guardFiles } from "../files/guarded-files.ts";
import { pathOf } from "../files/locate.ts";
import type { Message } from "../messages/message.ts";
import { MessageError } from "../messages/message-error.ts";
import { type ReadAttachment, readAttachment } from "../tools/read-attachment.ts";
import { fixErrorsPrompt, sendCurrentPrompt } from "../turn/prompts.ts";
import type { Asked } from "../turn/question-items.ts";
import { allCommands, shownPrompt } from "../turn/slash-commands.ts";
import type { Disposable } from "../util/disposables.ts";
import { Emitter } from "../util/emitter.ts";
import { openAllOrNothing } from "../util/open-all-or-nothing.ts";
import { tryAllSteps } from "../util/try-all-steps.ts";
import { Confirmations } from "./confirmations.ts";
import { PromptQueue } from "./prompt-queue.ts";
import type { ConversationJournal } from "./recorder.ts";
import { SessionChoices } from "./session-choices.ts";
import type { SessionContext } from "./session-context.ts";
import { SessionDraft } from "./session-draft.ts";
import type { AskOptions } from "./turn-runner.ts";
import { type Again, Turns } from "./turns.ts";
import { type Box, boxOf, type SentQuestion } from "./unsent.ts";

export interface SessionDeps extends SessionContext {
  /** As long as it is a task it has no tools. */
  readonly isBare: boolean;
  /** Of another conversation, for attachments; `undefined` when that is gone. */
  turnsOf(conversation: string): Promise<readonly Turn[] | undefined>;
  /** The same conversation once more, from where it is kept. */
  reopen(): Promise<ConversationJournal>;
}

export type TurnHistory = Pick<Turns, "keptOf" | "costOfGoingBack">;
export type SessionPatches = Pick<Turns, "propose" | "changes" | "checks" | "errors">;

/** What somebody who does not look at it has to know. */
export type SessionStatus = "running" | "needs-review" | "failed" | "idle";

type Ask = (turns: Turns, options: AskOptions) => Promise<Turn | undefined>;

export class Session {
  readonly id: string;
  /** The question that is being written. */
  readonly draft: SessionDraft;
  /** What was chosen for it. */
  readonly choices: SessionChoices;
  readonly #deps: SessionDeps;
  readonly #events = new Emitter<ConversationEvent>();
  readonly #remoteEvents = new Emitter<ConversationEvent>();
  readonly #changes = new Emitter<void>();
  readonly #rereadings = new Emitter<void>();
  readonly #putBacks = new Emitter<string>();
  readonly #queue = new PromptQueue();
  readonly #confirmations = new Confirmations(() => this.#changes.fire());
  #journal: ConversationJournal;
  #turns: Turns;
  /** What another window says in this conversation. */
  #following: Disposable | undefined;
  /** How often something was asked. */
  #asked = 0;
  /** A turn that runs, or is about to; it never rejects. */
  #running: Promise<unknown> | undefined;
  #stopping = new AbortController();
  /** It is asked for once, however often somebody says so meanwhile. */
  #compacting: Promise<Turn | undefined> | undefined;
  #closed = false;

  /** What happens in it here. */
  readonly onEvent = this.#events.on;
  /** What another window says in it, which is done and booked there. */
  readonly onRemoteEvent = this.#remoteEvents.on;
  /** Draft, model, attachments, queue, a choice, what is asked or whether something runs are different. */
  readonly onChange = this.#changes.on;
  /** All of it was read again: another window has gone on with it. */
  readonly onReread = this.#rereadings.on;
  /** Words that were not sent after all belong into the box again, before whatever stands there by now. */
  readonly onPutBack = this.#putBacks.on;

  constructor(deps: SessionDeps, journal: ConversationJournal, box: Box) {
    this.#deps = deps;
    this.id = journal.id;
    this.#journal = journal;
    this.#turns = this.#begin(journal);
    const changed = () => this.#changes.fire();
    this.choices = new SessionChoices({ ...deps, turns: () => this.#turns, changed });
    const { log, newId } = deps;
    const around = {
      log,
      newId,
      look: this.read,
      countTokens: (content: Content) => deps.countTokens(content, this.choices.model),
      journal: () => this.#journal,
      changed,
    };
    this.draft = new SessionDraft(around, box, journal.records.length === 0);
  }

  // What there is to see.

  get state(): Conversation {
    return this.#turns.state;
  }

  get status(): SessionStatus {
    const { turns } = this.state;
    if (turns.some((turn) => asking(turn).length > 0)) return "needs-review";
    if (this.isRunning) return "running";
    if (this.patches.changes.pending.length > 0) return "needs-review";
    const last = turns.at(-1)?.status;
    return last === "failed" || last === "interrupted" ? "failed" : "idle";
  }

  /** What an action of the editor has asked: it stands in no list as long as nobody goes on with it. */
  get isTask(): boolean {
    return this.#journal.isTask === true;
  }

  /** A turn runs, or is about to. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Why nothing can be asked in this conversation here. */
  get readOnly(): Message | undefined {
    return this.#journal.readOnly;
  }

  /** What was lost of it and what is left, where it had to be mended to be opened. */
  get repaired(): readonly Message[] {
    return this.#journal.repaired ?? [];
  }

  /** Why the latest of it is in memory only. */
  get unsaved(): Message | undefined {
    return this.#journal.unsaved;
  }

  /** What was asked while a turn was running. */
  get queue(): readonly QueuedPrompt[] {
    return this.#queue.list;
  }

  /** What it proposes for files and nobody has decided; nothing where nothing waits. */
  get waiting(): Waiting | undefined {
    const { folders } = this.#deps.workspace;
    return waitingIn(this.patches.changes, (file) => pathOf(file, folders));
  }

  /** What a person has to answer before something is sent; it is answered by `answer`. */
  get question(): Problem | undefined {
    return this.#confirmations.question;
  }

  /** Custom commands: ours, the user's, and the workspace's as they were when they were looked for last. */
  get commands(): readonly SavedPrompt[] {
    return allCommands(this.#deps.settings().prompts, this.#deps.prompts.list);
  }

  /** What an attachment would be if it was sent now. Nothing is sent. */
  readonly read = (wish: Attachment, signal: AbortSignal): Promise<ReadAttachment> => {
    const { workspace, settings, turnsOf, heldBack } = this.#deps;
    const files = guardFiles(workspace, () => settings().privacy, heldBack);
    return readAttachment(wish, { files, maxBytes: settings().attachmentBytes, turnsOf }, signal);
  };

  /** What the draft, or another question, would send now, attachments and all. Nothing is sent. */
  preview(asked: Asked | undefined, signal: AbortSignal): Promise<Outgoing> {
    const draft = { prompt: this.draft.text, attachments: this.draft.wishes };
    return this.#turns.requests.preview(asked ?? draft, this.choices.model, signal);
  }

  // Asking.

  /**
   * Asks, or lines up while a turn runs. Without attachments of its own it takes those of the draft. Resolves with the
   * turn once that has ended; without one when it was taken back. `onKept`: it is on the disk, and may leave the box.
   */
  send(wanted: Asked, onKept?: () => void): Promise<Turn | undefined> {
    const { attachments } = wanted;
    const taken = attachments && { wishes: attachments, small: attachments.filter(isByName) };
    const { wishes, small } = taken ?? this.draft.takeAttachments();
    const asked = { ...wanted, attachments: wishes };
    const turn = this.#deps.newId();
    const words = shownPrompt(asked.prompt, asked.command, []);
    const isSomething = words.trim() !== "" || wishes.length > 0;
    // Who asks on goes on with it.
    if (isSomething && this.state.turns.length > 0)
      this.continueInChat().catch((error: unknown) =>
        this.#deps.log.error("A task could not be put into the list.", error),
      );
    // Where it cannot be kept, the person is told so, and it goes on.
    if (isSomething && !this.#closed) void this.draft.hold({ turn, words, attached: small }).then(onKept);
    if (!this.isRunning) return this.#ask(asked, turn);
    const answer = this.#queue.add(turn, asked);
    asked.signal?.addEventListener("abort", () => this.unqueue(turn), { once: true });
    this.#changes.fire();
    return answer;
  }

  unqueue(id: string): void {
    this.#queue.remove(id);
    this.draft.release(id);
    this.#changes.fire();
  }

  /** The queue stands still after a turn that went wrong; this sends its first question. */
  sendQueued(): void {
    if (this.isRunning) return;
    const next = this.#queue.next();
    if (next === undefined) return;
    this.#changes.fire();
    this.#ask(next.asked, next.id).then(next.answer, (error: unknown) => {
      this.#deps.log.error("A turn could not be run.", error);
      next.answer(undefined);
    });
  }

  /** Asks again, or goes on, in this way: after the last turn, or in the place of the one that is named. */
  again(way: Again, turn?: string): Promise<Turn | undefined> {
    return this.#run((turns, options) => {
      if (way === "raise-limit") this.choices.doubleOutputLimit();
      return turns.again(way, options, turn);
    });
  }

  /** Asks the question of a turn again in other words; that turn and what followed it are given up. */
  edit(turn: string, prompt: string): Promise<Turn | undefined> {
    const unsent = () => this.#putBack({ prompt });
    return this.#run((turns, options) => turns.edit(turn, prompt, options, unsent), unsent);
  }

  /** Has all that was said summarized, once what is asked now has its response and a person has agreed to what that sends. */
  compact(): Promise<Turn | undefined> {
    this.#compacting ??= this.#compactNext().finally(() => {
      this.#compacting = undefined;
    });
    return this.#compacting;
  }

  async #compactNext(): Promise<Turn | undefined> {
    while (this.isRunning) await this.#running;
    return this.#run((turns, options) => turns.compact(options));
  }

  /** How many tokens the model takes, where the user or the service has said so. */
  get contextWindow(): number | undefined {
    return this.#turns.requests.window(this.choices.model);
  }

  /** What was stopped or has failed is left out of what is sent from now on. */
  async exclude(turn: string): Promise<void> {
    if (this.readOnly !== undefined) throw new MessageError(this.readOnly);
    if (!this.isRunning) await this.#turns.exclude(turn);
  }

  /** An edit that fitted when it was proposed and fits no more: the model is told what its files hold now. */
  async sendCurrent(call: string): Promise<Turn | undefined> {
    const parts = this.state.turns.flatMap((turn) => turn.parts);
    const patch = parts.find((part) => part.type === "patch" && part.call === call);
    if (patch?.type !== "patch" || patch.files.length === 0) return undefined;
    const attachments = patch.files.map(({ path }) => ({ kind: "file", path }) as const);
    return this.send({ prompt: sendCurrentPrompt, attachments });
  }

  /** Errors that came with an applied edit. */
  async fixErrors(call: string): Promise<Turn | undefined> {
    const errors = this.patches.errors.take(call);
    if (errors.length === 0) return undefined;
    const attachments = [{ kind: "text", name: "New errors", text: errorLines(errors) }] as const;
    return this.send({ prompt: fixErrorsPrompt, attachments });
  }

  /** Answers `question`; false when that was not asked. */
  answer(action: ProblemAction): boolean {
    return this.#confirmations.answer(action);
  }

  /** Answers a tool or a patch that asks; nothing happens when it does not. */
  decide(call: string, decision: Decision): void {
    this.#turns.decisions.decide(call, decision);
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** It is a conversation of the list from now on, with all that it holds. */
  async continueInChat(): Promise<void> {
    if (!this.isTask) return;
    await this.#journal.goOn?.();
    this.#changes.fire();
  }

  /** What is known of its turns: what went out in this window, and what the journal keeps. */
  get history(): TurnHistory {
    return this.#turns;
  }

  /** Patches of its turns, and those that a person made. */
  get patches(): SessionPatches {
    return this.#turns;
  }

  // Its end.

  /** Resolves when everything said so far is on the disk. */
  flush(): Promise<void> {
    return this.#turns.recorder.flush();
  }

  /** Puts it away, with everything that was said in it and everything that was not sent yet. */
  async close(): Promise<void> {
    this.#following?.dispose();
    this.#closed = true;
    const waiting = this.#queue.close();
    const words = waiting.map(({ asked: { prompt, command } }) => shownPrompt(prompt, command, []));
    this.draft.putBehind(
      words,
      waiting.flatMap(({ asked }) => asked.attachments ?? []),
    );
    for (const { id } of waiting) this.draft.release(id);
    this.draft.close();
    await this.draft.keep();
    const kept = this.draft.text;
    try {
      this.#turns.recorder.closing();
      this.stop();
      await this.#running;
      await this.#turns.close();
      // What waited for a yes, or had not begun yet, was put back just now.
      if (this.draft.text !== kept) await this.draft.keep();
    } finally {
      await this.#turns.recorder.flush();
      await this.#journal.close();
    }
  }

  #begin(journal: ConversationJournal): Turns {
    this.#following?.dispose();
    journal.onUnsaved?.(() => this.#changes.fire());
    const { ask } = this.#confirmations;
    const emit = (event: ConversationEvent) => {
      // From now on the journal has the question.
      if (event.type === "started") this.draft.release(event.turn);
      this.#events.fire(event);
    };
    const hold = (question: SentQuestion) => this.draft.hold(question);
    const isBare = () => this.#deps.isBare && this.isTask;
    const turns = new Turns({ ...this.#deps, journal, isBare, ask, hold, emit });
    turns.changes.onDidChange(() => this.#changes.fire());
    turns.checks?.onDidChange(() => this.#changes.fire());
    turns.errors.onDidChange(() => this.#changes.fire());
    this.#following = journal.onRemoteChange?.((change) =>
      change === "anew" ? this.#beginAnew() : this.#hear(change, turns),
    );
    return turns;
  }

  #hear(records: readonly ConversationRecord[], turns: Turns): void {
    turns.recorder.hear(records);
    const events = records.filter(isEvent);
    for (const event of events) this.#remoteEvents.fire(event);
    if (events.length < records.length || events.some((event) => !("delta" in event))) this.#changes.fire();
  }

  #beginAnew(): void {
    const isAtRest = !this.isRunning && !this.#closed && this.queue.length === 0;
    if (!isAtRest) this.#changes.fire();
    else
      this.#reread().catch((error: unknown) =>
        this.#deps.log.error("What another window has said could not be read.", error),
      );
  }

  /** What a person has done here and not sent stays. */
  async #reread(): Promise<void> {
    const asked = this.#asked;
    const journal = await this.#deps.reopen();
    const box = await readBox(journal);
    // What was asked meanwhile stands in the journal that there was, and the other one knows nothing of it.
    if (this.#closed || this.#asked !== asked) return journal.close();
    const [turns, before] = [this.#turns, this.#journal];
    this.#journal = journal;
    this.#turns = this.#begin(journal);
    this.draft.reread(box);
    this.#rereadings.fire();
    this.#changes.fire();
    await tryAllSteps([() => turns.close(), () => before.close()]);
  }

  #ask(asked: Asked, turn: string): Promise<Turn | undefined> {
    const { signal } = asked;
    // What a person has taken back themselves is not put into their box.
    const unsent = () => {
      if (signal?.aborted !== true) this.#putBack(asked);
      this.draft.release(turn);
    };
    const send: Ask = (turns, options) => turns.send(asked, options, { turn, kept: unsent });
    return this.#run(send, unsent, signal);
  }

  /** One turn at a time, and none once it is being closed. Where nothing comes of it, `unsent` is told. */
  async #run(ask: Ask, unsent?: () => void, stop?: AbortSignal): Promise<Turn | undefined> {
    if (this.isRunning || this.#closed) {
      unsent?.();
      return undefined;
    }
    // Whatever was said would be gone with this window (requirements M8).
    if (this.readOnly !== undefined) {
      unsent?.();
      throw new MessageError(this.readOnly);
    }
    this.#asked += 1;
    this.#stopping = new AbortController();
    const signals = [this.#stopping.signal, ...(stop === undefined ? [] : [stop])];
    const running = ask(this.#turns, { model: this.choices.model, signal: AbortSignal.any(signals) });
    this.#running = running.catch(() => {});
    let turn: Turn | undefined;
    try {
      turn = await running;
    } catch (error) {
      unsent?.();
      throw error;
    } finally {
      this.#running = undefined;
      this.#changes.fire();
    }
    if (turn?.status === "done" && !this.#closed) this.sendQueued();
    return turn;
  }

  /** A person decided not to send it; nothing of it is lost. */
  #putBack({ prompt, command, attachments = [] }: Asked): void {
    const words = shownPrompt(prompt, command, []);
    this.draft.putBefore(words, attachments);
    this.#putBacks.fire(words);
  }
}

/** What stands in the box of a conversation that is opened; where that cannot be read, nobody has it, and it is closed. */
export const readBox = (journal: ConversationJournal): Promise<Box> =>
  openAllOrNothing(async (own) => {
    own({ dispose: () => journal.close() });
    const saved = await journal.readUnsent();
    // What another window has sent is on its way there.
    return journal.readOnly === undefined ? boxOf(saved, journal.records) : { ...saved, saved };
  });

/** What it holds is read when it is sent: nothing of it has to be kept until then. */
const isByName = (wish: Attachment): boolean => !("text" in wish || "url" in wish);
