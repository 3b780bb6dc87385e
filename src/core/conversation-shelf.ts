// The store as the assistant sees it: conversations made of records it understands. A record of a later version,
// or one that says something impossible, is left on the disk and out of the conversation.
import type { ConversationShelf } from "./assistant.ts";
import { type ConversationRecord, isLasting } from "./conversation/record.ts";
import type { Conversation } from "./conversation/state.ts";
import { StoredRecord } from "./conversation/stored-record.ts";
import type { ConversationJournal } from "./conversation-recorder.ts";
import { conversationVocabulary } from "./store/conversation-vocabulary.ts";
import { nodeFileSystem } from "./store/file-system.ts";
import { createLibrary, type Library } from "./store/library.ts";
import type { OpenJournal } from "./store/open-journal.ts";
import type { JournalRecord } from "./store/record-line.ts";
import { Transcript } from "./turn/transcript.ts";

export function openLibrary(folder: string, place: string, now: () => number): Library {
  return createLibrary({ fs: nodeFileSystem, folder, place, vocabulary: conversationVocabulary, now });
}

export function shelfOf(library: Library): ConversationShelf {
  return {
    async openLatest() {
      const journal = await library.openLatest();
      return journal && readable(journal);
    },
    open: async (id) => readable(await library.open(id)),
    create: async (id) => readable(await library.create(id)),
    async branch(id, turn) {
      const journal = await library.open(id);
      try {
        const records = await journal.read(() => true);
        const through = records.findIndex((record) => startOf(record) === turn);
        const next = records.find((record, index) => index > through && startOf(record) !== undefined);
        const end = (records.at(-1)?.seq ?? 0) + 1;
        return await library.branch(id, next?.seq ?? end);
      } finally {
        await journal.close();
      }
    },
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
    const records = await journal.read((type) => type !== "replay");
    return new Transcript(id, records.flatMap(understood)).state;
  } finally {
    await journal.close();
  }
}

const startOf = (record: JournalRecord): unknown => (record.type === "started" ? record["turn"] : undefined);

/** What lasts is written again behind the place of the cut. */
async function cutFrom(journal: OpenJournal, turn: string): Promise<void> {
  const records = await journal.read(() => true);
  const first = records.find((record) => startOf(record) === turn);
  if (first === undefined) return;
  const lasting = records.filter((record) => record.seq > first.seq && isLasting(record));
  await journal.cut(first.seq);
  for (const { seq: _, ...record } of lasting) await journal.append(record, { durable: true });
}

function readable(journal: OpenJournal): ConversationJournal {
  return {
    id: journal.id,
    records: journal.records.flatMap(understood),
    append: (record, how) => journal.append({ ...record }, how),
    cutFrom: (turn) => cutFrom(journal, turn),
    readDraft: journal.readDraft,
    writeDraft: journal.writeDraft,
    close: journal.close,
  };
}

function understood(record: JournalRecord): ConversationRecord[] {
  const read = StoredRecord.safeParse(record);
  return read.success ? [read.data] : [];
}
