// What the list shows of a conversation, folded from its records one by one, so that it can be continued where it
// was left. What starts and ends a turn it is told by a vocabulary; a few records are the store's own.
import type { JournalRecord } from "./record-line.ts";
import type { Vocabulary } from "./vocabulary.ts";

export interface ConversationSummary {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly turns: number;
  readonly model?: string;
  readonly archived: boolean;
  /** It was asked from the editor and stands in no list, until somebody goes on with it. */
  readonly isTask?: true;
  /** Which workspace it began in. */
  readonly place: string;
  /** The conversation it was branched from. */
  readonly branchOf?: string;
  /** The journal on disk has lost something; opening it repairs what can be repaired. */
  readonly damaged: boolean;
}

/** Types of records that belong to the store and are never handed to those who read a conversation. */
export const ownType = {
  head: "store-head",
  title: "store-title",
  archived: "store-archived",
  /** Whether it is a task: it begins as one, until somebody goes on with it. */
  task: "store-task",
  /** Behind records that we have put in the place of others: that something is shorter by then is no damage. */
  rewritten: "store-rewritten",
} as const;

export const isOwn = (type: string): boolean => type.startsWith("store-");

const longestTitle = 80;
/** A name that somebody gave; an imported one may be of any length. */
const longestGiven = 200;

export const emptySummary = (id: string): ConversationSummary => ({
  id,
  title: "",
  createdAt: 0,
  updatedAt: 0,
  turns: 0,
  archived: false,
  place: "",
  damaged: false,
});

export function isListed(type: string, vocabulary: Vocabulary): boolean {
  return (
    type === ownType.head ||
    type === ownType.title ||
    type === ownType.archived ||
    type === ownType.task ||
    vocabulary.listed.has(type)
  );
}

export function summarize(
  summary: ConversationSummary,
  record: JournalRecord,
  vocabulary: Vocabulary,
): ConversationSummary {
  switch (record.type) {
    case ownType.head: {
      const at = asNumber(record["at"]);
      return {
        ...summary,
        createdAt: at,
        updatedAt: Math.max(at, summary.updatedAt),
        place: asText(record["place"]),
        ...(record["branchOf"] !== undefined && { branchOf: asText(record["branchOf"]) }),
      };
    }
    case ownType.task: {
      const { isTask: _, ...conversation } = summary;
      return record["task"] === true ? { ...conversation, isTask: true } : conversation;
    }
    case ownType.title:
      return { ...summary, title: cutAtWord(oneLine(asText(record["title"])), longestGiven) };
    case ownType.archived:
      return { ...summary, archived: record["archived"] === true };
  }
  const start = vocabulary.turnStart(record);
  if (start !== undefined) return withTurn(summary, start);
  const end = vocabulary.turnEnd(record);
  return end === undefined ? summary : { ...summary, updatedAt: end.at };
}

function withTurn(
  summary: ConversationSummary,
  { prompt, at, model }: { prompt: string; at: number; model: string },
): ConversationSummary {
  return {
    ...summary,
    title: summary.title === "" ? titleFrom(prompt) : summary.title,
    createdAt: summary.createdAt === 0 ? at : summary.createdAt,
    updatedAt: at,
    turns: summary.turns + 1,
    model,
  };
}

/** The first line that says something, cut at a word. */
export function titleFrom(prompt: string): string {
  const [line = ""] = prompt.slice(0, 2000).trimStart().split(/\r?\n/, 1);
  return cutAtWord(oneLine(line), longestTitle);
}

const oneLine = (text: string): string => text.slice(0, 2000).replace(/\s+/g, " ").trim();

function cutAtWord(line: string, most: number): string {
  if (line.length <= most) return line;
  const cut = line.slice(0, most);
  const word = cut.lastIndexOf(" ");
  // Half of a surrogate pair is no character.
  return `${(word > most / 2 ? cut.slice(0, word) : cut).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

const asText = (value: unknown): string => (typeof value === "string" ? value : "");
const asNumber = (value: unknown): number => (typeof value === "number" ? value : 0);
