// A turn outside of every conversation: it goes on from what was said in one, or from nothing, with a change set of its
// own. No list contains it, no page shows it, and nothing of it reaches the conversation unless a person takes it. Who
// starts it keeps it (`kept`), and can open it again in another window.

import * as z from "zod/mini";
import type { ChangeSet } from "../changes/change-set.ts";
import { type ChangeStore, memoryChangeStore } from "../changes/change-store.ts";
import type { PendingFile } from "../changes/pending-changes.ts";
import { hashOf } from "../changes/proposal.ts";
import type { SessionChecks } from "../checks/session-checks.ts";
import {
  type Chosen,
  type ConversationEvent,
  type ConversationRecord,
  type Opened,
  StoredRecord,
  withoutCutRecords,
} from "../conversation/events.ts";
import type { Turn } from "../conversation/state.ts";
import { pathOf } from "../files/refusal.ts";
import type { FileChange, FileName } from "../patch/model.ts";
import type { Outgoing } from "../service/request.ts";
import type { HostTool } from "../tools/tool-table.ts";
import { present } from "../util/present.ts";
import type { RequestDeps } from "./internal/build-request.ts";
import { ConversationState } from "./internal/conversation-state.ts";
import { PromptQueue } from "./internal/prompt-queue.ts";
import type { ConversationJournal } from "./internal/recorder.ts";
import { ask, askQuestion } from "./internal/run-turn.ts";
import { nothingUnsent } from "./internal/session-draft.ts";
import { Transcript } from "./internal/transcript.ts";
import { outgoingOf } from "./internal/turn-request.ts";
import { type AskOptions, type EarlierQuestion, repeated, type UserInput } from "./internal/user-question.ts";
import type { ConversationSettings, SessionContext } from "./session-context.ts";

/** What is shared with every conversation of the window. */
export type SideTurnContext = RequestDeps;

/** A conversation at one moment, for turns that go on from there; `Session.point` makes it. */
export interface SidePoint {
  readonly transcript: Transcript;
  /** What is proposed in it. */
  readonly changes: Pick<ChangeStore, "read" | "get"> | undefined;
  /** The question of the turn in whose place these turns are asked. */
  readonly again?: EarlierQuestion;
  /** The patches of that turn and those after it. */
  readonly withdrawn?: readonly string[];
}

/** The point of a conversation in which nothing was said. `id` appears in the ledger and in what is inspected. */
export const emptyPoint = (id: string): SidePoint => ({
  transcript: new Transcript(id, []),
  changes: undefined,
});

/** A side turn as data: what it has said, and what it proposes. */
export const KeptSideTurn = z.object({
  turn: z.string(),
  /** The last turn of the conversation from which it goes on; absent: there was none. */
  after: z.optional(z.string()),
  records: z.array(z.unknown()),
  /** Of its change set: the state, and the texts of it that the conversation doesn't have. */
  changes: z.object({ state: z.string(), texts: z.array(z.string()) }),
});
export type KeptSideTurn = Readonly<z.infer<typeof KeptSideTurn>>;

export interface SideTurnStart {
  readonly from: SidePoint;
  /** Absent: the question of the turn in whose place it is asked (`SidePoint.again`). */
  readonly asked?: UserInput | undefined;
  readonly model: string;
  readonly signal: AbortSignal;
  /** The id of the turn; absent: a new one. */
  readonly turn?: string | undefined;
  /** Chosen for this turn alone, such as its effort. */
  readonly choices?: Chosen | undefined;
  /** The opening of an earlier side turn, where the conversation has none: turns with the same one share its cache. */
  readonly opened?: Opened | undefined;
  /** Takes the place of what the window has: another workspace, other checks or none. */
  readonly instead?: Partial<Pick<SessionContext, "workspace" | "checkHost" | "commandHost" | "hostTools">>;
  /** Read at each step; takes precedence over the settings. */
  settings?(): Partial<ConversationSettings>;
  /** Each event, with its usage and receipts. */
  onEvent?(event: ConversationEvent): void;
}

export interface SideTurn {
  readonly turn: string;
  /** Resolves once the turn has ended, with undefined if nothing was sent; never rejects. */
  readonly done: Promise<Turn | undefined>;
  /** The turn so far. One that was too long may go on in another, which is this one then. */
  readonly state: Turn | undefined;
  /** Everything that was asked for it: also the summary of a conversation that was too long. */
  readonly turns: readonly Turn[];
  readonly opened: Opened | undefined;
  /** What it proposes, on top of what was proposed at its point. */
  readonly changes: ChangeSet;
  /** The person's checks on that; absent if none can run. */
  readonly checks: SessionChecks | undefined;
  /** The files that it would change, without what was proposed before it. */
  readonly files: readonly PendingFile[];
  nameOf(file: FileName): string;
  /** What it has said, in order, and the changes of its patches. */
  outcome(): Promise<SideOutcome>;
  /** The same as data. */
  kept(): Promise<KeptSideTurn>;
  /** Ends what runs, and releases what it holds. */
  close(): Promise<void>;
}

