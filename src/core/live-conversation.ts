// One conversation that is alive in this process: one turn at a time, asked, asked again, stopped; what is frozen for
// its life and what the user chose for it. What happens in a turn is the turn's; what is kept is the recorder's.
import type { ServiceClient } from "./api/service-client.ts";
import type { AskPerson } from "./before-sending.ts";
import type { Attachment } from "./conversation/attachment.ts";
import type { Decision } from "./conversation/decision.ts";
import { routeOf } from "./conversation/models.ts";
import type { Problem } from "./conversation/problem.ts";
import type { Choices, Opened, Simplified } from "./conversation/record.ts";
import type { Conversation, Turn } from "./conversation/state.ts";
import { type ConversationJournal, ConversationRecorder } from "./conversation-recorder.ts";
import { limitsOf } from "./conversation-settings.ts";
import { ConversationWorld, type WorldNeeds } from "./conversation-world.ts";
import { createKeptPatches, type KeptPatches } from "./kept-patches.ts";
import { type Agreement, type RequestCounts, SpendGuard } from "./spend-guard.ts";
import { type Proposal, Proposals } from "./tools/proposals.ts";
import type { ToolTable } from "./tools/tool-table.ts";
import { chatTurn } from "./turn/chat-turn.ts";
import { Decisions } from "./turn/decisions.ts";
import { beyondModel } from "./turn/model-limits.ts";
import { frozenFor, type Settled } from "./turn/opening.ts";
import {
  type Asked,
  type AskedBefore,
  inOtherWords,
  promptOf,
  type Question,
  restOf,
  sameAgain,
  withoutAttachments,
  withoutLabels,
} from "./turn/question.ts";
import { responsesTurn } from "./turn/responses-turn.ts";
import { type Sent, SentRequests } from "./turn/sent-requests.ts";
import { type Outgoing, outgoingOf } from "./turn/service-request.ts";
import { simplifiedNotes } from "./turn/simplify.ts";
import type { Transcript } from "./turn/transcript.ts";
import type { TurnNeeds, TurnRequest } from "./turn/turn-request.ts";
import type { Log } from "./util/log.ts";

export interface ConversationNeeds extends WorldNeeds {
  readonly client: ServiceClient;
  readonly journal: ConversationJournal;
  readonly log: Log;
  /** Where a person can be asked before something leaves; without it nothing that needs a yes is sent. */
  readonly ask?: AskPerson;
  /** About how many tokens a whole request has. */
  countRequest?(outgoing: Outgoing): number;
  /** Absent: nobody is asked before much is sent. */
  readonly counts?: RequestCounts;
}

type Chosen = Omit<Choices, "type" | "at">;

/** Something that is to be asked. */
interface Wish {
  /** As a person said it; absent where nothing is said anew. */
  readonly words?: string;
  read(signal: AbortSignal): Question | Promise<Question>;
  /** This turn and what followed it are given up for it. */
  readonly insteadOf?: string;
  /** The same without some of what is attached to it. */
  trim?(labels: ReadonlySet<string>, signal: AbortSignal): Promise<Question>;
  /** A person decided not to send it. */
  kept?(): void;
}

export interface KeptOfTurn {
  readonly opened: Opened | undefined;
  /** Everything said before it, as raw items. */
  readonly before: readonly string[];
  /** What it added: the question, then the reply and outputs of tools. */
  readonly asked: readonly string[];
  readonly items: readonly string[];
}

export class LiveConversation {
  readonly #needs: ConversationNeeds;
  readonly #recorder: ConversationRecorder;
  readonly #world: ConversationWorld;
  readonly #decisions = new Decisions();
  readonly #proposals = new Proposals();
  readonly #sent = new SentRequests();
  readonly #spending: SpendGuard | undefined;
  /** Absent where nothing is kept on a disk. */
  readonly keptPatches: KeptPatches | undefined;
  /** What the person is told with the next turn. */
  readonly #announced: string[] = [];
  #running: AbortController | undefined;
  #ending: Promise<void> = Promise.resolve();

  readonly onEvent: ConversationRecorder["onEvent"];

