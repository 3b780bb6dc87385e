// The store as the assistant sees it: conversations made of records it understands. A record of a later version,
// or one that says something impossible, is left on the disk and out of the conversation.
import type { ConversationShelf } from "./assistant.ts";
import type { ConversationRecord } from "./conversation/record.ts";
import type { Conversation } from "./conversation/state.ts";
import { StoredRecord } from "./conversation/stored-record.ts";
import type { ConversationJournal } from "./live-conversation.ts";
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
  };
}

/** A conversation as it is shown, without making it the open one. */
export async function readConversation(library: Library, id: string): Promise<Conversation> {
  const journal = await library.open(id);
  try {
    return new Transcript(id, journal.records.flatMap(understood)).state;
  } finally {
    await journal.close();
  }
}

function readable(journal: OpenJournal): ConversationJournal {
  return {
    id: journal.id,
    records: journal.records.flatMap(understood),
    append: (record, how) => journal.append({ ...record }, how),
    readDraft: journal.readDraft,
    writeDraft: journal.writeDraft,
    close: journal.close,
  };
}

function understood(record: JournalRecord): ConversationRecord[] {
  const read = StoredRecord.safeParse(record);
  return read.success ? [read.data] : [];
}
