// What the events of a conversation's journal mean to the store: where a turn starts and ends, what a cut takes away, what
// can be searched, and what is reasoning; and the few records that are the store's own.
import type { ConversationEvent } from "../conversation/events.ts";
import { isLasting } from "../conversation/record.ts";
import type { JournalRecord } from "./record-line.ts";

type EventType = ConversationEvent["type"];

/** Types of records that belong to the store and are never handed to those who read a conversation. */
export const ownType = {
  head: "store-head",
  title: "store-title",
  archived: "store-archived",
  /** Whether it is a task: it begins as one, until somebody goes on with it. */
  task: "store-task",
  /** Whether something that it proposes waits for a person, in this workspace. */
  waits: "store-waits",
  /** Behind records that we have put in the place of others: that something is shorter by then is no damage. */
  rewritten: "store-rewritten",
} as const;

export const isOwn = (type: string): boolean => type.startsWith("store-");

/** A record as an event, if it is one; a field it lacks is then simply absent. */
type Loose = { readonly type: EventType | "replay" } & Readonly<Record<string, unknown>>;

export interface TurnStart {
  readonly turn: string;
  readonly prompt: string;
  readonly at: number;
  readonly model: string;
}

export const turnStart = ({ type, ...fields }: JournalRecord): TurnStart | undefined =>
  type === "started"
    ? {
        turn: text(fields["turn"]),
        prompt: text(fields["prompt"]),
        at: number(fields["at"]),
        model: text(fields["model"]),
      }
    : undefined;

/** When a turn ended. */
export const turnEnd = ({ type, ...fields }: JournalRecord): number | undefined =>
  type === "ended" ? number(fields["at"]) : undefined;

/** The turn that this record takes away, with everything after it. */
export const cutFrom = ({ type, ...fields }: JournalRecord): string | undefined =>
  type === "cut" ? text(fields["turn"]) : undefined;

/**
 * What is still part of a conversation: everything but the turns that were cut off, and the cuts themselves. What the
 * store says of itself stays, and so does what is said of the conversation and not of a moment. `turn`: one more that is
 * cut off now.
 */
export function withoutCuts(records: readonly JournalRecord[], turn?: string): JournalRecord[] {
  const kept: JournalRecord[] = [];
  for (const record of records) {
    const cut = cutFrom(record);
    if (cut !== undefined) removeFrom(kept, cut);
    else kept.push(record);
  }
  if (turn !== undefined) removeFrom(kept, turn);
  return kept;
}

function removeFrom(records: JournalRecord[], turn: string): void {
  const from = startOf(records, turn);
  if (from < 0) return;
  const removed = records.splice(from);
  for (const each of removed) if (isOwn(each.type) || isLasting(each)) records.push(each);
}

/** Where a turn begins; -1 when there is no such turn. */
export const startOf = (records: readonly JournalRecord[], turn: string): number =>
  records.findIndex((record) => turnStart(record)?.turn === turn);

/** Pieces of one part are one text; a replacement stands for all before it. */
export interface SearchableText {
  readonly turn: string;
  readonly part: string;
  readonly text: string;
  readonly replaces: boolean;
}

/** The types that `searchable` may answer for, and cuts. */
export const searchedTypes: ReadonlySet<string> = new Set([
  ...(["started", "text", "refusal", "reasoning", "replaced", "search", "cut"] satisfies EventType[]),
]);

/** Text that people may look for. */
export function searchable(record: JournalRecord): SearchableText | undefined {
  const { type, ...fields } = record as JournalRecord & Loose;
  const turn = text(fields["turn"]);
  const part = text(fields["part"]);
  switch (type) {
    case "started":
      return { turn, part: "prompt", text: text(fields["prompt"]), replaces: true };
    case "text":
    case "refusal":
    case "reasoning":
      return { turn, part, text: text(fields["delta"]), replaces: false };
    case "replaced":
      return { turn, part, text: text(fields["text"]), replaces: true };
    case "search":
      return { turn, part: text(fields["id"]), text: text(fields["query"]), replaces: true };
    default:
      return undefined;
  }
}

/** The same conversation without what the model thought, also out of the items that are sent back to the service: there it travels encrypted. */
export function withoutReasoning(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const thought = new Set(records.filter(({ type }) => type === "reasoning").map(partName));
  return records.flatMap((record) => {
    if (record.type === "reasoning" || (record.type === "replaced" && thought.has(partName(record))))
      return [];
    if (record.type !== "replay" || !Array.isArray(record["items"])) return [record];
    return [{ ...record, items: record["items"].filter((item) => !isReasoning(item)) }];
  });
}

function isReasoning(item: unknown): boolean {
  try {
    const parsed: unknown = typeof item === "string" ? JSON.parse(item) : item;
    return typeof parsed === "object" && parsed !== null && "type" in parsed && parsed.type === "reasoning";
  } catch {
    return false;
  }
}

const partName = (record: JournalRecord): string => JSON.stringify([record["turn"], record["part"]]);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number => (typeof value === "number" ? value : 0);
