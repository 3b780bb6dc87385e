// What the list shows of a conversation, folded from its records one by one, so that it can be continued where it
// was left.
import { ownType, type TurnStart, turnEnd, turnStart } from "./journal-events.ts";
import type { JournalRecord } from "./record-line.ts";

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
  /** Workspaces in which something that it proposes waits for a decision. */
  readonly waitsIn?: readonly string[];
  /** The conversation it was branched from. */
  readonly branchOf?: string;
  /** The journal on disk has lost something; opening it repairs what can be repaired. */
  readonly damaged: boolean;
}

const longestTitle = 80;
/** A name that somebody gave; an imported one may be of any length. */
const longestGiven = 200;
/** A conversation is gone on with in a few folders at most. */
const maxPlaces = 20;

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

const listed: ReadonlySet<string> = new Set([
  ...[ownType.head, ownType.title, ownType.archived, ownType.task, ownType.waits],
  ...["started", "ended"],
]);

/** Whether records of this type say something to a summary. */
export const isListed = (type: string): boolean => listed.has(type);

export function summarize(summary: ConversationSummary, record: JournalRecord): ConversationSummary {
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
    case ownType.waits: {
      const place = asText(record["place"]);
      const { waitsIn = [], ...others } = summary;
      const left = waitsIn.filter((each) => each !== place);
      const now = record["waits"] === true ? [...left, place].slice(-maxPlaces) : left;
      return now.length === 0 ? others : { ...others, waitsIn: now };
    }
    case ownType.title:
      return { ...summary, title: cutAtWord(oneLine(asText(record["title"])), longestGiven) };
    case ownType.archived:
      return { ...summary, archived: record["archived"] === true };
  }
  const start = turnStart(record);
  if (start !== undefined) return withTurn(summary, start);
  const end = turnEnd(record);
  return end === undefined ? summary : { ...summary, updatedAt: end };
}

function withTurn(summary: ConversationSummary, { prompt, at, model }: TurnStart): ConversationSummary {
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
function titleFrom(prompt: string): string {
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
