// The façade that panel, commands and status bar share: the open conversation with everything around it, the model for
// the next turn. It knows neither the editor nor the page; they are told by events and answer with actions.
import type { ServiceClient } from "./api/service-client.ts";
import { BeforeSending } from "./before-sending.ts";
import type { Attachment, DraftAttachment } from "./conversation/attachment.ts";
import type { Content } from "./conversation/content.ts";
import type { Decision } from "./conversation/decision.ts";
import type { ConversationEvent } from "./conversation/events.ts";
import { type Model, type Route, routeOf } from "./conversation/models.ts";
import type { Problem, ProblemAction } from "./conversation/problem.ts";
import type { CacheTier, ToolChoice } from "./conversation/record.ts";
import type { Conversation, Turn } from "./conversation/state.ts";
import type { ConversationJournal } from "./conversation-recorder.ts";
import type { ConversationSettings } from "./conversation-settings.ts";
import type { ConversationShelf } from "./conversation-shelf.ts";
import type { DraftPart } from "./draft-attachments.ts";
import type { KeptPatches } from "./kept-patches.ts";
import { type KeptOfTurn, LiveConversation } from "./live-conversation.ts";
import { OpenConversation } from "./open-conversation.ts";
import type { QueuedPrompt } from "./prompt-queue.ts";
import type { RequestCounts } from "./spend-guard.ts";
import type { MissReason } from "./tokens/explain-miss.ts";
import { guardFiles } from "./tools/guarded-files.ts";
import type { HostTool } from "./tools/host-tool.ts";
import { type OtherTool, otherTools } from "./tools/other-tools.ts";
import type { Proposal } from "./tools/proposals.ts";
import { type ReadAttachment, readAttachment } from "./tools/read-attachment.ts";
import { allCommands, type SavedPrompt } from "./turn/commands.ts";
import type { Asked } from "./turn/question.ts";
import type { Sent } from "./turn/sent-requests.ts";
import type { Outgoing } from "./turn/service-request.ts";
import type { Disposable } from "./util/disposables.ts";
import { Emitter, type Listener } from "./util/emitter.ts";
import type { Log } from "./util/log.ts";
import type { Workspace } from "./workspace.ts";
import { type SeenPrompts, WorkspacePrompts } from "./workspace-prompts.ts";

export interface AssistantNeeds {
  readonly client: ServiceClient;
  readonly shelf: ConversationShelf;
  readonly workspace: Workspace;
  readonly log: Log;
  settings(): ConversationSettings;
  defaultModel(): string;
  /** Tools of other extensions and of MCP servers, as they are now. */
  hostTools?(): readonly HostTool[];
  /** Which prompts of workspaces a person has seen; absent: none yet. */
  readonly seenPrompts?: SeenPrompts;
  /** How many tokens something attached will be, as far as can be told without asking anybody. */
  countTokens?(content: Content, model: string): number | undefined;
  /** Counts whole requests; absent: nobody is asked before much is sent. */
  readonly counts?: RequestCounts;
  now(): number;
  newId(): string;
}

