// The store as the assistant sees it: conversations made of records it understands. A record that is invalid or from a
// later version stays on the disk but is left out of the conversation.

import type { Message } from "../conversation/messages.ts";
import { waitingTools } from "../conversation/reduce.ts";
import { Attachment, type Conversation, type Part, type Turn } from "../conversation/state.ts";
import { nodeFileSystem } from "../store/file-system.ts";
import {
  cutShortWith,
  isStoreRecord,
  type JournalRecord,
  mendedBecause,
  missing,
  type OpenJournal,
  repairedWith,
} from "../store/journal-records.ts";
import { createLibrary, type Library } from "../store/library.ts";
import { runAll, withRollback } from "../util/disposables.ts";
import { asArray, asObject, parseJson } from "../util/json.ts";
import type { Log } from "../util/log.ts";
import { followRemote, isShown, toBeRead, understood } from "./internal/follow-other-window.ts";
import type { ConversationJournal } from "./internal/recorder.ts";
import { importVisible } from "./internal/sanitize-import.ts";
import { hasContent, type SentQuestion } from "./internal/session-draft.ts";
import { Transcript } from "./internal/transcript.ts";

export interface ConversationStore {
  /** The id of the conversation that was used last, if there is any. */
  latest(): Promise<string | undefined>;
  open(id: string): Promise<ConversationJournal>;
  /** `isTask` is evaluated when the file is created, which may be later. */
  create(id: string, isTask: () => boolean): Promise<ConversationJournal>;
  /** Creates a copy of a conversation up to and including this turn and returns its id. */
  branch(id: string, turn: string): Promise<string>;
  /** Reads the turns without keeping the conversation open; `undefined` if it no longer exists. */
  turnsOf(id: string): Promise<readonly Turn[] | undefined>;
}

export function openLibrary(folder: string, place: string, now: () => number): Library {
  return createLibrary({ fs: nodeFileSystem, folder, place, now, arriving: importVisible });
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

/** Reads a conversation as it is shown, without making it the open one. */
export async function readConversation(library: Library, id: string): Promise<Conversation> {
  const journal = await library.open(id);
  try {
    const records = await journal.read(isShown);
    return new Transcript(id, records.flatMap(understood)).state;
  } finally {
    await journal.close();
  }
}

/** Removes records cut from the conversation; until that succeeds, the journal's `cut` record marks them as removed. */
async function tidy(journal: OpenJournal): Promise<void> {
  // Retries the removal of cut records that failed when they were cut.
  if (journal.records.some(({ type }) => type === "cut")) await journal.cut();
}

/** Stored data is not trusted: invalid entries are dropped. */
const wishesIn = (kept: unknown): Attachment[] =>
  asArray(kept).flatMap((spec) => {
    const read = Attachment.safeParse(spec);
    return read.success ? [read.data] : [];
  });

const sentIn = (kept: unknown): SentQuestion[] =>
  asArray(kept).flatMap((each) => {
    const { turn, words, attached } = asObject(each) ?? {};
    const isOne = typeof turn === "string" && typeof words === "string";
    return isOne ? [{ turn, words, attached: wishesIn(attached) }] : [];
  });

const spelled = (list: readonly unknown[]): string => (list.length === 0 ? "" : JSON.stringify(list));

/**
 * Opens the journal completely or not at all: if it cannot be read it is closed again, so that this window does not
 * keep it locked.
 */
const readable = (library: Library, journal: OpenJournal): Promise<ConversationJournal> =>
  withRollback(async (own, close) => {
    own({ dispose: () => journal.close() });
    if (journal.readOnly === undefined) await tidy(journal).catch(() => undefined);
    const isElsewhere = journal.readOnly?.kind === "elsewhere";
    const shown = journal.records.filter(({ type }) => isShown(type));
    const others = journal.readOnly && own(followRemote(journal));
    const isWhole = isElsewhere || !wasCutOff(shown);
    const records = isWhole ? shown : await journal.read((type) => !isStoreRecord(type));
    const replays = async () => (await journal.read((type) => type === "replay")).flatMap(understood);
    return {
      id: journal.id,
      records: records.flatMap(isElsewhere ? toBeRead : understood),
      // A conversation without records has no replays to read before something is sent.
      ...(isWhole && records.length > 0 && { replays }),
      // A window that only reads along decides nothing about changes.
      ...(journal.readOnly === undefined && { changes: journal.changes }),
      append: (record, how) => journal.append({ ...record }, how),
      cutFrom: (turn) => journal.cut(turn),
      readUnsent: async () => ({
        text: await journal.readDraft(),
        attached: wishesIn(parseJson(await journal.readAttached())),
        sent: sentIn(parseJson(await journal.readSent())),
      }),
      writeUnsent: ({ text, attached, sent }) =>
        // Save sent questions before they leave the draft files, and the draft files before the sent questions are
        // emptied, so that nothing is lost in between.
        runAll([
          ...(sent !== undefined && sent.length > 0 ? [() => journal.writeSent(spelled(sent))] : []),
          ...(attached !== undefined ? [() => journal.writeAttached(spelled(attached))] : []),
          ...(text !== undefined ? [() => journal.writeDraft(text)] : []),
          ...(sent?.length === 0 ? [() => journal.writeSent("")] : []),
        ]),
      readTrial: () => journal.readTrial(),
      writeTrial: (text) => journal.writeTrial(text),
      readRemarks: () => journal.readRemarks(),
      writeRemarks: (text) => journal.writeRemarks(text),
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
      onAskedFor: (listener) => journal.onDidChange(({ type }) => type === "asked-for" && listener()),
      handOver: () => journal.handOver(),
      ...(isElsewhere && { takeOver: () => journal.takeOver() }),
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

/** Whether the last turn has no end; its contents must then be read before anything else. */
function wasCutOff(records: readonly JournalRecord[]): boolean {
  const last = records.findLast(({ type }) => type === "started" || type === "ended" || type === "cut");
  return last !== undefined && last.type !== "ended";
}

interface FinishedTaskDeps {
  readonly library: Pick<Library, "tasks" | "remove" | "goOn">;
  readonly store: Pick<ConversationStore, "open">;
  /** Whether it is open in this window. */
  isOpen(conversation: string): boolean;
  readonly log: Log;
}

/**
 * Cleans up the tasks of earlier windows. Finished ones are removed, after which their file changes can no longer be
 * undone through them. A task that was interrupted, has pending decisions or unsent text becomes a conversation in the
 * list, because it could not be found otherwise.
 */
export async function removeFinishedTasks({ library, store, isOpen, log }: FinishedTaskDeps): Promise<void> {
  for (const { id } of await library.tasks()) {
    if (isOpen(id)) continue;
    try {
      const journal = await store.open(id);
      const isElsewhere = journal.readOnly !== undefined;
      const isDone = await isFinished(journal).finally(() => journal.close());
      if (isElsewhere) continue;
      if (isDone) await library.remove(id);
      else await library.goOn(id);
    } catch (error) {
      log.error("A task of an earlier window stays where it is.", error);
    }
  }
}

async function isFinished(journal: ConversationJournal): Promise<boolean> {
  if (hasContent(await journal.readUnsent())) return false;
  const { turns } = new Transcript(journal.id, journal.records).state;
  const { status = "interrupted" } = turns.at(-1) ?? {};
  const isOver = status !== "running" && status !== "interrupted";
  const waits = (part: Part) => part.type === "patch" && part.status === "proposed";
  return isOver && turns.every((turn) => waitingTools(turn).length === 0 && !turn.parts.some(waits));
}
