// One conversation that is alive in this process: its running turn, its journal, its questions to the user.
// Order is the promise here: a prompt is durable before its request leaves, a decision before a file is touched, an
// end before it is shown, and text in between is on disk within a moment (faults R15).
import type { ServiceClient } from "./api/service-client.ts";
import type { AttachmentView } from "./conversation/attachment.ts";
import type { Decision } from "./conversation/decision.ts";
import type { ConversationEvent } from "./conversation/events.ts";
import { joinDeltas } from "./conversation/join-deltas.ts";
import { builtInModels } from "./conversation/models.ts";
import type { ConversationRecord, Opened } from "./conversation/record.ts";
import type { Conversation, Turn } from "./conversation/state.ts";
import type { ConversationSettings } from "./conversation-settings.ts";
import { guardFiles } from "./tools/guarded-files.ts";
import { ownTools, webSearch } from "./tools/own-tools.ts";
import { type Proposal, Proposals } from "./tools/proposals.ts";
import { createToolTable, type ToolTable } from "./tools/tool-table.ts";
import { chatTurn } from "./turn/chat-turn.ts";
import { Decisions } from "./turn/decisions.ts";
import { userItem } from "./turn/history.ts";
import type { TurnOutput } from "./turn/keep-promises.ts";
import { chatInstructions, continueInstruction, toolInstructions } from "./turn/prompts.ts";
import { responsesTurn } from "./turn/responses-turn.ts";
import { endsWithOutput, Transcript } from "./turn/transcript.ts";
import type { FrozenPrefix, TurnNeeds } from "./turn/turn-request.ts";
import { Coalesce } from "./util/coalesce.ts";
import { Emitter } from "./util/emitter.ts";
import type { Log } from "./util/log.ts";
import type { Workspace } from "./workspace.ts";

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
  readonly workspace: Workspace;
  readonly log: Log;
  settings(): ConversationSettings;
  now(): number;
  newId(): string;
}

/** A question on its way: raw items, and what is shown of them. */
interface Question {
  readonly prompt: string;
  readonly attachments: readonly AttachmentView[];
  readonly continues: boolean;
  readonly items: readonly string[];
}

const journalDelay = 250;

export class LiveConversation {
  readonly #needs: ConversationNeeds;
  readonly #events = new Emitter<ConversationEvent>();
  readonly #unsaved: Coalesce<ConversationEvent>;
  readonly #decisions = new Decisions();
  readonly #proposals = new Proposals();
  readonly #transcript: Transcript;
  #running: AbortController | undefined;
  #closing = false;
  #ending: Promise<void> = Promise.resolve();
  #saving: Promise<void> = Promise.resolve();

  readonly onEvent = this.#events.on;