export interface Assistant {
  readonly conversation: Conversation;
  readonly draft: string;
  readonly model: string;
  /** Those to choose from. */
  readonly models: readonly Model[];
  /** How the chosen one is spoken to. */
  readonly route: Route;
  /** What will go out with the next question from the panel. */
  readonly attachments: readonly DraftAttachment[];
  /** The question that is being written, with what is attached to it, as it would be sent. */
  readonly draftContents: readonly Content[];
  /** What is attached to it, one by one. */
  readonly draftParts: readonly DraftPart[];
  /** What was asked while a turn was running. */
  readonly queue: readonly QueuedPrompt[];
  /** Ways to ask: ours, the user's, and the workspace's as they were when they were looked for last. */
  readonly commands: readonly SavedPrompt[];
  /** What a person has to answer before something is sent; it is answered by `answer`. */
  readonly question: Problem | undefined;
  readonly webSearch: boolean;
  readonly cacheTier: CacheTier;
  /** Tokens to generate; absent: the service's own limit. */
  readonly outputLimit: number | undefined;
  onEvent(listener: Listener<ConversationEvent>): Disposable;
  /** Another conversation has taken the place of the open one. */
  onReset(listener: Listener<void>): Disposable;
  /** Draft, model, attachments, queue, a choice or what is asked are different. */
  onChange(listener: Listener<void>): Disposable;
  /** Words that were not sent after all belong into the box again, before whatever stands there by now. */
  onPutBack(listener: Listener<string>): Disposable;
  /**
   * Asks, or lines up while a turn runs. Without attachments of its own it takes those of the draft. Resolves with the
   * turn once that has ended; without one when it was taken back.
   */
  send(asked: Asked): Promise<Turn | undefined>;
  /** Answers `question`; false when that was not asked. */
  answer(action: ProblemAction): boolean;
  /** Looks for prompts of the workspace; resolves when `commands` has them. */
  lookForPrompts(): Promise<void>;
  unqueue(id: string): void;
  /** The queue stands still after a turn that went wrong; this sends its first question. */
  sendQueued(): void;
  attach(wish: Attachment): void;
  detach(id: string): void;
  /** What an attachment would be if it was sent now. Nothing is sent. */
  read(wish: Attachment, signal: AbortSignal): Promise<ReadAttachment>;
  /** After a turn that failed: goes on where tools have done their work already, else asks the question again. */
  retry(): void;
  /** The same, without what only the service itself could read: after it refused its own earlier items. */
  retryPlainly(): void;
  /** The last question again, without what was attached to it. */
  askBare(): void;
  /** Goes on with an answer that reached the output limit, and lets it become twice as long. */
  raiseLimit(): void;
  /** Goes on with an answer that did not come to its end. */
  goOn(): void;
  /** Asks the question of a turn again; that turn and what followed it are given up. */
  regenerate(turn: string): void;
  /** The same, in other words. */
  edit(turn: string, prompt: string): void;
  /** Goes another way from here: a new conversation, the same through this turn, takes the place of the open one. */
  branch(turn: string): Promise<void>;
  /** Answers a tool or a patch that asks; nothing happens when it does not. */
  decide(call: string, decision: Decision): void;
  /** What the draft, or another question, would send now, attachments and all. Nothing is sent. */
  preview(asked: Asked | undefined, signal: AbortSignal): Promise<Outgoing>;
  /** What went out in this window for a turn on the Responses operation, request by request. */
  sent(turn: string): readonly Sent[];
  /** What the journal keeps of a turn's requests; `undefined` while the conversation is empty. */
  keptOf(turn: string): Promise<KeptOfTurn | undefined>;
  /** Why a request of this window read less from the cache than it could have; `request` from 1. */
  whyMissed(turn: string, request: number): MissReason | undefined;
  /** A patch of this window in full: to look at, to take back. */
  proposal(call: string): Proposal | undefined;
  /** Patches of the open conversation that were carried out, by this window or by an earlier one. */
  readonly keptPatches: KeptPatches | undefined;
  stop(): void;
  setDraft(text: string): void;
  chooseModel(model: string): void;
  chooseWebSearch(on: boolean): void;
  /** Tools of other extensions and of MCP servers, and what each may do in this conversation. */
  readonly otherTools: readonly OtherTool[];
  /** By their whole names; what is not named may do what the settings say. */
  chooseTools(tools: Readonly<Record<string, ToolChoice>>): void;
  chooseCacheTier(tier: CacheTier): void;
  /** `undefined`: none. */
  chooseOutputLimit(tokens: number | undefined): void;
  /** With this in its box. */
  newConversation(draft?: string): Promise<void>;
  openConversation(id: string): Promise<void>;
  /** Ends what runs; resolves when everything that can be saved is. */
  close(): Promise<void>;
}

/** Interface, "Limits": what holds when nothing is set, and the most that can be. */
const serviceLimit = 131_072;
const mostTokens = 1_048_576;

