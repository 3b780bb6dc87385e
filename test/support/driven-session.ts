// The product's own session, client and tools on a workspace, driven without a window: a question is asked, and whoever
// asked resumes when nothing runs any more or what runs waits for a person. Nothing here throws; what went wrong is part
// of the answer.
import { randomUUID } from "node:crypto";
import { memoryChangeStore } from "../../src/changes/change-store.ts";
import type { PendingFile } from "../../src/changes/pending-changes.ts";
import type { AcceptOutcome } from "../../src/changes/proposal.ts";
import type { CheckHost } from "../../src/checks/check.ts";
import type { CommandHost } from "../../src/commands/command-host.ts";
import { inEnglish } from "../../src/conversation/english.ts";
import { type ConversationRecord, type Decision, withoutCutRecords } from "../../src/conversation/events.ts";
import type { Problem, ProblemAction } from "../../src/conversation/problem.ts";
import { waitingTools } from "../../src/conversation/reduce.ts";
import type { Attachment, Part, Turn } from "../../src/conversation/state.ts";
import { guardFiles } from "../../src/files/guarded-files.ts";
import type { Workspace } from "../../src/files/workspace.ts";
import { createServiceClient } from "../../src/service/service-client.ts";
import type { ClientSettings } from "../../src/service/settings.ts";
import type { ConversationStore } from "../../src/session/conversation-store.ts";
import type { JournalKind } from "../../src/session/internal/new-journal.ts";
import type { ConversationJournal } from "../../src/session/internal/recorder.ts";
import { nothingUnsent } from "../../src/session/internal/session-draft.ts";
import type { Session } from "../../src/session/session.ts";
import {
  type ConversationSettings,
  defaultConversationSettings,
  type SessionContext,
} from "../../src/session/session-context.ts";
import { SessionRegistry } from "../../src/session/session-registry.ts";
import { WorkspacePrompts } from "../../src/session/slash-commands.ts";
import { silentLog } from "../../src/util/log.ts";
import { english } from "./english.ts";
import { sessionNeeds } from "./session-defaults.ts";

/** What went wrong, for those who know nothing of our messages. */
export interface PlainProblem {
  readonly kind: string;
  /** In English. */
  readonly message: string;
}

export const plainProblem = ({ kind, message }: Problem): PlainProblem => ({
  kind,
  message: inEnglish(message),
});

export interface Answer {
  /** `waiting`: it goes on when the tool that asks, or the question, is decided about. `none`: nothing was asked yet. */
  readonly status:
    | "running"
    | "done"
    | "incomplete"
    | "stopped"
    | "failed"
    | "interrupted"
    | "waiting"
    | "none";
  /** What the model said. */
  readonly text: string;
  /** The rows of the turn: tools, searches and patches, each with what became of it. */
  readonly rows: readonly string[];
  readonly problem?: PlainProblem;
  /** What a person is asked before something is sent, in English. */
  readonly question?: string;
  /** Why what was accepted just now was not applied, in English. */
  readonly notApplied?: string;
}

export interface ConversationOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly settings?: Partial<ConversationSettings>;
  /** Timers and names of the client. */
  readonly service?: ClientSettings;
  /** What an action of the editor asks is a `task`; a `bare` one has no tools but those of `onlyTools`. */
  readonly kind?: JournalKind;
  readonly onlyTools?: readonly string[];
  /** Clock and ids, for whoever compares what goes out byte for byte. */
  readonly now?: () => number;
  readonly newId?: () => string;
}

export interface SessionOptions extends ConversationOptions {
  /** The model of a conversation that has chosen none. */
  readonly model?: string;
  readonly checkHost?: CheckHost | undefined;
  readonly commandHost?: CommandHost | undefined;
  readonly lookAtEditor?: SessionContext["lookAtEditor"];
  /** Other conversations, for those who attach them. */
  turnsOf?(conversation: string): Promise<readonly Turn[] | undefined>;
}

