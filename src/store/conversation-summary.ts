// What the list shows for a conversation, built from its records one by one, so that it can be continued later; and
// which conversations are deleted first.
import { actionQuestion } from "../conversation/messages.ts";
import {
  type JournalRecord,
  storeRecordType,
  type TurnStart,
  turnEnd,
  turnStart,
} from "./journal-records.ts";

export interface ConversationSummary {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly turns: number;
  readonly model?: string;
  readonly archived: boolean;
  /** It was asked from the editor and is not listed until somebody continues it. */
  readonly isTask?: true;
  /** The workspace in which it began. */
  readonly place: string;
  /** Workspaces in which one of its proposals waits for a decision. */
  readonly waitsIn?: readonly string[];
  /** The conversation from which it was branched. */
  readonly branchOf?: string;
  /** The journal on the disk has lost data; opening it repairs what can be repaired. */
  readonly damaged: boolean;
}

const longestTitle = 80;
/** Maximum length of a title that was given: an imported one may have any length. */
const longestGiven = 200;
/** A conversation is continued in a few folders at most. */
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
  ...[
    storeRecordType.head,
    storeRecordType.title,
    storeRecordType.archived,
    storeRecordType.task,
    storeRecordType.waits,
  ],
  ...["started", "ended"],
]);

/** Whether records of this type affect the summary. */
export const isListed = (type: string): boolean => listed.has(type);

export function summarize(summary: ConversationSummary, record: JournalRecord): ConversationSummary {
  switch (record.type) {
    case storeRecordType.head: {
      const at = asNumber(record["at"]);
      return {
        ...summary,
        createdAt: at,
        updatedAt: Math.max(at, summary.updatedAt),
        place: asText(record["place"]),
        ...(record["branchOf"] !== undefined && { branchOf: asText(record["branchOf"]) }),
      };
    }
    case storeRecordType.task: {
      const { isTask: _, ...conversation } = summary;
      return record["task"] === true ? { ...conversation, isTask: true } : conversation;
    }
    case storeRecordType.waits: {
      const place = asText(record["place"]);
      const { waitsIn = [], ...others } = summary;
      const left = waitsIn.filter((each) => each !== place);
      const now = record["waits"] === true ? [...left, place].slice(-maxPlaces) : left;
      return now.length === 0 ? others : { ...others, waitsIn: now };
    }
    case storeRecordType.title:
      return { ...summary, title: cutAtWord(oneLine(asText(record["title"])), longestGiven) };
    case storeRecordType.archived:
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

/** The first line with text, cut at a word. For a code action: what it does and where, which is never cut off. */
export function titleFrom(prompt: string): string {
  const [line = ""] = prompt.slice(0, 2000).trimStart().split(/\r?\n/, 1);
  return cutAtWord(inPlainWords(oneLine(line)), longestTitle);
}

/** Turns `/fix x is wrong (src/a.ts:3)` into `Fix a.ts:3: x is wrong`, and capitalizes any other `/word`. */
export function inPlainWords(line: string): string {
  const [, name = "", rest = ""] = /^\/([\p{L}\p{N}_-]+)(?:\s+(.*))?$/u.exec(line) ?? [];
  if (name === "") return line;
  const verb = name.slice(0, 1).toUpperCase() + name.slice(1);
  const action = actionQuestion(line);
  if (action === undefined) return rest === "" ? verb : `${verb} ${rest}`;
  const { place, about } = action;
  return about === "" ? `${verb} ${place}` : `${verb} ${place}: ${about}`;
}

const oneLine = (text: string): string => text.slice(0, 2000).replace(/\s+/g, " ").trim();

function cutAtWord(line: string, most: number): string {
  if (line.length <= most) return line;
  const cut = line.slice(0, most);
  const word = cut.lastIndexOf(" ");
  // Do not end in half a surrogate pair.
  return `${(word > most / 2 ? cut.slice(0, word) : cut).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

const asText = (value: unknown): string => (typeof value === "string" ? value : "");
const asNumber = (value: unknown): number => (typeof value === "number" ? value : 0);

export interface Hit {
  readonly conversation: string;
  readonly title: string;
  readonly turn: string;
  /** Some words around the match, on one line. */
  readonly excerpt: string;
  /** Offset of the match in the excerpt. */
  readonly start: number;
  readonly length: number;
}