export async function createAssistant(needs: AssistantNeeds): Promise<Assistant> {
  const { shelf, log, settings } = needs;
  const events = new Emitter<ConversationEvent>();
  const resets = new Emitter<void>();
  const changes = new Emitter<void>();
  const putBacks = new Emitter<string>();
  const before = new BeforeSending(() => changes.fire());
  const files = () => guardFiles(needs.workspace, () => settings().privacy);
  const seen = needs.seenPrompts ?? new Set<string>();
  const prompts = new WorkspacePrompts({ ...needs, seen, files, changed: () => changes.fire() });
  const { turnsOf } = shelf;
  let chosen: string | undefined;
  let moving: Promise<void> = Promise.resolve();
  let open = await lay(await shelf.openLatest());

  async function lay(journal: ConversationJournal | undefined, words = ""): Promise<OpenConversation> {
    const draft = (await journal?.readDraft()) ?? words;
    return new OpenConversation({
      id: journal?.id ?? needs.newId(),
      journal,
      draft,
      create: shelf.create,
      goLive(from) {
        const live = new LiveConversation({ ...needs, turnsOf, journal: from, prompts, ask: before.ask });
        live.onEvent((event) => events.fire(event));
        return live;
      },
      look,
      countTokens: (content) => needs.countTokens?.(content, model()),
      model,
      changed: () => changes.fire(),
      putBack: (words) => putBacks.fire(words),
      log,
      newId: needs.newId,
    });
  }

  function look(wish: Attachment, signal: AbortSignal): Promise<ReadAttachment> {
    const { attachmentBytes: mostBytes } = settings();
    return readAttachment(wish, { files: files(), mostBytes, turnsOf }, signal);
  }

  function model(): string {
    return chosen ?? open.state.turns.at(-1)?.model ?? needs.defaultModel();
  }

  function inBackground(turn: Promise<Turn | undefined>): void {
    turn.catch((error: unknown) => log.error("A turn could not be run.", error));
  }

  const inTurn = (ask: (live: LiveConversation) => Promise<Turn | undefined>) => inBackground(open.run(ask));

  /** One move after the other. The next one is opened first: when that fails, nothing has changed. */
  function move(next: () => Promise<ConversationJournal | undefined>, draft?: string): Promise<void> {
    const done = moving.then(async () => {
      await open.settleDraft();
      const journal = await next();
      await open.close();
      open = await lay(journal, draft);
      chosen = undefined;
      resets.fire();
      changes.fire();
    });
    moving = done.catch(() => {});
    return done;
  }

  return {
    get conversation() {
      return open.state;
    },
    get draft() {
      return open.draft;
    },
    get model() {
      return model();
    },
    get models() {
      return settings().models;
    },
    get route() {
      return routeOf(model(), settings().models);
    },
    get attachments() {
      return open.attachments.list;
    },
    get draftContents() {
      const text = open.draft.trim() === "" ? [] : [{ kind: "text", text: open.draft } as const];
      return [...open.attachments.parts.map(({ content }) => content), ...text];
    },
    get draftParts() {
      return open.attachments.parts;
    },
    get queue() {
      return open.queue.list;
    },
    get commands() {
      return allCommands(settings().prompts, prompts.list);
    },
    get question() {
      return before.question;
    },
    get webSearch() {
      return open.choices.webSearch ?? settings().webSearch;
    },
    get cacheTier() {
      return open.choices.cacheTier ?? settings().limits.cacheTtl ?? "default";
    },
    get outputLimit() {
      const { outputLimit = settings().limits.outputTokens } = open.choices;
      return outputLimit ?? undefined;
    },
    onEvent: events.on,
    onReset: resets.on,
    onChange: changes.on,
    onPutBack: putBacks.on,
    send: (asked) => open.send({ ...asked, attachments: asked.attachments ?? open.attachments.take() }),
    answer: (action) => before.answer(action),
    lookForPrompts: () => prompts.look(),
    unqueue: (id) => open.unqueue(id),
    sendQueued: () => open.sendQueued(),
    attach: (wish) => open.attachments.add(wish),
    detach: (id) => open.attachments.remove(id),
    read: look,
    retry: () => inTurn((live) => live.retry(model())),
    retryPlainly: () => inTurn((live) => live.retryPlainly(model())),
    askBare() {
      const last = open.state.turns.at(-1);
      if (last !== undefined) inTurn((live) => live.askBare(last.id, model()));
    },
    raiseLimit() {
      const { outputLimit = settings().limits.outputTokens } = open.choices;
      open.choose({ outputLimit: Math.min(2 * (outputLimit ?? serviceLimit), mostTokens) });
      inTurn((live) => live.goOn(model()));
    },
    goOn: () => inTurn((live) => live.goOn(model())),
    regenerate: (turn) => inTurn((live) => live.regenerate(turn, model())),
    edit: (turn, prompt) => inBackground(open.edit(turn, prompt)),
    async branch(turn) {
      await move(async () => {
        // What was said last may not be on the disk yet.
        await open.live?.flush();
        return shelf.open(await shelf.branch(open.state.id, turn));
      });
    },
    decide: (call, decision) => void open.live?.decide(call, decision),
    preview: (asked, signal) => open.preview(asked, signal),
    sent: (turn) => open.live?.sent.of(turn) ?? [],
    keptOf: async (turn) => open.live?.keptOf(turn),
    whyMissed: (turn, request) => open.live?.sent.whyMissed(turn, request),
    proposal: (call) => open.live?.proposal(call),
    get keptPatches() {
      return open.live?.keptPatches;
    },
    stop: () => open.live?.stop(),
    setDraft(text) {
      open.setDraft(text);
      changes.fire();
    },
    chooseModel(id) {
      chosen = id;
      changes.fire();
    },
    chooseWebSearch: (webSearch) => open.choose({ webSearch }),
    get otherTools() {
      return otherTools(needs.hostTools?.() ?? [], settings().tools, open.choices.tools ?? {});
    },
    chooseTools: (tools) => open.choose({ tools }),
    chooseCacheTier: (cacheTier) => open.choose({ cacheTier }),
    chooseOutputLimit: (tokens) => open.choose({ outputLimit: tokens ?? null }),
    newConversation: (draft) => move(async () => undefined, draft),
    async openConversation(id) {
      if (id !== open.state.id) await move(() => shelf.open(id));
    },
    close: () => open.close(),
  };
}