/** What a conversation takes over of a side turn. */
export interface SideOutcome {
  readonly turn: string;
  /** The last turn of the conversation from which it goes on. */
  readonly after: string | undefined;
  readonly records: readonly ConversationRecord[];
  readonly patches: readonly { readonly call: string; readonly changes: readonly FileChange[] }[];
}

/** Whether this is still the last turn of a conversation, apart from the one whose place is to be taken. */
export function goesOnFrom(
  turns: readonly Pick<Turn, "id">[],
  after: string | undefined,
  insteadOf: string | undefined,
): boolean {
  const left = insteadOf !== undefined && turns.at(-1)?.id === insteadOf ? turns.slice(0, -1) : turns;
  return left.at(-1)?.id === after;
}

/**
 * Asks outside of every conversation. Nobody is there to be asked meanwhile: what a person would have to confirm is not
 * done, a question of the model gets no answer, and nothing is accepted by a rule. Whoever starts it has told what it
 * may cost.
 */
export function startSideTurn(context: SideTurnContext, start: SideTurnStart): SideTurn {
  const { from, asked, model, choices, opened } = start;
  const turn = start.turn ?? context.newId();
  const transcript = from.transcript.copy();
  const records: ConversationRecord[] = [];
  if (opened !== undefined && transcript.opened === undefined) {
    transcript.take(opened);
    // Whoever takes this turn goes on with its opening.
    records.push(opened);
  }
  if (choices !== undefined) transcript.take({ type: "choices", at: context.now(), ...choices });
  const stopping = new AbortController();
  const signal = AbortSignal.any([start.signal, stopping.signal]);
  const store = storeOver(from.changes);
  const side = openSide(context, { ...start, turn, transcript, store, records });
  const { conversation } = side;
  const run = async () => {
    await conversation.changes.withdraw(from.withdrawn ?? []);
    const options: AskOptions = { model, signal, turn, cause: "candidate" };
    const { again } = from;
    if (asked !== undefined) await askQuestion(conversation, asked, options);
    else if (again !== undefined) await ask(conversation, () => repeated(again), options);
    await conversation.recorder.flush();
    return stateOf(side, from, turn);
  };
  const done = run().catch((error: unknown) => {
    if (!signal.aborted) context.log.error("A turn outside of a conversation could not be run.", error);
    return stateOf(side, from, turn);
  });
  const after = from.transcript.state.turns.at(-1)?.id;
  return sideTurnOf(side, { turn, after, from, done, store, stop: () => stopping.abort() });
}

/** Opens a side turn of an earlier window. One that ran then was cut off with that window. */
export function openSideTurn(
  context: SideTurnContext,
  from: SidePoint,
  { turn, after, records: kept, changes }: KeptSideTurn,
  instead?: SideTurnStart["instead"],
): SideTurn {
  const records = kept.flatMap((record): ConversationRecord[] => {
    const read = StoredRecord.safeParse(record);
    return read.success ? [read.data] : [];
  });
  const transcript = from.transcript.copy();
  for (const record of records) transcript.take(record);
  const own = textsByHash(changes.texts);
  const store = storeOver({
    read: async () => changes.state,
    get: async (name) => (await own(name)) ?? from.changes?.get(name),
  });
  const side = openSide(context, { ...present({ instead }), turn, transcript, store, records });
  const done = Promise.resolve(stateOf(side, from, turn));
  return sideTurnOf(side, { turn, after, from, done, store, stop() {} });
}

/** The request that a side turn would send first. Nothing is sent or kept. */
export async function previewSideTurn(
  context: SideTurnContext,
  { from, asked, model, choices, instead, signal }: SideTurnStart,
): Promise<Outgoing> {
  const transcript = from.transcript.copy();
  if (choices !== undefined) transcript.take({ type: "choices", at: context.now(), ...choices });
  const store = storeOver(from.changes);
  const side = openSide(context, { ...present({ instead }), turn: "", transcript, store, records: [] });
  const { requests } = side.conversation;
  try {
    if (asked !== undefined) return await requests.preview(asked, model, signal);
    if (from.again === undefined) throw new Error("A side turn without a question.");
    return outgoingOf(requests.make(repeated(from.again), model, await requests.settle(model)));
  } finally {
    await side.conversation.close();
  }
}

interface Side {
  readonly conversation: ConversationState;
  /** What was added to the point it goes on from. */
  readonly records: readonly ConversationRecord[];
}

