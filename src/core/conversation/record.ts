// What a journal holds, one record after the other. Pure functions over such lists answer what is still part of
// the conversation: what was cut off is gone from every answer, and a journal rewritten by `remaining` has lost it.
import type { ConversationEvent } from "./events.ts";

/** What stays the same for the conversation's life; a later one takes the place of the first. */
export interface Opened {
  readonly type: "opened";
  readonly at: number;
  readonly instructions: string;
  /** The same for models that cannot use tools. */
  readonly chatInstructions: string;
  /** Raw JSON of each tool definition, in the order in which it is sent. */
  readonly tools: readonly string[];
  /** One value for a whole conversation improves the cache hit rate; it names nobody and no place. */
  readonly cacheId: string;
}

/**
 * What a turn adds to the history: raw items, sent back byte for byte. Never shown to the page: reasoning may be
 * encrypted, and the page has no use for it.
 */
export interface Replay {
  readonly type: "replay";
  readonly turn: string;
  readonly items: readonly string[];
  /** Under which key and address the service made them (api/key.ts); absent of what is ours, and in older journals. */
  readonly maker?: string | undefined;
}

/** What the user has chosen for this conversation; of each choice the latest counts. */
export interface Choices {
  readonly type: "choices";
  readonly at: number;
  readonly webSearch?: boolean | undefined;
  readonly cacheTier?: CacheTier | undefined;
  /** `null`: none, whatever the settings say. */
  readonly outputLimit?: number | null | undefined;
  /** What tools of others may do, by their whole names; all that were chosen, each time. */
  readonly tools?: Readonly<Record<string, ToolChoice>> | undefined;
}

export type ToolChoice = "auto" | "ask" | "off";

/** The service refused its own earlier items, and a person agreed: from here on they are sent in a simpler form. */
export interface Simplified {
  readonly type: "simplified";
  readonly at: number;
  readonly form: Exclude<HistoryForm, "whole">;
}

/** All as it came; without searches; only what the interface shows. */
export const historyForms = ["whole", "no-search", "plain"] as const;
export type HistoryForm = (typeof historyForms)[number];

/** Without all that either leaves out. */
export const plainer = (one: HistoryForm, other: HistoryForm): HistoryForm =>
  historyForms.indexOf(one) < historyForms.indexOf(other) ? other : one;

export type CacheTier = "default" | "5m" | "1h";

export type ConversationRecord = Opened | Choices | Simplified | Replay | ConversationEvent;

const lasting: ReadonlySet<string> = new Set(["opened", "choices", "simplified"]);

/** Said of the conversation, not of a moment in it: no cut takes it away. */
export const isLasting = ({ type }: { readonly type: string }): boolean => lasting.has(type);

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
