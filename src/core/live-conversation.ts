// One conversation that is alive in this process: one turn at a time, asked, asked again, stopped; what is frozen for
// its life and what the user chose for it. What happens in a turn is the turn's; what is kept is the recorder's.
import type { ServiceClient } from "./api/service-client.ts";
import type { Decision } from "./conversation/decision.ts";
import { builtInModels } from "./conversation/models.ts";
import type { Choices } from "./conversation/record.ts";
import type { Conversation, Turn } from "./conversation/state.ts";
import { type ConversationJournal, ConversationRecorder } from "./conversation-recorder.ts";
import { type ConversationSettings, limitsOf } from "./conversation-settings.ts";
import { type GuardedFiles, guardFiles } from "./tools/guarded-files.ts";
import { type HostTool, hostTool } from "./tools/host-tool.ts";
import { ownTools } from "./tools/own-tools.ts";
import { type Proposal, Proposals } from "./tools/proposals.ts";
import { createToolTable, type ToolTable } from "./tools/tool-table.ts";
import { chatTurn } from "./turn/chat-turn.ts";
import { allCommands } from "./turn/commands.ts";
import { Decisions } from "./turn/decisions.ts";
import { frozenFor, type Settled, settle } from "./turn/opening.ts";
import {
  type Asked,
  type AskedBefore,
  inOtherWords,
  type Question,
  readQuestion,
  restOf,
  sameAgain,
  withoutAttachments,
} from "./turn/question.ts";
import { responsesTurn } from "./turn/responses-turn.ts";
import { simplifiedNote } from "./turn/simplify.ts";
import type { Transcript } from "./turn/transcript.ts";
import type { TurnNeeds } from "./turn/turn-request.ts";
import type { Log } from "./util/log.ts";
import type { Workspace } from "./workspace.ts";

export interface ConversationNeeds {
  readonly client: ServiceClient;
  readonly journal: ConversationJournal;
  readonly workspace: Workspace;
  readonly log: Log;
  settings(): ConversationSettings;
  /** Tools of other extensions and of MCP servers, as they are now. */
  hostTools?(): readonly HostTool[];
  /** For attachments; `undefined` when that conversation is gone. */
  turnsOf(conversation: string): Promise<readonly Turn[] | undefined>;
  now(): number;
  newId(): string;
}

type Chosen = Omit<Choices, "type" | "at">;
type MakeQuestion = (signal: AbortSignal) => Question | Promise<Question>;

export class LiveConversation {
  readonly #needs: ConversationNeeds;
  readonly #recorder: ConversationRecorder;
  readonly #decisions = new Decisions();
  readonly #proposals = new Proposals();
  /** What the person is told with the next turn. */
  readonly #announced: string[] = [];
  #running: AbortController | undefined;
  #ending: Promise<void> = Promise.resolve();

  readonly onEvent: ConversationRecorder["onEvent"];

  constructor(needs: ConversationNeeds) {
    this.#needs = needs;
    this.#recorder = new ConversationRecorder(needs);
    this.onEvent = this.#recorder.onEvent;
  }

  get state(): Conversation {
    return this.#transcript.state;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  get choices(): Chosen {
    return this.#transcript.choices;
  }

  choose(chosen: Chosen): void {
    void this.#recorder.keep({ type: "choices", at: this.#needs.now(), ...chosen });
  }

