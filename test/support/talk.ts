// A conversation over real HTTP with the simulator, in a workspace on disk, with a journal that keeps what a disk
// would: text. Everything a test of turns needs to watch or to decide.
import assert from "node:assert/strict";
import { after } from "node:test";
import { type ChangeStore, memoryChangeStore } from "../../src/changes/change-store.ts";
import type { CheckHost } from "../../src/checks/check.ts";
import {
  type ConversationEvent,
  type ConversationRecord,
  type Decision,
  withoutCutRecords,
} from "../../src/conversation/events.ts";
import type { Problem, ProblemAction } from "../../src/conversation/problem.ts";
import type { Turn } from "../../src/conversation/state.ts";
import { guardFiles } from "../../src/files/guarded-files.ts";
import { createServiceClient, type ServiceClient } from "../../src/service/service-client.ts";
import type { ClientSettings } from "../../src/service/settings.ts";
import { compact, edit, type RetryMode, retry } from "../../src/session/internal/ask-again.ts";
import { ConversationState } from "../../src/session/internal/conversation-state.ts";
import { WorkspaceAgents } from "../../src/session/internal/custom-agents.ts";
import { InstructionConsent } from "../../src/session/internal/instruction-consent.ts";
import { PromptQueue } from "../../src/session/internal/prompt-queue.ts";
import type { ConversationJournal } from "../../src/session/internal/recorder.ts";
import { askQuestion } from "../../src/session/internal/run-turn.ts";
import { nothingUnsent } from "../../src/session/internal/session-draft.ts";
import type { AskOptions, UserInput } from "../../src/session/internal/user-question.ts";
import {
  type ConversationSettings,
  defaultConversationSettings,
  type EditorLook,
  type SessionContext,
} from "../../src/session/session-context.ts";
import { WorkspacePrompts } from "../../src/session/slash-commands.ts";
import { type HostTool, hostTool } from "../../src/tools/tool-table.ts";
import type { Disposable } from "../../src/util/disposables.ts";
import { Emitter } from "../../src/util/emitter.ts";
import { silentLog } from "../../src/util/log.ts";
import { present } from "../../src/util/present.ts";
import type { ProfileName } from "../sim/profiles.ts";
import type { Step } from "../sim/service.ts";
import { type Simulator, startSimulator } from "../sim/simulator.ts";
import { asking } from "./asking.ts";
import { acceptPatch, rejectPatch } from "./decide-patches.ts";
import { english } from "./english.ts";
import { createFolderWorkspace, type FolderWorkspace } from "./folder-workspace.ts";
import { sessionNeeds } from "./session-defaults.ts";

export interface Talk {
  readonly sim: Simulator;
  readonly profile: ProfileName;
  readonly workspace: FolderWorkspace;
  readonly client: ServiceClient;
  readonly conversation: AskedConversation;
  /** Stops what was asked last. */
  stop(): void;
  onEvent(listener: (event: ConversationEvent) => void): Disposable;
  readonly events: ConversationEvent[];
  /** The lines of the journal. */
  readonly lines: string[];
  /** What the log was told as an error. */
  readonly errors: string[];
  settings: ConversationSettings;
  /** Tools of others, as they are now. */
  readonly hostTools: HostTool[];
  /** Those that a person has agreed to by what they are: all that are there at first. */
  readonly approvedTools: Set<string>;
  /** Timers and names of the client. */
  service: ClientSettings;
  /** Where it is sent, and with what key. */
  address: string;
  key: string;
  /** Why nothing can be sent. */
  problem: Problem | undefined;
  /** Answers whatever asks, and decides about patches once their turn has ended; set it before. */
  decide: (event: Extract<ConversationEvent, { type: "tool" | "patch" }>) => Decision | undefined;
  ask(prompt: string | UserInput, model?: string): Promise<Turn>;
  last(): Turn;
  /** The bodies of the generating requests so far. */
  bodies(): { raw: string; body: Record<string, unknown>; input: Record<string, unknown>[] }[];
  /** The same journal, opened by another process. */
  reopen(lines?: readonly string[]): Talk;
  /** Another conversation of the same process. */
  beside(): Talk;
}

