// One conversation that is alive in this process, and everything that can be done with it: draft, queue, choices, the
// running turn. Pages, commands and the status bar use only this. It knows neither the editor nor its observers, which
// are informed by events.

import type { Waiting } from "../changes/pending-changes.ts";
import type { ReverseOutcome } from "../changes/proposal.ts";
import { MessageError } from "../conversation/english.ts";
import type { Content, ConversationEvent, ConversationRecord, Decision } from "../conversation/events.ts";
import { type Message, message } from "../conversation/messages.ts";
import type { ProblemAction } from "../conversation/problem.ts";
import type {
  Attachment,
  Conversation,
  Delivery,
  PlanEdit,
  QueuedPrompt,
  RewindScope,
  Turn,
} from "../conversation/state.ts";
import type { Outgoing } from "../service/request.ts";
import type { ReadAttachment } from "../tools/read-attachment.ts";
import { type Disposable, runAll } from "../util/disposables.ts";
import { Emitter } from "../util/emitter.ts";
import { present } from "../util/present.ts";
import { type AdoptOptions, adopt, pointOf } from "./internal/adopt-turn.ts";
import { type Ask, answerOpen, compact, edit, type RetryMode, retry } from "./internal/ask-again.ts";
import type { SessionDeps } from "./internal/build-request.ts";
import { ConversationState, type SessionStatus } from "./internal/conversation-state.ts";
import { hear } from "./internal/follow-other-window.ts";
import { PromptQueue } from "./internal/prompt-queue.ts";
import type { ConversationJournal } from "./internal/recorder.ts";
import { rewind } from "./internal/rewind.ts";
import { askQuestion } from "./internal/run-turn.ts";
import { SessionChoices } from "./internal/session-choices.ts";
import { type DraftState, readDraftState, SessionDraft } from "./internal/session-draft.ts";
import { SessionRemarks } from "./internal/session-remarks.ts";
import { TakeOver } from "./internal/take-over.ts";
import { breakingQuestion, errorsQuestion, filesQuestion, type UserInput } from "./internal/user-question.ts";
import type { SideOutcome, SidePoint } from "./side-turn.ts";
import { allCommands, type SavedPrompt, shownPrompt } from "./slash-commands.ts";
import { Confirmations, type OpenQuestion } from "./spend-guard.ts";

export class Session {
  readonly id: string;
  readonly draft: SessionDraft;
  /** Remarks about its proposals that are sent together. */
  readonly remarks: SessionRemarks;
  readonly choices: SessionChoices;
  readonly takeOver: TakeOver;
  readonly #deps: SessionDeps;
  readonly #events = new Emitter<ConversationEvent>();
  readonly #remoteEvents = new Emitter<ConversationEvent>();
  readonly #changes = new Emitter<void>();
  readonly #rereadings = new Emitter<void>();
  readonly #putBacks = new Emitter<string>();
  readonly #queue = new PromptQueue(() => this.#changes.fire());
  readonly #confirmations = new Confirmations(() => this.#changes.fire());
  #journal: ConversationJournal;
  #conversation: ConversationState;
  /** Subscriptions to what other windows change, and to their requests for the conversation. */
  #otherWindows: readonly (Disposable | undefined)[] = [];
  /** How many times a question was asked. */
  #asked = 0;
  /** The turn that runs or is about to; never rejects. */
  #running: Promise<unknown> | undefined;
  /** The last rereading after another window has written; never rejects. */
  #rereading: Promise<void> | undefined;
  #stopping = new AbortController();
  /** Shared by all callers that ask for a summary before it has started. */
  #compacting: Promise<Turn | undefined> | undefined;
  #closed = false;
  #beforeHandOver: readonly (() => Promise<void>)[] = [];

  /** Events that happen in this window. */
  readonly onEvent = this.#events.on;
  /** Events of another window, where they are also acted on and billed. */
  readonly onRemoteEvent = this.#remoteEvents.on;
  /** Fires when the draft, model, attachments, queue, a choice, the open question or the running state changes. */
  readonly onChange = this.#changes.on;
  /** Fires when the conversation was reread because another window has continued it. */
  readonly onReread = this.#rereadings.on;
  /** Fires with text that was not sent after all, which goes back into the box before the current text. */
  readonly onPutBack = this.#putBacks.on;