export interface DrivenSession {
  readonly session: Session;
  /** Runs this, and answers as soon as the session rests: the turn has ended, or a tool or a question waits. */
  answer(ask: () => Promise<unknown>): Promise<Answer>;
  send(prompt: string, attachments: readonly Attachment[]): Promise<Answer>;
  /** How the last turn stands now. */
  now(): Answer;
  /** Lets what waits for an answer go on, and leaves alone what is proposed. */
  agree(): Promise<Answer>;
  /** Everything that waits, tools and questions as well, or only these hunks. */
  accept(ids?: readonly string[]): Promise<Answer>;
  reject(ids?: readonly string[], reason?: string): Promise<Answer>;
  close(): Promise<void>;
}

export function driveSession(workspace: Workspace, options: SessionOptions): DrivenSession {
  const { baseUrl, key, model = "svc-k3", service = {}, checkHost, kind = "chat" } = options;
  const { now: clock = Date.now, newId = randomUUID, turnsOf = async () => undefined } = options;
  const settings = { ...defaultConversationSettings, askAboveTokens: null, ...options.settings };
  const client = createServiceClient({
    connection: async () => ({ baseUrl, key }),
    settings: () => service,
    log: silentLog,
  });
  const registry = new SessionRegistry({
    ...sessionNeeds,
    store: { ...memoryStore(), turnsOf },
    client,
    workspace,
    checkHost,
    commandHost: options.commandHost,
    lookAtEditor: options.lookAtEditor,
    prompts: new WorkspacePrompts({
      workspace,
      seen: new Set<string>(),
      files: () => guardFiles(workspace, () => settings.privacy),
      now: clock,
    }),
    settings: () => settings,
    approvedTools: new Set<string>(),
    defaultModel: () => model,
    log: silentLog,
    now: clock,
    newId,
  });
  const begin = {
    chat: () => registry.create(),
    task: () => registry.task(),
    bare: () => registry.bareTask(options.onlyTools),
  };
  const { session } = begin[kind]();
  const { changes } = session.patches;

  /** What was decided and has not moved on yet. */
  const decided = new Set<string>();
  session.onEvent((event) => {
    if ("call" in event) decided.delete(event.call);
  });
  const waitingCalls = () =>
    session.state.turns
      .flatMap((turn) => waitingTools(turn))
      .flatMap((part) => ("call" in part && !decided.has(part.call) ? [part.call] : []));
  const isWaiting = () => waitingCalls().length > 0 || session.question !== undefined;

  /** Resolves when nothing runs, or what runs waits for a person. */
  function rest(): Promise<Answer> {
    return new Promise((resolve) => {
      const look = () => {
        if (session.isRunning && !isWaiting()) return;
        for (const each of listening) each.dispose();
        resolve(now());
      };
      const listening = [session.onChange(look), session.onEvent(look)];
      setImmediate(look);
    });
  }

  function now(): Answer {
    const { question } = session;
    return {
      ...answerOf(session.state.turns.at(-1), isWaiting()),
      ...(question !== undefined && { question: english(question) }),
    };
  }

  /** Of what can be decided about. */
  const named = (ids: readonly string[] | undefined) =>
    changes.pending
      .filter(({ problem }) => problem === undefined)
      .flatMap(({ hunks }: PendingFile) => hunks.map(({ id }) => id))
      .filter((id) => ids === undefined || ids.includes(id));

  /** As the buttons do it: of everything, what can be written; of some, all or nothing. */
  const take = (ids: readonly string[] | undefined, wanted: readonly string[]): Promise<AcceptOutcome> =>
    ids === undefined && wanted.length > 0
      ? changes.acceptFiles(new Map(changes.pending.map(({ id, revision }) => [id, revision])))
      : changes.accept(wanted);

  /** Tools and questions, where everything is meant. */
  function decide(decision: Decision, ids: readonly string[] | undefined): Promise<Answer> {
    const { question } = session;
    if (ids === undefined && question !== undefined)
      session.answer(chosenFrom(question.actions, decision.kind === "accept"));
    for (const call of ids === undefined ? waitingCalls() : []) {
      decided.add(call);
      session.decide(call, decision);
    }
    return rest();
  }

  function answer(ask: () => Promise<unknown>): Promise<Answer> {
    ask().catch(() => undefined);
    return rest();
  }

  return {
    session,
    answer,
    now,
    send: (prompt, attachments) => answer(() => session.send({ prompt, attachments })),
    agree: () => decide({ kind: "accept" }, undefined),
    async accept(ids) {
      await changes.refresh();
      const wanted = named(ids);
      const isRevised = ids !== undefined && wanted.length < ids.length;
      const notApplied = whyNot(isRevised ? { outcome: "revised" } : await take(ids, wanted));
      return { ...(await decide({ kind: "accept" }, ids)), ...(notApplied !== undefined && { notApplied }) };
    },
    async reject(ids, reason) {
      await changes.reject(named(ids), reason);
      const conflicted = changes.pending.filter(({ conflicts }) => conflicts.length > 0);
      for (const { id } of ids === undefined ? conflicted : []) await changes.rejectConflicts(id, reason);
      return decide({ kind: "reject", ...(reason !== undefined && { reason }) }, ids);
    },
    async close() {
      await registry.close().catch(() => undefined);
      client.dispose();
    },
  };
}