export interface TalkOptions {
  readonly profile?: ProfileName;
  readonly workspace?: FolderWorkspace;
  readonly settings?: Partial<ConversationSettings>;
  readonly hostTools?: readonly HostTool[];
  /** Timers and names of the client. */
  readonly service?: ClientSettings;
  /** What the service takes for a key besides its own. */
  readonly otherKeys?: readonly string[];
  /** Answers what is not scripted. */
  readonly assistant?: Step;
  /** Answers what a person is asked before something is sent. */
  readonly answer?: (question: Problem) => ProblemAction | undefined;
  /** What a person has in front of them. */
  readonly lookAtEditor?: (since: number) => EditorLook;
  /** What a person has agreed to before, of what the workspace's files say; absent: all of it. */
  readonly agreed?: Set<string>;
  /** The skills of a person's own folders. */
  readonly personalSkills?: SessionContext["personalSkills"];
  /** Runs the person's checks. */
  readonly checkHost?: CheckHost;
  /** Nothing can be saved. */
  readonly failingDisk?: boolean;
}

/** A conversation, and the ways in which a session asks it. */
class AskedConversation extends ConversationState {
  send = (input: UserInput, options: AskOptions) => askQuestion(this, input, options);
  retry = (way: RetryMode, options: AskOptions, turn?: string) => retry(this, way, options, turn);
  edit = (turn: string, prompt: string, options: AskOptions) => edit(this, turn, prompt, options);
  compact = (options: AskOptions) => compact(this, options);
}

let clock = 1_700_000_000_000;
let ids = 0;

interface World extends Pick<Talk, "sim" | "workspace" | "settings" | "hostTools" | "approvedTools"> {
  readonly options: TalkOptions;
}

export async function startTalk(options: TalkOptions = {}): Promise<Talk> {
  const { profile, assistant, otherKeys } = options;
  const sim = await startSimulator(present({ profile, assistant, otherKeys }));
  const workspace = options.workspace ?? createFolderWorkspace();
  const settings = { ...defaultConversationSettings, askAboveTokens: null, ...options.settings };
  after(() => sim.close());
  const hostTools = [...(options.hostTools ?? [])];
  const approvedTools = new Set(hostTools.flatMap((host) => hostTool(host).identity ?? []));
  return openTalk({ sim, workspace, settings, hostTools, approvedTools, options }, newMemory([]));
}

/** What a disk would keep of a conversation. */
interface Memory {
  readonly lines: string[];
  readonly changes: ChangeStore;
}

const newMemory = (lines: string[], changes = memoryChangeStore()): Memory => ({ lines, changes });

