// The store as the assistant sees it: conversations made of records it understands. A record of a later version,
// or one that says something impossible, is left on the disk and out of the conversation.

import { Attachment } from "../conversation/attachment.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import type { ConversationRecord } from "../conversation/record.ts";
import type { Conversation, Turn } from "../conversation/state.ts";
import { StoredRecord } from "../conversation/stored-record.ts";
import { asks } from "../conversation/waiting-tools.ts";
import type { Message } from "../messages/message.ts";
import { nodeFileSystem } from "../store/file-system.ts";
import { isOwn } from "../store/journal-events.ts";
import {
  cutShortWith,
  type JournalChange,
  mendedBecause,
  missing,
  repairedWith,
} from "../store/journal-terms.ts";
import { createLibrary, type Library } from "../store/library.ts";
import type { OpenJournal } from "../store/open-journal.ts";
import type { JournalRecord } from "../store/record-line.ts";
import { Transcript } from "../turn/transcript.ts";
import type { Disposable } from "../util/disposables.ts";
import type { Listener } from "../util/emitter.ts";
import { asArray, asObject, parseJson } from "../util/json.ts";
import { openAllOrNothing } from "../util/open-all-or-nothing.ts";
import { tryAllSteps } from "../util/try-all-steps.ts";
import { shownOnly } from "./import-conversation.ts";
import type { ConversationJournal, RemoteChange } from "./recorder.ts";
import type { SentQuestion } from "./unsent.ts";

/** Where conversations are kept. */
export interface ConversationStore {
  /** The one that was used last, if there is any. */
  latest(): Promise<string | undefined>;
  open(id: string): Promise<ConversationJournal>;
  /** Whether it is a task is asked when its file is made, which may be later. */
  create(id: string, isTask: () => boolean): Promise<ConversationJournal>;
  /** A new conversation that is the same through this turn; answers its id. */
  branch(id: string, turn: string): Promise<string>;
  /** Without opening it for long; `undefined` when it is gone. */
  turnsOf(id: string): Promise<readonly Turn[] | undefined>;
}

export function openLibrary(folder: string, place: string, now: () => number): Library {
  return createLibrary({ fs: nodeFileSystem, folder, place, now, arriving: shownOnly });
}

export function conversationStore(library: Library): ConversationStore {
  return {
    latest: () => library.latest(),
    open: async (id) => readable(library, await library.open(id, isShown)),
    create: async (id, isTask) => readable(library, await library.create(id, isTask())),
    branch: (id, turn) => library.branch(id, { turn, place: "after" }),
    async turnsOf(id) {
      const conversation = await readConversation(library, id).catch(() => undefined);
      return conversation?.turns;
    },
  };
}

/** A conversation as it is shown, without making it the open one. */
export async function readConversation(library: Library, id: string): Promise<Conversation> {
  const journal = await library.open(id);
  try {
    const records = await journal.read(isShown);
    return new Transcript(id, records.flatMap(understood)).state;
  } finally {
    await journal.close();
  }
}

/** Until it has succeeded the journal itself says what is no longer part of the conversation. */
async function tidy(journal: OpenJournal): Promise<void> {
  // What the disk did not let go when it was cut off is tried again.
  if (journal.records.some(({ type }) => type === "cut")) await journal.cut();
}

/** A disk can hold anything. */
const wishesIn = (kept: unknown): Attachment[] =>
  asArray(kept).flatMap((wish) => {
    const read = Attachment.safeParse(wish);
    return read.success ? [read.data] : [];
  });

const sentIn = (kept: unknown): SentQuestion[] =>
  asArray(kept).flatMap((each) => {
    const { turn, words, attached } = asObject(each) ?? {};
    const isOne = typeof turn === "string" && typeof words === "string";
    return isOne ? [{ turn, words, attached: wishesIn(attached) }] : [];
  });

const spelled = (list: readonly unknown[]): string => (list.length === 0 ? "" : JSON.stringify(list));