/** How a turn stands, without what waits beside it. */
export function answerOf(turn: Turn | undefined, isWaiting = false): Answer {
  if (turn === undefined) return { status: isWaiting ? "waiting" : "none", text: "", rows: [] };
  return {
    status: isWaiting ? "waiting" : turn.status,
    text: turn.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n"),
    rows: turn.parts.flatMap(rowOf),
    ...(turn.problem !== undefined && { problem: plainProblem(turn.problem) }),
  };
}

function rowOf(part: Part): string[] {
  if (part.type === "tool") return [`${part.name} ${part.status}`];
  if (part.type === "patch") return [`patch ${part.status}`];
  return part.type === "search" ? [`search ${part.query}`] : [];
}

/** What lets a question go on, or keeps what it is about here. */
function chosenFrom(actions: readonly ProblemAction[], isYes: boolean): ProblemAction {
  const wanted: readonly ProblemAction[] = isYes ? ["compact", "send-anyway"] : ["keep-draft", "cancel"];
  return wanted.find((action) => actions.includes(action)) ?? actions.at(isYes ? 0 : -1) ?? "cancel";
}

function whyNot(accepted: AcceptOutcome): string | undefined {
  switch (accepted.outcome) {
    case "done":
      return undefined;
    case "refused":
      return inEnglish(accepted.why);
    case "unfit":
      return "Nothing of it fits the files.";
    case "declined":
      return "The editor has declined it.";
    case "revised":
      return "What was accepted is not what is proposed now.";
    default:
      return accepted satisfies never;
  }
}

function memoryStore(): ConversationStore {
  return {
    latest: async () => undefined,
    open: (id) => Promise.reject(new Error(`There is no conversation ${id}.`)),
    create: async (id) => memoryJournal(id),
    branch: () => Promise.reject(new Error("There is one conversation.")),
    turnsOf: async () => undefined,
  };
}

function memoryJournal(id: string): ConversationJournal {
  let records: ConversationRecord[] = [];
  let unsent = nothingUnsent;
  return {
    id,
    records: [],
    changes: memoryChangeStore(),
    async append(record) {
      records.push(record);
    },
    async cutFrom(turn) {
      records = withoutCutRecords([...records, { type: "cut", turn, at: 0 }]);
    },
    readUnsent: async () => unsent,
    async writeUnsent(changes) {
      unsent = { ...unsent, ...changes };
    },
    async close() {},
  };
}