  constructor(needs: ConversationNeeds) {
    this.#needs = needs;
    this.#transcript = new Transcript(needs.journal.id, needs.journal.records);
    this.#unsaved = new Coalesce({
      milliseconds: journalDelay,
      join: joinDeltas,
      deliver: (events) => {
        for (const event of events) void this.#save(event, false);
      },
    });
    // A turn that runs in the journal but in no process was cut off with its window.
    for (const record of this.#transcript.repairs(needs.now())) {
      this.#transcript.take(record);
      void this.#save(record, false);
    }
  }

  get state(): Conversation {
    return this.#transcript.state;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  async send(prompt: string, model: string): Promise<void> {
    if (prompt.trim() === "") return;
    const items = [userItem([{ kind: "text", text: prompt }])];
    await this.#ask({ prompt, attachments: [], continues: false, items }, model);
  }

  /** Goes on with an answer that did not come to its end. */
  async goOn(model: string): Promise<void> {
    // When tools have answered and the model has not, there is nothing to say: it is the model's turn.
    const items = endsWithOutput(this.#transcript.items)
      ? []
      : [userItem([{ kind: "text", text: continueInstruction }])];
    await this.#ask({ prompt: "", attachments: [], continues: true, items }, model);
  }

  /** Asks the question of a turn again; that turn and what followed it are no longer part of the conversation. */
  async regenerate(turn: string, model: string): Promise<void> {
    const old = this.#turn(turn);
    if (old !== undefined) await this.#askInstead(old, this.#transcript.asked(turn), old.prompt, model);
  }

  /** The same with other words; what was attached stays. */
  async edit(turn: string, prompt: string, model: string): Promise<void> {
    const old = this.#turn(turn);
    if (old === undefined || prompt.trim() === "") return;
    const asked = this.#transcript.asked(turn);
    const attached = old.prompt === "" ? asked : asked.slice(0, -1);
    await this.#askInstead(old, [...attached, userItem([{ kind: "text", text: prompt }])], prompt, model);
  }

  /** False when nothing waits for this decision. */
  decide(call: string, decision: Decision): boolean {
    return this.#decisions.decide(call, decision);
  }

  /** A patch of this window in full, by the call that it came with. */
  proposal(call: string): Proposal | undefined {
    return this.#proposals.get(call);
  }

  stop(): void {
    this.#running?.abort();
  }

  /** Ends the running turn and waits until everything said is saved. */
  async close(): Promise<void> {
    this.#closing = true;
    this.stop();
    await this.#ending;
    this.#unsaved.flush();
    await this.#saving;
  }

  #turn(id: string): Turn | undefined {
    return this.isRunning ? undefined : this.state.turns.find((turn) => turn.id === id);
  }

  async #askInstead(
    { id, attachments, continues }: Turn,
    items: readonly string[],
    prompt: string,
    model: string,
  ): Promise<void> {
    await this.#ask({ prompt, attachments, continues, items }, model, id);
  }

  /** One turn at a time; a question that comes while one runs is not taken. */
  async #ask(question: Question, model: string, insteadOf?: string): Promise<void> {
    if (this.#running !== undefined) return;
    const running = new AbortController();
    this.#running = running;
    try {
      if (insteadOf !== undefined) await this.#take({ type: "cut", turn: insteadOf, at: this.#needs.now() });
      this.#ending = this.#run(question, model, running.signal);
      await this.#ending;
    } finally {
      this.#running = undefined;
    }
  }

  async #run(question: Question, model: string, signal: AbortSignal): Promise<void> {
    const { newId, settings } = this.#needs;
    const { limits, tools } = settings();
    const table = createToolTable(ownTools, tools);
    const route = builtInModels.find(({ id }) => id === model)?.route ?? "chat";
    const opened = await this.#open(table);
    const request = {
      ...question,
      turn: newId(),
      model,
      limits,
      history: this.#transcript.items,
      frozen: frozenFor(route, opened),
    };
    const turn = route === "responses" ? responsesTurn : chatTurn;
    for await (const output of turn(request, this.#turnNeeds(table), signal)) await this.#take(output);
  }

  #turnNeeds(table: ToolTable): TurnNeeds {
    const { client, workspace, log, now, settings } = this.#needs;
    const files = guardFiles(workspace, () => settings().privacy);
    const context = { files, workspace, proposals: this.#proposals };
    const tools = { table, context, decisions: this.#decisions, isTrusted: () => workspace.trusted };
    return { client, tools, log, now };
  }

  async #take(output: TurnOutput): Promise<void> {
    // Nobody pressed Stop when a window goes.
    if (this.#closing && output.type === "ended" && output.ending === "stopped") {
      return this.#take({ ...output, ending: "interrupted" });
    }
    if (output.type !== "replay" && !isWeighty(output)) {
      this.#show(output);
      this.#unsaved.push(output);
      return;
    }
    this.#unsaved.flush();
    await this.#save(output, true);
    this.#show(output);
  }

  #show(output: TurnOutput): void {
    this.#transcript.take(output);
    if (output.type === "replay") return;
    try {
      this.#events.fire(output);
    } catch (error) {
      this.#needs.log.error("Somebody who watches a conversation failed.", error);
    }
  }

  /** Appends in order. A disk that refuses never stops a conversation; it is said in the log, once per record. */
  #save(record: ConversationRecord, durable: boolean): Promise<void> {
    const { journal, log } = this.#needs;
    this.#saving = this.#saving
      .then(() => journal.append(record, { durable }))
      .catch((error: unknown) => log.error("The conversation could not be saved.", error));
    return this.#saving;
  }

  /** What a conversation begins with stays as it is, byte for byte, whatever is set later. */
  async #open(table: ToolTable): Promise<Opened> {
    const known = this.#transcript.opened;
    if (known !== undefined) return known;
    const { now, newId, workspace, settings } = this.#needs;
    const offered = workspace.trusted && workspace.folders.length > 0 ? table.definitions() : [];
    const tools = [...offered, ...(settings().webSearch ? [webSearch] : [])];
    const instructions = offered.length > 0 ? `${chatInstructions}\n${toolInstructions}` : chatInstructions;
    const opened: Opened = {
      type: "opened",
      at: now(),
      instructions,
      chatInstructions,
      tools,
      cacheId: newId(),
    };
    this.#transcript.take(opened);
    await this.#save(opened, false);
    return opened;
  }
}

function frozenFor(route: "responses" | "chat", opened: Opened): FrozenPrefix {
  const { instructions, chatInstructions, tools, cacheId } = opened;
  return route === "responses"
    ? { instructions, tools, cacheId }
    : { instructions: chatInstructions, tools: [], cacheId };
}

/** On disk before anything follows from it: the question, the decision about files, what became of them, the end. */
function isWeighty(event: ConversationEvent): boolean {
  if (event.type === "patch") return event.status === "applying" || event.status === "applied";
  return event.type === "ended" || event.type === "cut";
}
