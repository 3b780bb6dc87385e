// One conversation on the product's own session, client and tools, with files and journal in memory: for corpora and foreign
// servers that are pointed at the product. Nothing here throws; what went wrong is part of the answer.

import { randomUUID } from "node:crypto";
import { createServiceClient } from "../../src/core/api/service-client.ts";
import type { ClientSettings } from "../../src/core/api/settings.ts";
import { memoryChangeStore } from "../../src/core/changes/kept-changes.ts";
import type { PendingFile } from "../../src/core/changes/pending-file.ts";
import type { Entry, Workspace } from "../../src/core/changes/workspace.ts";
import type { Attachment } from "../../src/core/conversation/attachment.ts";
import type { Decision } from "../../src/core/conversation/decision.ts";
import type { Problem } from "../../src/core/conversation/problem.ts";
import { type ConversationRecord, remaining } from "../../src/core/conversation/record.ts";
import type { Part, Turn } from "../../src/core/conversation/state.ts";
import { asking } from "../../src/core/conversation/waiting-tools.ts";
import { guardFiles } from "../../src/core/files/guarded-files.ts";
import { nameAfter } from "../../src/core/patch/edits.ts";
import {
  type ConversationSettings,
  defaultConversationSettings,
} from "../../src/core/session/conversation-settings.ts";
import type { ConversationStore } from "../../src/core/session/conversation-store.ts";
import type { ConversationJournal } from "../../src/core/session/recorder.ts";
import type { Session } from "../../src/core/session/session.ts";
import { SessionRegistry } from "../../src/core/session/session-registry.ts";
import { nothingUnsent } from "../../src/core/session/unsent.ts";
import { WorkspacePrompts } from "../../src/core/session/workspace-prompts.ts";
import { silentLog } from "../../src/core/util/log.ts";
import { MemoryWorkspace } from "./memory-workspace.ts";
import { sessionNeeds } from "./session-defaults.ts";

export interface OneConversation {
  /** Resolves when the turn has ended, or a tool waits for a decision. Patches wait for nothing. */
  ask(
    prompt: string,
    options?: { readonly model?: string; readonly attachments?: readonly Attachment[] },
  ): Promise<Answer>;
  stop(): void;
  /** As they are now, by path. */
  files(): Readonly<Record<string, string>>;
  /** Changes that wait for a decision. */
  pending(): readonly PendingChange[];
  /** All that waits, tools as well, or only these changes. Resolves as `ask` does. */
  accept(ids?: readonly string[]): Promise<Answer>;
  reject(ids?: readonly string[], reason?: string): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  /** `waiting`: it goes on when the tool that asks is decided about. */
  readonly status: Turn["status"] | "waiting" | "none";
  /** What the model said. */
  readonly text: string;
  /** The rows of the turn: tools, searches and patches, each with what became of it. */
  readonly rows: readonly string[];
  readonly problem?: Problem;
}

export interface PendingChange {
  readonly id: string;
  readonly calls: readonly string[];
  readonly path: string;
}

export interface OneConversationOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly files: Readonly<Record<string, string>>;
  readonly settings?: Partial<ConversationSettings>;
  /** Timers and names of the client. */
  readonly service?: ClientSettings;
}

