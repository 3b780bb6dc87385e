// The façade that panel, commands and status bar share: the open conversation with everything around it, the model for
// the next turn. It knows neither the editor nor the page; they are told by events and answer with actions.
import type { ServiceClient } from "./api/service-client.ts";
import type { Attachment, DraftAttachment, TokenCount } from "./conversation/attachment.ts";
import type { Content } from "./conversation/content.ts";
import type { Decision } from "./conversation/decision.ts";
import type { ConversationEvent } from "./conversation/events.ts";
import type { Model, Route } from "./conversation/models.ts";
import type { Problem, ProblemAction } from "./conversation/problem.ts";
import type { CacheTier, ToolChoice } from "./conversation/record.ts";
import type { Conversation, Turn } from "./conversation/state.ts";
import type { ConversationSettings } from "./conversation-settings.ts";
import type { ConversationShelf } from "./conversation-shelf.ts";
import type { DraftPart } from "./draft-attachments.ts";
import type { KeptPatches } from "./kept-patches.ts";
import type { KeptOfTurn } from "./live-conversation.ts";
import type { QueuedPrompt } from "./prompt-queue.ts";
import type { RequestCounts, SpendPrices } from "./spend-guard.ts";
import type { MissReason } from "./tokens/explain-miss.ts";
import type { GoingBack } from "./tokens/going-back.ts";
import type { HostTool } from "./tools/host-tool.ts";
import type { OtherTool } from "./tools/other-tools.ts";
import type { Proposal } from "./tools/proposals.ts";
import type { ReadAttachment } from "./tools/read-attachment.ts";
import type { Asked } from "./turn/question.ts";
import type { SavedPrompt } from "./turn/saved-prompt.ts";
import type { Sent } from "./turn/sent-requests.ts";
import type { Outgoing } from "./turn/service-request.ts";
import type { Disposable } from "./util/disposables.ts";
import type { Listener } from "./util/emitter.ts";
import type { Log } from "./util/log.ts";
import type { Workspace } from "./workspace.ts";
import type { SeenPrompts } from "./workspace-prompts.ts";

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
  countTokens?(content: Content, model: string): TokenCount | undefined;
  /** Counts whole requests; absent: nobody is asked before much is sent. */
  readonly counts?: RequestCounts;
  /** What much that is sent would cost; absent: nobody knows. */
  readonly prices?: SpendPrices;
  now(): number;
  newId(): string;
}

export interface Assistant {
  readonly conversation: Conversation;
  readonly draft: string;
  /** Why nothing can be asked in this conversation here, in one sentence. */
  readonly readOnly: string | undefined;
  /** What was lost of it and what is left, in one sentence, where it had to be mended to be opened. */
  readonly repaired: string | undefined;
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
  /** The same in one piece: after a stream that could not be understood. */
  retryWhole(): void;
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
  /** The same, in other words. Resolves like `send`. */
  edit(turn: string, prompt: string): Promise<Turn | undefined>;
  /** Goes another way from here: a new conversation, the same through this turn, takes the place of the open one. */
  branch(turn: string): Promise<void>;
  /** The same, without opening it here; answers what it is called by. */
  branchAside(turn: string): Promise<string>;
  /**
   * Puts a patch that a person made of an answer's code before them for review, as one of that turn. Resolves with the
   * name that it is decided by, once it waits. @throws HumanError why it does not fit.
   */
  propose(turn: string, patch: string): Promise<string>;
  /** Answers a tool or a patch that asks; nothing happens when it does not. */
  decide(call: string, decision: Decision): void;
  /** What the draft, or another question, would send now, attachments and all. Nothing is sent. */
  preview(asked: Asked | undefined, signal: AbortSignal): Promise<Outgoing>;
  /** What went out in this window for a turn on the Responses operation, request by request. */
  sent(turn: string): readonly Sent[];
  /** What the journal keeps of a turn's requests; `undefined` while the conversation is empty. */
  keptOf(turn: string): Promise<KeptOfTurn | undefined>;
  /** What editing a turn, or branching after it, gives up of what the service has cached; about, and only now. */
  costOfGoingBack(turn: string): GoingBack;
  /** Why a request of this window read less from the cache than it could have; `request` from 1. */
  whyMissed(turn: string, request: number): MissReason | undefined;
  /** A patch of this window in full: to look at, to take back. */
  proposal(call: string): Proposal | undefined;
  /** Patches of the open conversation that were carried out, by this window or by an earlier one. */
  readonly keptPatches: KeptPatches | undefined;
  /** What a patch had changed is as it was: from now on the conversation says so. */
  tookBack(call: string): Promise<void>;
  /** It was taken back, and is in the files again. */
  putAgain(call: string): Promise<void>;
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