function openTalk(world: World, memory: Memory, shared?: ServiceClient): Talk {
  const { lines } = memory;
  const { sim, workspace, settings, hostTools, approvedTools, options } = world;
  const events: ConversationEvent[] = [];
  const heard = new Emitter<ConversationEvent>();
  const errors: string[] = [];
  let stopping = new AbortController();
  const log = {
    ...silentLog,
    error: (message: string, cause: unknown) => void errors.push(`${message} ${String(cause)}`),
  };
  const client =
    shared ??
    createServiceClient({
      connection: async () => talk.problem ?? { baseUrl: talk.address, key: talk.key },
      settings: () => talk.service,
      log,
      wait: async () => {},
    });
  after(() => client.dispose());
  const talk: Talk = {
    sim,
    profile: options.profile ?? "standard",
    workspace,
    events,
    lines,
    errors,
    settings,
    hostTools,
    approvedTools,
    service: options.service ?? {},
    address: sim.url,
    key: sim.key,
    problem: undefined,
    client,
    conversation: new AskedConversation({
      ...sessionNeeds,
      agents: new WorkspaceAgents({
        ...{ workspace, heldBack() {}, now: () => clock },
        settings: () => talk.settings,
      }),
      client,
      journal: journalOver(memory, options.failingDisk ?? false),
      workspace,
      log,
      settings: () => talk.settings,
      prompts: new WorkspacePrompts({
        workspace,
        seen: new Set<string>(),
        files: () => guardFiles(workspace, () => talk.settings.privacy),
        now: () => clock,
      }),
      hostTools: () => hostTools,
      approvedTools,
      emit: (event) => heard.fire(event),
      lookAtEditor: options.lookAtEditor,
      ...present({ personalSkills: options.personalSkills, checkHost: options.checkHost }),
      ...(options.agreed && { consent: new InstructionConsent(options.agreed) }),
      ask: async (question) => options.answer?.(question),
      hold: async () => {},
      queue: new PromptQueue(() => {}),
      turnsOf: async () => undefined,
      now: () => clock++,
      newId: () => `id-${ids++}`,
    }),
    stop: () => stopping.abort(),
    onEvent: heard.on,
    decide: () => undefined,
    async ask(prompt, model) {
      stopping = new AbortController();
      const asked = typeof prompt === "string" ? { prompt } : prompt;
      await talk.conversation.send(asked, asking(model, stopping));
      await decideAll(talk);
      return talk.last();
    },
    last() {
      const turn = talk.conversation.state.turns.at(-1);
      assert.ok(turn);
      return turn;
    },
    bodies: () =>
      sim.requests.map(({ body, raw }) => ({
        raw: raw.toString("utf8"),
        body,
        input: (body["input"] ?? []) as Record<string, unknown>[],
      })),
    reopen: (from = lines) =>
      openTalk({ ...world, settings: talk.settings }, newMemory([...from], memory.changes)),
    beside: () => openTalk({ ...world, settings: talk.settings }, newMemory([]), client),
  };
  talk.onEvent((event) => {
    events.push(event);
    if (event.type !== "tool" || event.status !== "asked") return;
    const decision = talk.decide(event);
    if (decision !== undefined) talk.conversation.decisions.decide(event.call, decision);
  });
  return talk;
}

async function decideAll(talk: Talk): Promise<void> {
  const { conversation, onEvent } = talk;
  const decider = { changes: conversation.changes, onEvent };
  const isWaiting = ({ call, status }: { call: string; status: string }) =>
    status === "proposed" && [...conversation.changes.statusesOf(call).values()].includes("pending");
  for (const { id: turn, parts } of conversation.state.turns)
    for (const part of parts) {
      if (part.type !== "patch" || !isWaiting(part)) continue;
      const decision = talk.decide({ ...part, turn });
      if (decision?.kind === "accept") await acceptPatch(decider, part.call);
      if (decision?.kind === "reject") await rejectPatch(decider, part.call, decision.reason);
    }
}

function journalOver({ lines, changes }: Memory, isFailing: boolean): ConversationJournal {
  return {
    id: "c",
    changes,
    records: lines.map((line) => JSON.parse(line) as ConversationRecord),
    async append(record) {
      if (isFailing) throw new Error("The disk is full.");
      lines.push(JSON.stringify(record));
    },
    async cutFrom(turn) {
      const cut: ConversationRecord = { type: "cut", turn, at: 0 };
      const records = lines.map((line) => JSON.parse(line) as ConversationRecord);
      lines.splice(
        0,
        lines.length,
        ...withoutCutRecords([...records, cut]).map((record) => JSON.stringify(record)),
      );
    },
    readUnsent: async () => nothingUnsent,
    writeUnsent: async () => {},
    close: async () => {},
  };
}

/** The words of a turn, part by part: what a person would read. */
export const reading = (turn: Turn): string[] =>
  turn.parts.map((part) => {
    if (part.type === "tool") return `${part.name} ${part.status}`;
    if (part.type === "patch") return `patch ${part.status}`;
    if (part.type === "other") return `other ${part.kind}`;
    if (part.type === "steered") return `steered ${part.prompt}`;
    if (part.type === "note") return `note ${english(part.notes)}`;
    return part.type === "search" ? `search ${part.query}` : `${part.type} ${part.text}`;
  });

export function lastBody(talk: Talk) {
  const body = talk.bodies().at(-1);
  assert.ok(body);
  return body;
}

/** The outputs of calls in a request, by call id. */
export const outputs = ({ input }: Pick<ReturnType<typeof lastBody>, "input">) =>
  input
    .filter(({ type }) => String(type).endsWith("_output"))
    .map(({ call_id, output }) => [call_id, output]);