export async function oneConversation(options: OneConversationOptions): Promise<OneConversation> {
  const { baseUrl, key, files, service = {} } = options;
  const settings = { ...defaultConversationSettings, askAboveTokens: null, ...options.settings };
  const memory = new MemoryWorkspace(files);
  const workspace = workspaceOf(memory);
  const client = createServiceClient({
    connection: async () => ({ baseUrl, key }),
    settings: () => service,
    log: silentLog,
  });
  const registry = new SessionRegistry({
    ...sessionNeeds,
    store: memoryStore(),
    client,
    workspace,
    prompts: new WorkspacePrompts({
      workspace,
      seen: new Set<string>(),
      files: () => guardFiles(workspace, () => settings.privacy),
      now: Date.now,
    }),
    settings: () => settings,
    approvedTools: new Set<string>(),
    defaultModel: () => "svc-k3",
    log: silentLog,
    now: Date.now,
    newId: randomUUID,
  });
  const { session } = registry.create();

  /** What was decided and has not moved on yet. */
  const decided = new Set<string>();
  session.onEvent((event) => {
    if ("call" in event) decided.delete(event.call);
  });
  const waiting = () =>
    session.state.turns
      .flatMap((turn) => asking(turn))
      .flatMap((part) => ("call" in part && !decided.has(part.call) ? [part.call] : []));

  /** Resolves when nothing runs, or what runs waits for a person. */
  function rest(): Promise<Answer> {
    return new Promise((resolve) => {
      const look = () => {
        const isWaiting = waiting().length > 0;
        if (session.isRunning && !isWaiting) return;
        for (const each of listening) each.dispose();
        resolve(answerOf(session, isWaiting));
      };
      const listening = [session.onChange(look), session.onEvent(look)];
      setImmediate(look);
    });
  }
  const { changes } = session.patches;
  const pending = () => changes.pending.flatMap(changesOf);
  const named = (ids: readonly string[] | undefined) =>
    pending().flatMap(({ id }) => (ids === undefined || ids.includes(id) ? [id] : []));

  /** Tools that ask, where everything is meant. */
  function decide(decision: Decision, ids: readonly string[] | undefined): Promise<Answer> {
    for (const call of ids === undefined ? waiting() : []) {
      decided.add(call);
      session.decide(call, decision);
    }
    return rest();
  }

  return {
    async ask(prompt, { model, attachments = [] } = {}) {
      if (model !== undefined) session.choices.chooseModel(model);
      session.send({ prompt, attachments }).catch(() => undefined);
      return rest();
    },
    stop: () => session.stop(),
    files: () => Object.fromEntries(memory.files),
    pending,
    async accept(ids) {
      await changes.accept(named(ids));
      return decide({ kind: "accept" }, ids);
    },
    async reject(ids, reason) {
      await changes.reject(named(ids), reason);
      return decide({ kind: "reject", ...(reason !== undefined && { reason }) }, ids);
    },
    async close() {
      await registry.close().catch(() => undefined);
      client.dispose();
    },
  };
}

function answerOf(session: Session, isWaiting: boolean): Answer {
  const turn = session.state.turns.at(-1);
  if (turn === undefined) return { status: "none", text: "", rows: [] };
  return {
    status: isWaiting ? "waiting" : turn.status,
    text: turn.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(""),
    rows: turn.parts.flatMap(rowOf),
    ...(turn.problem !== undefined && { problem: turn.problem }),
  };
}

function rowOf(part: Part): string[] {
  if (part.type === "tool") return [`${part.name} ${part.status}`];
  if (part.type === "patch") return [`patch ${part.status}`];
  return part.type === "search" ? [`search ${part.query}`] : [];
}

const changesOf = ({ change, hunks, calls }: PendingFile): PendingChange[] =>
  hunks.map(({ id }) => ({ id, calls, path: nameAfter(change).path }));

/** The whole workspace, one folder, made of strings. */
function workspaceOf(memory: MemoryWorkspace): Workspace {
  return {
    trusted: true,
    folders: memory.folders,
    look: (file) => memory.look(file),
    read: (file) => memory.read(file),
    sha256: (text) => memory.sha256(text),
    async bytes(file) {
      const reading = await memory.read(file);
      return Buffer.from(reading.kind === "text" ? reading.text : "");
    },
    follow: (address) => Promise.resolve([address]),
    list: async ({ path }) => entriesIn(memory, path === "" ? "" : `${path}/`),
    problems: () => [],
    /** All or nothing, and only on the texts that the changes were planned on. */
    async apply(changes) {
      const isStale = changes.some(
        (change) => "base" in change && memory.files.get(change.file.path) !== change.base.text,
      );
      if (isStale) return { outcome: "stale" };
      memory.apply(changes);
      return { outcome: "applied" };
    },
  };
}

function entriesIn({ files }: MemoryWorkspace, start: string): readonly Entry[] {
  const steps = new Map<string, Entry>();
  for (const name of [...files.keys()].filter((each) => each.startsWith(start))) {
    const [first = "", ...more] = name.slice(start.length).split("/");
    steps.set(first, { name: first, kind: more.length > 0 ? "folder" : "file" });
  }
  return [...steps.values()];
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
      records = remaining([...records, { type: "cut", turn, at: 0 }]);
    },
    readUnsent: async () => unsent,
    async writeUnsent(changes) {
      unsent = { ...unsent, ...changes };
    },
    async close() {},
  };
}
