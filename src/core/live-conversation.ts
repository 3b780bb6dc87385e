// One conversation that is alive in this process: its state, its history, its running turn, its journal.
// Order is the promise here: a prompt is durable before its request leaves, an end is durable before it is
// shown, and text in between is on disk within a moment (faults R15).
import type { ServiceClient } from "./api/service-client.ts";
import type { ConversationEvent } from "./conversation/events.ts";
import { joinDeltas } from "./conversation/join-deltas.ts";
import { builtInModels } from "./conversation/models.ts";
import type { ConversationRecord, Opened, Replay } from "./conversation/record.ts";
import { emptyConversation, reduce, runningTurn } from "./conversation/reduce.ts";
import type { Conversation } from "./conversation/state.ts";
import { chatTurn } from "./turn/chat-turn.ts";
import { chatInstructions } from "./turn/prompts.ts";
import { responsesTurn } from "./turn/responses-turn.ts";
import { Coalesce } from "./util/coalesce.ts";
import type { Disposable } from "./util/disposables.ts";
import { Emitter } from "./util/emitter.ts";
import type { Log } from "./util/log.ts";

/** What a conversation needs of its storage. */
export interface ConversationJournal {
  readonly id: string;
  readonly records: readonly ConversationRecord[];
  append(record: ConversationRecord, options: { durable: boolean }): Promise<void>;
  readDraft(): Promise<string>;
  writeDraft(text: string): Promise<void>;
  close(): Promise<void>;
}

export interface ConversationNeeds {
  readonly client: ServiceClient;
  readonly journal: ConversationJournal;
  readonly log: Log;
  now(): number;
  newId(): string;
}

const journalDelay = 250;

export class LiveConversation implements Disposable {
  readonly #needs: ConversationNeeds;
  readonly #events = new Emitter<ConversationEvent>();
  readonly #unsaved: Coalesce<ConversationEvent>;
  #state: Conversation;
  #history: string[] = [];
  #opened: Opened | undefined;
  #running: AbortController | undefined;
  #saving: Promise<void> = Promise.resolve();

  readonly onEvent = this.#events.on;

  constructor(needs: ConversationNeeds) {
    this.#needs = needs;
    this.#state = emptyConversation(needs.journal.id);
    this.#unsaved = new Coalesce({
      milliseconds: journalDelay,
      join: joinDeltas,
      deliver: (events) => {
        for (const event of events) void this.#save(event, false);
      },
    });
    for (const record of needs.journal.records) this.#load(record);
    this.#endWhatWasCut();
  }

  get state(): Conversation {
    return this.#state;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  async send(prompt: string, model: string): Promise<void> {
    if (this.#running !== undefined || prompt.trim() === "") return;
    const running = new AbortController();
    this.#running = running;
    try {
      await this.#open();
      await this.#run(prompt, model, running.signal);
    } finally {
      this.#running = undefined;
    }
  }

  stop(): void {
    this.#running?.abort();
  }

  dispose(): void {
    this.stop();
    this.#unsaved.flush();
  }

  async #run(prompt: string, model: string, signal: AbortSignal): Promise<void> {
    const { client, now, newId } = this.#needs;
    const route = builtInModels.find(({ id }) => id === model)?.route ?? "chat";
    const { instructions, cacheId } = await this.#open();
    const request = { turn: newId(), model, prompt, instructions, cacheId, history: [...this.#history] };
    const turn = route === "responses" ? responsesTurn : chatTurn;
    for await (const output of turn(request, { client, now }, signal)) await this.#take(output);
  }

  async #take(output: ConversationEvent | Replay): Promise<void> {
    switch (output.type) {
      case "replay":
        this.#unsaved.flush();
        this.#history.push(...output.items);
        void this.#save(output, false);
        return;
      case "started":
        this.#show(output);
        await this.#save(output, true);
        return;
      case "ended":
        this.#unsaved.flush();
        await this.#save(output, true);
        this.#show(output);
        return;
      default:
        this.#show(output);
        this.#unsaved.push(output);
    }
  }

  #show(event: ConversationEvent): void {
    this.#state = reduce(this.#state, event);
    this.#events.fire(event);
  }

  /** Appends in order. A disk that refuses never stops a conversation; it is said in the log, once per record. */
  #save(record: ConversationRecord, durable: boolean): Promise<void> {
    const { journal, log } = this.#needs;
    this.#saving = this.#saving
      .then(() => journal.append(record, { durable }))
      .catch((error: unknown) => log.error("The conversation could not be saved.", error));
    return this.#saving;
  }

  async #open(): Promise<Opened> {
    if (this.#opened === undefined) {
      const { now, newId } = this.#needs;
      this.#opened = {
        type: "opened",
        at: now(),
        instructions: chatInstructions,
        tools: [],
        cacheId: newId(),
      };
      await this.#save(this.#opened, false);
    }
    return this.#opened;
  }

  #load(record: ConversationRecord): void {
    if (record.type === "opened") this.#opened = record;
    else if (record.type === "replay") this.#history.push(...record.items);
    else this.#state = reduce(this.#state, record);
  }

  /** A turn that runs in the journal but in no process was cut off with its window. */
  #endWhatWasCut(): void {
    const turn = runningTurn(this.#state);
    if (turn === undefined) return;
    const event: ConversationEvent = {
      type: "ended",
      turn: turn.id,
      at: this.#needs.now(),
      ending: "interrupted",
    };
    this.#state = reduce(this.#state, event);
    void this.#save(event, false);
  }
}