  constructor(deps: SessionDeps, journal: ConversationJournal, box: DraftState) {
    this.#deps = deps;
    this.id = journal.id;
    this.#journal = journal;
    const changed = () => this.#changes.fire();
    this.takeOver = new TakeOver({
      ...{ log: deps.log, changed, journal: () => this.#journal },
      windUp: async () => {
        // What they have still belongs to the conversation, which is written here until it is handed over.
        await Promise.all(this.#beforeHandOver.map((save) => save()));
        await this.#windUp();
        this.draft.putBehind(this.#queue.close());
        await this.draft.handOver();
        await this.flush();
      },
      reread: () => this.#reread(),
      aside: (work) => this.draft.aside(work),
      rereading: () => this.#rereading,
    });
    this.#conversation = this.#begin(journal);
    this.choices = new SessionChoices({ ...deps, conversation: () => this.#conversation, changed });
    const { log, newId } = deps;
    const countTokens = (content: Content) => deps.countTokens(content, this.choices.model);
    const around = { log, newId, look: this.read, countTokens, journal: () => this.#journal, changed };
    this.draft = new SessionDraft(around, box, journal.records.length === 0);
    this.remarks = new SessionRemarks({ log, changed, journal: () => this.#journal });
  }

  // Queries.

  get state(): Conversation {
    return this.#conversation.state;
  }

  get status(): SessionStatus {
    return this.#conversation.statusOf(this.isRunning);
  }

  /** Whether it was started by an editor action. A task is in no list until somebody continues it. */
  get isTask(): boolean {
    return this.#journal.isTask === true;
  }

  /** Whether a turn runs or is about to. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Whether anything may begin in this conversation in this window now. */
  get mayBegin(): boolean {
    return !this.#closed && !this.takeOver.isHandingOver && this.readOnly === undefined;
  }

  /** Why nothing can be asked in this conversation in this window. */
  get readOnly(): Message | undefined {
    return this.#journal.readOnly;
  }

  /** What was lost and what remains, if the conversation had to be repaired to be opened. */
  get repaired(): readonly Message[] {
    return this.#journal.repaired ?? [];
  }

  /** Why the latest records are only in memory. */
  get unsaved(): Message | undefined {
    return this.#journal.unsaved;
  }

  /** What was said while a turn is running and has not reached the model. */
  get queue(): readonly QueuedPrompt[] {
    return this.#queue.list;
  }

  /** Counts of its pending changes; undefined if there are none. */
  get waiting(): Waiting | undefined {
    return this.#conversation.waiting;
  }

  /** The question a person has to answer before something is sent; see `answer`. */
  get question(): OpenQuestion | undefined {
    return this.#confirmations.question;
  }

  /** Custom commands: built-in ones, the user's, and those last found in the workspace. */
  get commands(): readonly SavedPrompt[] {
    return allCommands(this.#deps.settings().prompts, this.#deps.prompts.list);
  }

  /** Reads an attachment as it would be sent now. Nothing is sent. */
  readonly read = (spec: Attachment, signal: AbortSignal): Promise<ReadAttachment> =>
    this.#conversation.requests.readAttachment(spec, signal);

  /** The request the draft, or another question, would send now, with attachments. Nothing is sent. */
  preview(asked: UserInput | undefined, signal: AbortSignal): Promise<Outgoing> {
    const draft = { prompt: this.draft.text, attachments: this.draft.wishes };
    return this.#conversation.requests.preview(asked ?? draft, this.choices.model, signal);
  }

  // Asking.

  /**
   * Asks, or queues the question while a turn runs. Without own attachments it takes those of the draft. Resolves with
   * the turn once it has ended, or with undefined if the question was withdrawn or handed to the running turn.
   * `onKept`: the question is on the disk and may leave the box.
   */
  send(wanted: UserInput, onKept?: () => void): Promise<Turn | undefined> {
    const { wishes, small } = this.draft.takeAttachments(wanted.attachments);
    const asked = { ...wanted, attachments: wishes };
    const turn = this.#deps.newId();
    const words = shownPrompt(asked.prompt, asked.command, []);
    const isSomething = words.trim() !== "" || wishes.length > 0;
    // Asking another question continues a task as a conversation.
    if (isSomething && this.state.turns.length > 0)
      this.continueInChat().catch((error: unknown) =>
        this.#deps.log.error("A task could not be put into the list.", error),
      );
    // If the question cannot be saved, the person is told so, and it is sent anyway.
    if (isSomething && !this.#closed) void this.draft.hold({ turn, words, attached: small }).then(onKept);
    if (!this.isRunning) return this.#ask(asked, turn);
    const answer = this.#queue.add(turn, asked);
    asked.signal?.addEventListener("abort", () => this.unqueue(turn), { once: true });
    return answer;
  }

  unqueue(id: string): void {
    this.#queue.remove(id);
    this.draft.release(id);
  }

  /** Lets something queued reach the running turn, or wait until that has ended. */
  readonly deliver = (id: string, delivery: Delivery): void => this.#queue.deliver(id, delivery);

  /** Sends the first queued question. The queue stops after a turn that failed. */
  sendQueued(): void {
    if (this.isRunning) return;
    const next = this.#queue.next();
    if (next === undefined) return;
    this.#ask(next.asked, next.id).then(next.answer, (error: unknown) => {
      this.#deps.log.error("A turn could not be run.", error);
      next.answer(undefined);
    });
  }

  /** Asks again or continues in the given mode: after the last turn, or in place of the given one. */
  retry(way: RetryMode, turn?: string): Promise<Turn | undefined> {
    return this.#run((conversation, options) => {
      if (way === "raise-limit") this.choices.doubleOutputLimit();
      return retry(conversation, way, options, turn);
    });
  }

  /** Asks the question of a turn again in other words; that turn and everything after it is discarded. */
  edit(turn: string, prompt: string): Promise<Turn | undefined> {
    const asked = this.#deps.newId();
    const unsent = () => this.#putBackUnasked({ prompt }, asked);
    return this.#run(
      (conversation, options) => edit(conversation, turn, prompt, { ...options, turn: asked, kept: unsent }),
      unsent,
    );
  }

  /** Goes back to before this turn, whose question goes back into the box. Resolves with what became of the files. */
  async rewind(turn: string, scope: RewindScope): Promise<ReverseOutcome | undefined> {
    let became: ReverseOutcome | undefined;
    await this.#run(async (conversation) => {
      const { undone, question } = await rewind(conversation, turn, scope);
      became = undone;
      if (question !== undefined) this.#putBack(question);
      this.draft.release(turn);
      return undefined;
    });
    return became;
  }

  /** Summarizes the conversation, after the running turn has ended and a person has agreed to what that sends. */
  compact(): Promise<Turn | undefined> {
    const compactNext = async () => {
      while (this.isRunning) await this.#running;
      return this.#run(compact);
    };
    this.#compacting ??= compactNext().finally(() => {
      this.#compacting = undefined;
    });
    return this.#compacting;
  }

  /** Excludes a stopped or failed turn from future requests. */
  async exclude(turn: string): Promise<void> {
    if (this.readOnly !== undefined) throw new MessageError(this.readOnly);
    if (!this.isRunning) await this.#conversation.exclude(turn);
  }

  /** Sends the model the current files of an edit that no longer fits them. */
  async sendCurrent(call: string): Promise<Turn | undefined> {
    const asked = filesQuestion(this.state, call);
    return asked && this.send(asked);
  }

  /**
   * Sends what a person said about an edit they rejected. A running response receives it with its next request; if it
   * ends without one, or none runs, it becomes the next question. After a failed response nothing is sent
   * automatically.
   */
  async sendFeedback(words: string): Promise<Turn | undefined> {
    if (this.isRunning) {
      while (this.isRunning) await this.#running;
      if (this.state.turns.at(-1)?.status !== "done" || !(await this.#conversation.isUntold(words)))
        return undefined;
    }
    return this.#closed ? undefined : this.send({ prompt: words, attachments: [] });
  }

  /** Asks the model to fix errors that came with an applied edit. */
  async fixErrors(call: string): Promise<Turn | undefined> {
    const asked = errorsQuestion(this.patches.errors.take(call));
    return asked && this.send(asked);
  }

  /** Sends the model the changes that were found to break a check, with its output. */
  async sendBreaking(): Promise<Turn | undefined> {
    const { breaking } = this.patches;
    if (breaking?.state?.kind !== "found") return undefined;
    const asked = breakingQuestion(breaking.state.report);
    breaking.sent();
    return this.send(asked);
  }

  /** Answers the open question, if it is the one with this id; returns false if the action is not one of its choices. */
  answer(action: ProblemAction, question?: string): boolean {
    return this.#confirmations.answer(action, question);
  }

  /**
   * Answers a tool, patch or question that waits; otherwise does nothing. A question that has outlived its turn
   * continues the response.
   */
  async decide(call: string, decision: Decision): Promise<Turn | undefined> {
    if (this.#conversation.decisions.decide(call, decision) || this.isRunning) return undefined;
    return this.#run((conversation, options) => answerOpen(conversation, call, decision, options));
  }

  /** The conversation at this moment, or before this turn, for turns outside of it that ask the same again. */
  point(insteadOf?: string): Promise<SidePoint> {
    return pointOf(this.#conversation, this.#journal.changes, insteadOf);
  }

  /** What is kept of several tries at one question, beside the conversation. */
  readTrial(): Promise<string> {
    return this.#journal.readTrial?.() ?? Promise.resolve("");
  }

  /** Without effect where another window writes the conversation, which keeps them now. */
  async writeTrial(text: string): Promise<void> {
    if (this.readOnly === undefined) await this.#journal.writeTrial?.(text);
  }

  /** Called before another window gets the conversation, which waits for it: what is kept beside it ends, and is saved. */
  beforeHandOver(save: () => Promise<void>): { dispose(): void } {
    this.#beforeHandOver = [...this.#beforeHandOver, save];
    return {
      dispose: () => {
        this.#beforeHandOver = this.#beforeHandOver.filter((each) => each !== save);
      },
    };
  }

  /**
   * Takes a question out of the box, or puts one back that is not asked after all. `small`: what of its attachments may
   * be stored until it is asked.
   */
  takeQuestion(prompt: string, command?: string): { asked: UserInput; small: readonly Attachment[] } {
    const { wishes: attachments, small } = this.draft.takeAttachments();
    return { asked: present({ prompt, command, attachments }), small };
  }

  readonly putBack = (asked: UserInput): void => this.#putBack(asked);

  /**
   * Takes over what a turn outside of the conversation has said and proposed; `insteadOf`: in place of this turn. Its
   * changes wait for a decision like any others.
   * @throws HumanError if it does not fit, and then nothing has changed
   */
  async adopt(outcome: SideOutcome, more: AdoptOptions = {}): Promise<void> {
    if (this.isRunning) throw new MessageError(message("sideBusy"));
    if (!this.mayBegin) throw new MessageError(this.readOnly ?? message("sideLeaving"));
    await this.#run(async (conversation) => {
      // They were counted when they happened.
      await adopt(conversation, outcome, more, (event) => this.#remoteEvents.fire(event));
      return undefined;
    });
  }

  /** Ends Plan First: the model may act, and is told to. */
  async go(prompt: string): Promise<Turn | undefined> {
    if (this.readOnly !== undefined) throw new MessageError(this.readOnly);
    this.choices.choosePlanFirst(false);
    return this.send({ prompt, attachments: [] });
  }

  /** Edits the plan; the model is told with its next request. */
  async editPlan(edit: PlanEdit): Promise<void> {
    if (this.readOnly !== undefined) throw new MessageError(this.readOnly);
    await this.#conversation.editPlan(edit);
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Turns a task into a conversation of the list, with everything it contains. */
  async continueInChat(): Promise<void> {
    if (!this.isTask) return;
    await this.#journal.goOn?.();
    this.#changes.fire();
  }

  /** Access to the history of its turns: what was sent, what the journal contains, what a rewind costs. */
  get history(): Pick<
    ConversationState,
    "keptOf" | "planRewind" | "requestOf" | "rewindCost" | "summaryOffer" | "toldFiles"
  > {
    return this.#conversation;
  }

  /** Access to the patches of its turns and those made by a person. */
  get patches(): Pick<ConversationState, "propose" | "changes" | "checks" | "breaking" | "errors"> {
    return this.#conversation;
  }

  // Closing.

  /** Resolves when everything so far is on the disk. */
  flush(): Promise<void> {
    return this.#conversation.recorder.flush();
  }

  /** Closes the session after saving everything, including what was not sent yet. */
  async close(): Promise<void> {
    for (const each of this.#otherWindows) each?.dispose();
    this.#closed = true;
    this.draft.close();
    try {
      await this.#windUp();
    } finally {
      await this.flush();
      await this.#journal.close();
    }
  }

  /** Puts back what waits, ends the turn as one that was cut off, and saves everything. */
  async #windUp(): Promise<void> {
    this.draft.putBehind(this.#queue.close());
    await this.draft.keep();
    await this.remarks.settled();
    const kept = this.draft.text;
    this.#conversation.recorder.closing();
    this.stop();
    await this.#running;
    await this.#conversation.close();
    // Questions that were waiting for a confirmation or had not started were put back into the draft just now.
    if (this.draft.text !== kept) await this.draft.keep();
  }

  #begin(journal: ConversationJournal): ConversationState {
    for (const each of this.#otherWindows) each?.dispose();
    journal.onUnsaved?.(() => this.#changes.fire());
    const { ask } = this.#confirmations;
    const emit = (event: ConversationEvent) => {
      // From now on the journal contains the question.
      if (event.type === "started") this.draft.release(event.turn);
      else if (event.type === "steered") this.draft.release(event.id);
      this.#events.fire(event);
    };
    const conversation = new ConversationState({
      ...{ ...this.#deps, journal, ask, emit },
      hold: (question) => this.draft.hold(question),
      queue: this.#queue,
      onlyTools: () => (this.isTask ? this.#deps.onlyTools : undefined),
    });
    const { changes, checks, breaking, errors } = conversation;
    for (const each of [changes, checks, breaking, errors]) each?.onDidChange(() => this.#changes.fire());
    this.#otherWindows = [
      journal.onAskedFor?.(() => void this.takeOver.handOver()),
      journal.onRemoteChange?.((change) =>
        change === "reread" ? this.#rereadIfIdle() : this.#hear(change, conversation),
      ),
    ];
    return conversation;
  }

  #hear(records: readonly ConversationRecord[], { recorder }: ConversationState): void {
    if (hear(records, recorder, (event) => this.#remoteEvents.fire(event))) this.#changes.fire();
  }

  #rereadIfIdle(): void {
    if (this.isRunning || this.#closed || this.queue.length > 0) this.#changes.fire();
    else
      this.#rereading = this.#reread().catch((error: unknown) =>
        this.#deps.log.error("What another window has said could not be read.", error),
      );
  }

  /** Rereads the conversation; what a person has typed here and not sent is kept. */
  async #reread(): Promise<void> {
    const [asked, isTakenOver] = [this.#asked, this.takeOver.state === "asked"];
    const journal = await this.#deps.reopen();
    const box = await readDraftState(journal);
    // A question asked meanwhile is in the old journal, and the new one does not contain it.
    if (this.#closed || this.#asked !== asked) return journal.close();
    const [conversation, before] = [this.#conversation, this.#journal];
    this.#journal = journal;
    this.#conversation = this.#begin(journal);
    this.draft.reread(box, isTakenOver);
    this.remarks.reread();
    this.#rereadings.fire();
    this.#changes.fire();
    await runAll([() => conversation.close(), () => before.close()]);
  }

  #ask(asked: UserInput, turn: string): Promise<Turn | undefined> {
    const { signal } = asked;
    // A question the person withdrew themselves is not put back into their box.
    const unsent = () => {
      if (signal?.aborted !== true) this.#putBackUnasked(asked, turn);
      this.draft.release(turn);
    };
    return this.#run(
      (conversation, options) => askQuestion(conversation, asked, { ...options, turn, kept: unsent }),
      unsent,
      signal,
    );
  }

  /** Runs one turn at a time, and none once the session is closing. Calls `unsent` if the question is not sent. */
  async #run(ask: Ask, unsent?: () => void, stop?: AbortSignal): Promise<Turn | undefined> {
    if (this.isRunning || this.#closed || this.takeOver.isHandingOver) {
      unsent?.();
      return undefined;
    }
    // The turn could not be stored and would be lost with this window (requirements M8).
    if (this.readOnly !== undefined) {
      unsent?.();
      throw new MessageError(this.readOnly);
    }
    this.#asked += 1;
    this.#stopping = new AbortController();
    const signals = [this.#stopping.signal, ...(stop === undefined ? [] : [stop])];
    const running = ask(this.#conversation, { model: this.choices.model, signal: AbortSignal.any(signals) });
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

  /** Puts a question that was not sent back into the draft, so that nothing of it is lost. */
  #putBack({ prompt, command, attachments = [] }: UserInput): void {
    const words = shownPrompt(prompt, command, []);
    this.draft.putBefore(words, attachments);
    this.#putBacks.fire(words);
  }

  /** The same unless its turn contains it: then something has failed after it was sent. */
  #putBackUnasked(asked: UserInput, turn: string): void {
    if (!this.state.turns.some(({ id }) => id === turn)) this.#putBack(asked);
  }
}