  constructor(needs: ConversationNeeds) {
    this.#needs = needs;
    this.#recorder = new ConversationRecorder(needs);
    this.#world = new ConversationWorld(needs);
    const { checkpoints } = needs.journal;
    this.keptPatches = checkpoints && createKeptPatches(checkpoints, needs.log);
    const { counts, settings, now } = needs;
    this.#spending = counts && new SpendGuard({ counts, now, limit: () => settings().askAboveTokens });
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

  /** What waits beside the draft, to be there again when the conversation is opened again. */
  get attached(): readonly Attachment[] {
    return this.#transcript.attached;
  }

  async keepAttached(wishes: readonly Attachment[]): Promise<void> {
    if (JSON.stringify(wishes) !== JSON.stringify(this.attached))
      await this.#recorder.keep({ type: "attached", at: this.#needs.now(), wishes });
  }

  /** Resolves with its turn once that has ended; without one where there was nothing to ask, or one runs already. */
  async send(asked: Asked, model: string, kept?: () => void): Promise<Turn | undefined> {
    const { prompt, command, attachments = [] } = asked;
    if (prompt.trim() === "" && command === undefined && attachments.length === 0) return undefined;
    const read = (signal: AbortSignal) => this.#world.read(asked, signal);
    const trim = (labels: ReadonlySet<string>, signal: AbortSignal) =>
      this.#world.read(withoutLabels(asked, labels), signal);
    return this.#ask({ words: promptOf(asked), read, trim, ...(kept && { kept }) }, model);
  }

  /** What this question would send now; nothing is sent and nothing is kept. */
  async preview(asked: Asked, model: string, signal: AbortSignal): Promise<Outgoing> {
    await this.#recorder.remember();
    const question = await this.#world.read(asked, signal);
    const table = this.#world.table(this.choices);
    const settled = await this.#world.settle(this.#transcript.opened, this.choices, table);
    return outgoingOf(this.#request(question, model, settled));
  }

  /** What went out for a turn in this window, and why it missed the cache where it did. */
  get sent(): SentRequests {
    return this.#sent;
  }

  /** What the journal keeps of a turn's requests, in any window: its frozen beginning and its raw items. */
  async keptOf(turn: string): Promise<KeptOfTurn> {
    await this.#recorder.remember();
    const transcript = this.#transcript;
    const { opened } = transcript;
    const [before, items] = [transcript.itemsBefore(turn), transcript.itemsOf(turn)];
    return { opened, before, asked: transcript.asked(turn), items };
  }

  /** Goes on with an answer that did not come to its end; there is nothing to go on with after one that did. */
  async goOn(model: string): Promise<Turn | undefined> {
    const last = this.state.turns.at(-1);
    if (last === undefined || last.status === "done") return undefined;
    return this.#ask({ read: () => restOf(this.#transcript.items) }, model);
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
    const asked = await this.#asked(turn);
    return asked && this.#ask({ read: () => sameAgain(asked), insteadOf: turn }, model);
  }

  /** The same with other words; what was attached stays. */
  async edit(turn: string, prompt: string, model: string, kept?: () => void): Promise<Turn | undefined> {
    const asked = prompt.trim() === "" ? undefined : await this.#asked(turn);
    const read = (before: AskedBefore) => () => inOtherWords(before, prompt, this.#world.commands);
    return (
      asked && this.#ask({ words: prompt, read: read(asked), insteadOf: turn, ...(kept && { kept }) }, model)
    );
  }

  /** The same without what was attached to it. */
  async askBare(turn: string, model: string): Promise<Turn | undefined> {
    const asked = await this.#asked(turn);
    return asked && this.#ask({ read: () => withoutAttachments(asked), insteadOf: turn }, model);
  }

  /** After a refusal: what only the service itself could read is left out of the history from here on. */
  async retryPlainly(model: string): Promise<Turn | undefined> {
    if (this.isRunning) return undefined;
    await this.#simplify("plain");
    this.#announced.push(simplifiedNotes.plain);
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

  async #asked(id: string): Promise<AskedBefore | undefined> {
    await this.#recorder.remember();
    const turn = this.isRunning ? undefined : this.state.turns.find((turn) => turn.id === id);
    return turn && { turn, items: this.#transcript.asked(id) };
  }

  /** One turn at a time; a question that comes while one runs is not taken. */
  async #ask(wish: Wish, model: string): Promise<Turn | undefined> {
    if (this.#running !== undefined) return undefined;
    const running = new AbortController();
    this.#running = running;
    const turn = this.#needs.newId();
    try {
      this.#ending = this.#agreeAndRun(turn, wish, model, running.signal);
      await this.#ending;
    } finally {
      this.#running = undefined;
    }
    return this.state.turns.find(({ id }) => id === turn);
  }

  /** Until a person has agreed nothing is different from before. */
  async #agreeAndRun(turn: string, wish: Wish, model: string, signal: AbortSignal): Promise<void> {
    const { words = "", read, insteadOf, trim, kept } = wish;
    const ask: AskPerson = this.#needs.ask ?? (async () => undefined);
    await this.#recorder.remember();
    if (!(await this.#world.mayUse(words, ask, signal))) return kept?.();
    const table = this.#world.table(this.choices);
    const settled = await this.#world.settle(this.#transcript.opened, this.choices, table);
    const wanted = this.#request(await read(signal), model, settled, insteadOf);
    const beyond = this.#beyond(wanted);
    if (beyond !== undefined && (await ask(beyond, signal)) !== "send-anyway") return kept?.();
    const agreement = await this.#mayLeave(wanted, wish, settled.isNew, signal);
    if (agreement.kind === "keep") return kept?.();
    const request =
      agreement.kind === "trim" && trim !== undefined
        ? this.#request(await trim(agreement.labels, signal), model, settled, insteadOf)
        : wanted;
    if (insteadOf !== undefined) await this.#recorder.cut(insteadOf);
    await this.#run({ ...request, turn }, settled, table, signal);
  }

  #beyond(request: TurnRequest): Problem | undefined {
    const { settings, countRequest } = this.#needs;
    const outgoing = outgoingOf(request);
    const model = settings().models.find(({ id }) => id === request.model);
    return beyondModel(outgoing, model, () => countRequest?.(outgoing));
  }

  async #mayLeave(
    request: TurnRequest,
    { insteadOf, trim }: Wish,
    isNew: boolean,
    signal: AbortSignal,
  ): Promise<Agreement> {
    const { ask = async () => undefined } = this.#needs;
    const { turns } = this.state;
    const leaving = { request, turns, insteadOf, isNew, canTrim: trim !== undefined };
    return (await this.#spending?.agree(leaving, ask, signal)) ?? { kind: "send" };
  }

  async #run(request: TurnRequest, settled: Settled, table: ToolTable, signal: AbortSignal): Promise<void> {
    if (settled.isNew) await this.#recorder.keep(settled.opened);
    const isResponses = request.route === "responses";
    const notes = isResponses ? [...this.#announced.splice(0), ...settled.notes] : [];
    const runTurn = isResponses ? responsesTurn : chatTurn;
    for await (const output of runTurn({ ...request, notes }, this.#turnNeeds(table), signal))
      await this.#recorder.take(output);
  }

  #request(question: Question, model: string, { opened, chips }: Settled, insteadOf?: string): TurnRequest {
    const transcript = this.#transcript;
    const { outputTokens, ...asked } = question;
    const { limits, models } = this.#needs.settings();
    const route = routeOf(model, models);
    return {
      ...asked,
      turn: "",
      model,
      route,
      attachments: [...chips, ...question.attachments],
      notes: [],
      history: insteadOf === undefined ? transcript.items : transcript.itemsBefore(insteadOf),
      form: transcript.form,
      frozen: frozenFor(route, opened),
      limits: limitsOf({ ...limits, ...(outputTokens !== undefined && { outputTokens }) }, this.choices),
    };
  }

  #simplify(form: Simplified["form"]): Promise<void> {
    return this.#recorder.keep({ type: "simplified", at: this.#needs.now(), form });
  }

  #turnNeeds(table: ToolTable): TurnNeeds {
    const { client, workspace, log, now } = this.#needs;
    const { files, protection } = this.#world;
    const context = { files, protection, workspace, proposals: this.#proposals, kept: this.keptPatches };
    const tools = { table, context, decisions: this.#decisions, isTrusted: () => workspace.trusted };
    const sent = (each: Sent) => {
      this.#sent.add(each);
      this.#spending?.learn(each);
    };
    return { client, tools, log, now, sent, simplified: (form) => this.#simplify(form) };
  }
}
