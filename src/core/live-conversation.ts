// One conversation that is alive in this process: one turn at a time, asked, asked again, stopped; what is frozen for
// its life and what the user chose for it. What happens in a turn is the turn's; what is kept is the recorder's.
import type { ServiceClient } from "./api/service-client.ts";
import type { Decision } from "./conversation/decision.ts";
import { builtInModels } from "./conversation/models.ts";
import type { Choices, Opened } from "./conversation/record.ts";
import type { Conversation, Turn } from "./conversation/state.ts";
import { type ConversationJournal, ConversationRecorder } from "./conversation-recorder.ts";
import type { ConversationSettings } from "./conversation-settings.ts";
import { type GuardedFiles, guardFiles } from "./tools/guarded-files.ts";
import { type HostTool, hostTool } from "./tools/host-tool.ts";
import { ownTools } from "./tools/own-tools.ts";
import { type Proposal, Proposals } from "./tools/proposals.ts";
import { createToolTable, type ToolTable } from "./tools/tool-table.ts";
import { chatTurn } from "./turn/chat-turn.ts";
import { allCommands } from "./turn/commands.ts";
import { Decisions } from "./turn/decisions.ts";
import { userItem } from "./turn/history.ts";
import { changeOf, createOpening, type OpeningNeeds } from "./turn/opening.ts";
import { continueInstruction } from "./turn/prompts.ts";
import { type Asked, type Question, questionItem, readQuestion } from "./turn/question.ts";
import { responsesTurn } from "./turn/responses-turn.ts";
import { endsWithOutput, type Transcript } from "./turn/transcript.ts";
import type { FrozenPrefix, TurnLimits, TurnNeeds } from "./turn/turn-request.ts";
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
    // When tools have answered and the model has not, there is nothing to say: it is the model's turn.
    const items = endsWithOutput(this.#transcript.items)
      ? []
      : [userItem([{ kind: "text", text: continueInstruction }])];
    return this.#ask(() => ({ prompt: "", attachments: [], continues: true, items }), model);
  }

  /** Asks the question of a turn again; that turn and what followed it are no longer part of the conversation. */
  async regenerate(turn: string, model: string): Promise<Turn | undefined> {
    const old = this.#turn(turn);
    if (old === undefined) return undefined;
    const items = this.#transcript.asked(turn);
    return this.#ask(() => ({ ...old, items }), model, turn);
  }

  /** The same with other words; what was attached stays. */
  async edit(turn: string, prompt: string, model: string): Promise<Turn | undefined> {
    const old = this.#turn(turn);
    if (old === undefined || prompt.trim() === "") return undefined;
    const asked = this.#transcript.asked(turn);
    const attached = old.prompt === "" ? asked : asked.slice(0, -1);
    const items = [...attached, questionItem(prompt, this.#commands())];
    return this.#ask(() => ({ ...old, prompt, items }), model, turn);
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

  #turn(id: string): Turn | undefined {
    return this.isRunning ? undefined : this.state.turns.find((turn) => turn.id === id);
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
      notes: route === "responses" ? notes : [],
      items,
      history: this.#transcript.items,
      frozen: frozenFor(route, opened),
      limits: this.#limits(),
    };
    const runTurn = route === "responses" ? responsesTurn : chatTurn;
    for await (const output of runTurn(request, this.#turnNeeds(table), signal))
      await this.#recorder.take(output);
  }

  #limits(): TurnLimits {
    const { cacheTtl, outputTokens, ...limits } = this.#needs.settings().limits;
    const { cacheTier = cacheTtl, outputLimit = outputTokens } = this.choices;
    return {
      ...limits,
      ...(cacheTier !== undefined && cacheTier !== "default" && { cacheTtl: cacheTier }),
      ...(typeof outputLimit === "number" && { outputTokens: outputLimit }),
    };
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

  /** What a conversation begins with stays as it is, byte for byte, until the user changes what is offered. */
  async #open(table: ToolTable) {
    const { workspace, settings, newId } = this.#needs;
    const { webSearch, instructions: standing } = settings();
    const offered = workspace.trusted && workspace.folders.length > 0 ? table.definitions() : [];
    const wantsSearch = this.choices.webSearch ?? webSearch;
    const needs: OpeningNeeds = { workspace, files: this.#files(), offered, wantsSearch, standing };
    const known = this.#transcript.opened;
    const change = known && changeOf(known.tools, needs);
    if (known !== undefined && change === undefined) return { opened: known, chips: [], notes: [] };
    const notes = change === undefined ? [] : [change.note];
    if (known !== undefined && change?.kind === "tools")
      return { opened: await this.#freeze({ ...known, tools: change.tools }), chips: [], notes };
    const { frozen, chips } = await createOpening(needs);
    return { opened: await this.#freeze({ ...frozen, cacheId: known?.cacheId ?? newId() }), chips, notes };
  }

  async #freeze(frozen: Omit<Opened, "type" | "at">): Promise<Opened> {
    const opened: Opened = { ...frozen, type: "opened", at: this.#needs.now() };
    await this.#recorder.keep(opened);
    return opened;
  }
}

function frozenFor(route: "responses" | "chat", opened: Opened): FrozenPrefix {
  const { instructions, chatInstructions, tools, cacheId } = opened;
  return route === "responses"
    ? { instructions, tools, cacheId }
    : { instructions: chatInstructions, tools: [], cacheId };
}
