// The journal of a task: what is asked once and belongs to no conversation is kept nowhere but here.
import type { ConversationRecord } from "../conversation/record.ts";
import { remaining } from "../conversation/record.ts";
import type { ConversationJournal } from "./recorder.ts";
import { nothingUnsent } from "./unsent.ts";

export function createMemoryJournal(id: string): ConversationJournal {
  let records: ConversationRecord[] = [];
  return {
    id,
    records: [],
    async append(record) {
      records.push(record);
    },
    async cutFrom(turn) {
      records = remaining([...records, { type: "cut", turn, at: 0 }]);
    },
    readUnsent: async () => nothingUnsent,
    async writeUnsent() {},
    async close() {},
  };
}