/** Whole, or not at all: where it cannot be read nobody has it, and it does not stay locked by this window. */
const readable = (library: Library, journal: OpenJournal): Promise<ConversationJournal> =>
  openAllOrNothing(async (own, close) => {
    own({ dispose: () => journal.close() });
    if (journal.readOnly === undefined) await tidy(journal).catch(() => undefined);
    const isElsewhere = journal.readOnly?.kind === "elsewhere";
    const shown = journal.records.filter(({ type }) => isShown(type));
    const others = journal.readOnly && own(followRemote(journal));
    const isWhole = isElsewhere || !wasCutOff(shown);
    const records = isWhole ? shown : await journal.read((type) => !isOwn(type));
    const replays = async () => (await journal.read((type) => type === "replay")).flatMap(understood);
    return {
      id: journal.id,
      records: records.flatMap(isElsewhere ? toBeRead : understood),
      // Of a conversation in which nothing was said yet there is nothing to be read before something is sent.
      ...(isWhole && records.length > 0 && { replays }),
      // Whoever only reads along decides nothing.
      ...(journal.readOnly === undefined && { changes: journal.changes }),
      append: (record, how) => journal.append({ ...record }, how),
      cutFrom: (turn) => journal.cut(turn),
      readUnsent: async () => ({
        text: await journal.readDraft(),
        attached: wishesIn(parseJson(await journal.readAttached())),
        sent: sentIn(parseJson(await journal.readSent())),
      }),
      writeUnsent: ({ text, attached, sent }) =>
        // What is being sent is in its own file before it leaves the others, and in them before it leaves that.
        tryAllSteps([
          ...(sent !== undefined && sent.length > 0 ? [() => journal.writeSent(spelled(sent))] : []),
          ...(attached !== undefined ? [() => journal.writeAttached(spelled(attached))] : []),
          ...(text !== undefined ? [() => journal.writeDraft(text)] : []),
          ...(sent?.length === 0 ? [() => journal.writeSent("")] : []),
        ]),
      close,
      get isTask() {
        return journal.summary.isTask === true;
      },
      goOn: () => library.goOn(journal.id),
      get readOnly() {
        return journal.readOnly?.message;
      },
      get unsaved() {
        return journal.problem?.asMessage;
      },
      onUnsaved: (listener) => journal.onDidChange(({ type }) => type === "state" && listener()),
      repaired: repairsOf(journal),
      isElsewhere,
      ...(others && { onRemoteChange: others.onRemoteChange }),
    };
  });

function repairsOf({ repair, mended, summary }: OpenJournal): readonly Message[] {
  const say = repair?.isCutShort ? cutShortWith : repairedWith;
  const notice = repair?.original === "" ? missing : say(summary.turns);
  return [...(repair ? [notice] : []), ...mended.map((what) => mendedBecause[what])];
}

/**
 * What the window that writes it says is heard from now on, and kept until somebody listens. Of a journal that was ours
 * from the beginning there is nothing to be told: what it lacks on the disk is here.
 */
function followRemote(journal: OpenJournal) {
  const early: RemoteChange[] = [];
  let tell = (change: RemoteChange): void => void early.push(change);
  const listening = journal.onDidChange((change) => {
    const remote = remoteChange(change, journal);
    if (remote === "anew" || remote.length > 0) tell(remote);
  });
  const onRemoteChange = (listener: Listener<RemoteChange>): Disposable => {
    for (const change of early.splice(0)) listener(change);
    tell = listener;
    return listening;
  };
  return { onRemoteChange, dispose: listening.dispose };
}

/** One that nobody has locked is another one with every turn: nobody knows whether an open one still runs. */
function remoteChange(change: JournalChange, { readOnly }: OpenJournal): RemoteChange {
  if (change.type === "reloaded" || readOnly === undefined) return "anew";
  if (change.type === "state") return [];
  if (readOnly.kind === "elsewhere") return change.records.flatMap(toBeRead);
  return change.records.some(({ type }) => type === "ended") ? "anew" : [];
}

/** What asks a person over there cannot be answered here: it is shown once it is decided. */
const toBeRead = (record: JournalRecord): ConversationRecord[] => (asks(record) ? [] : understood(record));

/** Most of a long conversation's bytes are what is sent back to the service; nobody needs them before that. */
const isShown = (type: string): boolean => type !== "replay";

/** Its last turn has no end: what it has said and done has to be looked at before anything else. */
function wasCutOff(records: readonly JournalRecord[]): boolean {
  const last = records.findLast(({ type }) => type === "started" || type === "ended" || type === "cut");
  return last !== undefined && last.type !== "ended";
}

function understood(record: JournalRecord): ConversationRecord[] {
  if (isText(record)) return [record];
  const read = StoredRecord.safeParse(record);
  return read.success ? [read.data] : [];
}

/** Nine of ten records, recognised without the schema that says the same. */
const isText = (
  record: JournalRecord,
): record is JournalRecord & Extract<ConversationEvent, { type: "text" }> =>
  record.type === "text" &&
  typeof record["turn"] === "string" &&
  typeof record["part"] === "string" &&
  typeof record["delta"] === "string";
