// The words of a conversation's journal, for the store: where a turn starts and ends, what can be searched, and
// what is reasoning. The only file of the store that knows an event.
import type { ConversationEvent } from "../conversation/events.ts";
import { mended } from "../conversation/mended.ts";
import { isLasting } from "../conversation/record.ts";
import type { JournalRecord } from "./record-line.ts";
import { shownOnly } from "./shown-only.ts";
import type { SearchableText, Vocabulary } from "./vocabulary.ts";

/** A record as an event, if it is one; a field it lacks is then simply absent. */
type Loose = { readonly type: ConversationEvent["type"] | "replay" } & Readonly<Record<string, unknown>>;

export const conversationVocabulary: Vocabulary = {
  listed: new Set(["started", "ended"] satisfies ConversationEvent["type"][]),
  turnStart: ({ type, ...fields }) =>
    type === "started"
      ? {
          turn: text(fields["turn"]),
          prompt: text(fields["prompt"]),
          at: number(fields["at"]),
          model: text(fields["model"]),
        }
      : undefined,
  turnEnd: ({ type, ...fields }) => (type === "ended" ? { at: number(fields["at"]) } : undefined),
  cutFrom: ({ type, ...fields }) => (type === "cut" ? text(fields["turn"]) : undefined),
  isLasting,
  searched: new Set(["started", "text", "refusal", "reasoning", "replaced", "search", "cut"]),
  searchable,
  mended,
  withoutReasoning,
  arriving: shownOnly,
};

function searchable(record: JournalRecord): SearchableText | undefined {
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

/** Also out of the items that are sent back to the service: there it travels encrypted. */
function withoutReasoning(records: readonly JournalRecord[]): readonly JournalRecord[] {
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