  /** Resolves with its turn once that has ended; without one where there was nothing to ask, or one runs already. */
  async send(asked: Asked, model: string): Promise<Turn | undefined> {
    const { prompt, command, attachments = [] } = asked;
    if (prompt.trim() === "" && command === undefined && attachments.length === 0) return undefined;
    const { settings, turnsOf } = this.#needs;
    const sources = { files: this.#files(), mostBytes: settings().attachmentBytes, turnsOf };
    return this.#ask((signal) => readQuestion(asked, this.#commands(), sources, signal), model);
  }

  /** Goes on with an answer that did not come to its end. */
  async goOn(model: string): Promise<Turn | undefined> {
    return this.#ask(() => restOf(this.#transcript.items), model);
  }

  /** After a turn that went wrong. Faults, row 59: what a tool has done is done; only the answer to it is missing. */
  async retry(model: string): Promise<Turn | undefined> {
    const last = this.state.turns.at(-1);
    if (last === undefined) return undefined;
    const acted = last.parts.some(({ type }) => type === "tool" || type === "patch");
    return acted ? this.goOn(model) : this.regenerate(last.id, model);
  }

  /** Asks the question of a turn again; that turn and what followed it are no longer part of the conversation. */
  async regenerate(turn: string, model: string): Promise<Turn | undefined> {
    const asked = this.#asked(turn);
    return asked && this.#ask(() => sameAgain(asked), model, turn);
  }

  /** The same with other words; what was attached stays. */
  async edit(turn: string, prompt: string, model: string): Promise<Turn | undefined> {
    const asked = prompt.trim() === "" ? undefined : this.#asked(turn);
    return asked && this.#ask(() => inOtherWords(asked, prompt, this.#commands()), model, turn);
  }

  /** The same without what was attached to it. */
  async askBare(turn: string, model: string): Promise<Turn | undefined> {
    const asked = this.#asked(turn);
    return asked && this.#ask(() => withoutAttachments(asked), model, turn);
  }

  /** After a refusal: what only the service itself could read is left out of the history from here on. */
  async retryPlainly(model: string): Promise<Turn | undefined> {
    if (this.isRunning) return undefined;
    await this.#recorder.keep({ type: "simplified", at: this.#needs.now() });
    this.#announced.push(simplifiedNote);
    return this.retry(model);
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

  /** Resolves when everything said so far is on the disk. */
  flush(): Promise<void> {
    return this.#recorder.flush();
  }

  /** Ends the running turn and waits until everything said is saved. */
  async close(): Promise<void> {
    this.#recorder.closing();
    this.stop();
    await this.#ending;
    await this.#recorder.flush();
  }

  get #transcript(): Transcript {
    return this.#recorder.transcript;
  }

  #asked(id: string): AskedBefore | undefined {
    const turn = this.isRunning ? undefined : this.state.turns.find((turn) => turn.id === id);
    return turn && { turn, items: this.#transcript.asked(id) };
  }

  /** One turn at a time; a question that comes while one runs is not taken. */
  async #ask(question: MakeQuestion, model: string, insteadOf?: string): Promise<Turn | undefined> {
    if (this.#running !== undefined) return undefined;
    const running = new AbortController();
    this.#running = running;
    const turn = this.#needs.newId();
    try {
      this.#ending = (async () => {
        if (insteadOf !== undefined) await this.#recorder.cut(insteadOf);
        await this.#run(turn, await question(running.signal), model, running.signal);
      })();
      await this.#ending;
    } finally {
      this.#running = undefined;
    }
    return this.state.turns.find(({ id }) => id === turn);
  }

  async #run(turn: string, question: Question, model: string, signal: AbortSignal): Promise<void> {
    const { prompt, attachments, continues, items } = question;
    const { settings, hostTools } = this.#needs;
    const others = (hostTools?.() ?? []).map(hostTool);
    const table = createToolTable([...ownTools, ...others], settings().tools);
    const route = builtInModels.find(({ id }) => id === model)?.route ?? "chat";
    const { opened, chips, notes } = await this.#open(table);
    const request = {
      turn,
      model,
      prompt,
      attachments: [...chips, ...attachments],
      continues,
      notes: route === "responses" ? [...this.#announced.splice(0), ...notes] : [],
      items,
      history: this.#transcript.items,
      isPlain: this.#transcript.isPlain,
      frozen: frozenFor(route, opened),
      limits: limitsOf(settings().limits, this.choices),
    };
    const runTurn = route === "responses" ? responsesTurn : chatTurn;
    for await (const output of runTurn(request, this.#turnNeeds(table), signal))
      await this.#recorder.take(output);
  }

  #commands() {
    return allCommands(this.#needs.settings().prompts);
  }

  #files(): GuardedFiles {
    const { workspace, settings } = this.#needs;
    return guardFiles(workspace, () => settings().privacy);
  }

  #turnNeeds(table: ToolTable): TurnNeeds {
    const { client, workspace, log, now } = this.#needs;
    const context = { files: this.#files(), workspace, proposals: this.#proposals };
    const tools = { table, context, decisions: this.#decisions, isTrusted: () => workspace.trusted };
    return { client, tools, log, now };
  }

  async #open(table: ToolTable): Promise<Settled> {
    const { workspace, settings, now, newId } = this.#needs;
    const { webSearch, instructions: standing } = settings();
    const offered = workspace.trusted && workspace.folders.length > 0 ? table.definitions() : [];
    const wantsSearch = this.choices.webSearch ?? webSearch;
    const needs = { workspace, files: this.#files(), offered, wantsSearch, standing };
    const settled = await settle(this.#transcript.opened, needs, { at: now(), cacheId: newId() });
    if (settled.isNew) await this.#recorder.keep(settled.opened);
    return settled;
  }
}