function openSide(
  context: SideTurnContext,
  start: Pick<SideTurnStart, "instead" | "settings" | "onEvent"> & {
    readonly turn: string;
    readonly transcript: Transcript;
    readonly store: ChangeStore;
    readonly records: readonly ConversationRecord[];
  },
): Side {
  const { transcript, store } = start;
  const records = [...start.records];
  const journal: ConversationJournal = {
    id: transcript.state.id,
    records: [],
    changes: store,
    async append(record) {
      records.push(record);
    },
    async cutFrom(cut) {
      const kept = withoutCutRecords([...records, { type: "cut", turn: cut, at: 0 }]);
      records.length = 0;
      for (const each of kept) records.push(each);
    },
    readUnsent: async () => nothingUnsent,
    async writeUnsent() {},
    async close() {},
  };
  const conversation = new ConversationState({
    ...context,
    ...start.instead,
    hostTools: () => (start.instead?.hostTools ?? context.hostTools)().map(withoutActing),
    // The conversation's own requests are not compared with these.
    exchanged: (owner, exchange) => context.exchanged({ ...owner, conversation: start.turn }, exchange),
    settings: () => ({
      ...context.settings(),
      ...start.settings?.(),
      autoAccept: [],
      // Whoever starts side turns has told beforehand what they cost.
      askAboveTokens: null,
    }),
    journal,
    transcript,
    emit(event) {
      start.onEvent?.(event);
      if (event.type === "tool" && event.status === "asked")
        conversation.decisions.decide(event.call, { kind: "reject" });
    },
    ask: async () => undefined,
    async hold() {},
    queue: new PromptQueue(() => {}),
  });
  return { conversation, records };
}

/** Where one of several answers is asked for, a tool of somebody else would act as often. */
const withoutActing = (tool: HostTool): HostTool =>
  tool.readOnly
    ? tool
    : { ...tool, call: () => Promise.reject(new Error("It can't run while several answers are tried.")) };

/** What was asked since the point. */
const turnsSince = ({ conversation }: Side, { transcript }: SidePoint): readonly Turn[] => {
  const before = new Set(transcript.state.turns.map(({ id }) => id));
  return conversation.state.turns.filter(({ id }) => !before.has(id));
};

function stateOf(side: Side, from: SidePoint, turn: string): Turn | undefined {
  const own = side.conversation.recorder.transcript.turn(turn);
  return own?.status === "failed" ? turnsSince(side, from).at(-1) : own;
}

interface SideParts extends Pick<SideTurn, "turn" | "done"> {
  readonly after: string | undefined;
  readonly from: SidePoint;
  readonly store: ChangeStore;
  stop(): void;
}

function sideTurnOf(side: Side, { turn, after, from, done, store, stop }: SideParts): SideTurn {
  const { conversation, records } = side;
  const { changes, checks, recorder, deps } = conversation;
  const nameOf = (file: FileName) => pathOf(file, deps.workspace.folders);
  const calls = () => turnsSince(side, from).flatMap(({ id }) => conversation.patchesOf(id));
  return {
    turn,
    done,
    get state() {
      return stateOf(side, from, turn);
    },
    get turns() {
      return turnsSince(side, from);
    },
    get opened() {
      return recorder.transcript.opened;
    },
    changes,
    checks,
    get files() {
      const own = new Set(calls());
      return changes.pending.filter((file) => file.calls.some((call) => own.has(call)));
    },
    nameOf,
    async outcome() {
      await recorder.flush();
      const patches = [];
      for (const call of calls()) patches.push({ call, changes: await changes.changesOf(call) });
      return { turn, after, records: [...records], patches };
    },
    async kept() {
      await recorder.flush();
      // Waits for what is being saved.
      await changes.refresh();
      const state = await store.read();
      const names = new Set(state.match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g) ?? []);
      const texts: string[] = [];
      for (const name of names) {
        if ((await from.changes?.get(name)) !== undefined) continue;
        const text = await store.get(name);
        if (text !== undefined) texts.push(text);
      }
      return present({ turn, after, records: [...records], changes: { state, texts } });
    },
    async close() {
      stop();
      await done;
      await conversation.close();
    },
  };
}

/** A change store in memory that begins with what another one has, which stays as it is. */
function storeOver(base: SidePoint["changes"]): ChangeStore {
  const own = memoryChangeStore();
  let isOwn = false;
  return {
    read: async () => (isOwn ? own.read() : ((await base?.read()) ?? "")),
    write(state, waits) {
      isOwn = true;
      return own.write(state, waits);
    },
    put: own.put,
    get: async (name) => (await own.get(name)) ?? base?.get(name),
    keepOnly: own.keepOnly,
  };
}

function textsByHash(texts: readonly string[]): ChangeStore["get"] {
  const byHash = new Map(texts.map((text) => [hashOf(text), text]));
  return async (name) => byHash.get(name);
}
