// Conversations that live as long as the process: what is used where nothing can be written.
import type { ConversationShelf } from "./assistant.ts";

export function createMemoryShelf(): ConversationShelf {
  return {
    openLatest: async () => undefined,
    async create(id) {
      let draft = "";
      return {
        id,
        records: [],
        append: async () => {},
        readDraft: async () => draft,
        async writeDraft(text) {
          draft = text;
        },
        close: async () => {},
      };
    },
  };
}
