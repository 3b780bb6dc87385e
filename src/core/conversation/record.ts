// What a journal holds, one record after the other. Pure functions over such lists answer what is still part of
// the conversation: what was cut off is gone from every answer, and a journal rewritten by `remaining` has lost it.
import type * as z from "zod/mini";
import type { ConversationEvent } from "./events.ts";
import type { StoredRecord } from "./stored-record.ts";

/** All as it came; without searches; only what the interface shows. */
export const historyForms = ["whole", "no-search", "plain"] as const;
export type HistoryForm = (typeof historyForms)[number];
export const simplerForms = ["no-search", "plain"] as const satisfies readonly HistoryForm[];

/** Without all that either leaves out. */
export const plainer = (one: HistoryForm, other: HistoryForm): HistoryForm =>
  historyForms.indexOf(one) < historyForms.indexOf(other) ? other : one;

export const cacheTiers = ["default", "5m", "1h"] as const;
export type CacheTier = (typeof cacheTiers)[number];

/** Nobody changes what was said: lists of a record are only read. */
type Fixed<Value> = {
  readonly [Name in keyof Value]: Value[Name] extends string[] ? readonly string[] : Value[Name];
};
type RecordOf<Type extends string> = Fixed<Extract<z.infer<typeof StoredRecord>, { type: Type }>>;

export type Opened = RecordOf<"opened">;
export type Replay = RecordOf<"replay">;
export type Choices = RecordOf<"choices">;
/** What is chosen, whenever that was. */
export type Chosen = Omit<Choices, "type" | "at">;
export type Simplified = RecordOf<"simplified">;
export type ConversationRecord = Opened | Choices | Simplified | Replay | ConversationEvent;

const unseen: ReadonlySet<string> = new Set(["opened", "choices", "simplified"]);

/** Said of the conversation, or of a turn further up, and not of a moment in it: no cut takes it away. */
export const isLasting = ({ type }: { readonly type: string }): boolean =>
  unseen.has(type) || type === "excluded";

/** What is seen of it. */
export const isEvent = (record: ConversationRecord): record is ConversationEvent =>
  !unseen.has(record.type) && record.type !== "replay";

/** The records without what `cut` took away, and without the cuts. */
export function remaining(records: readonly ConversationRecord[]): ConversationRecord[] {
  const kept: ConversationRecord[] = [];
  for (const record of records) {
    if (record.type === "cut") removeFrom(kept, record.turn);
    else kept.push(record);
  }
  return kept;
}

/** Turns never overlap, so everything from the start of one belongs to it or to a later one – except what lasts. */
function removeFrom(records: ConversationRecord[], turn: string): void {
  const index = records.findIndex((record) => record.type === "started" && record.turn === turn);
  if (index < 0) return;
  const removed = records.splice(index);
  for (const each of removed.filter(isLasting)) records.push(each);
}
