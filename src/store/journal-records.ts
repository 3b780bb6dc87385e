// Records of a journal: one as a line, what they mean to the store, and the types and messages of an open journal.
import type { ConversationEvent } from "../conversation/events.ts";
import { type Message, message } from "../conversation/messages.ts";
import { survivorsOfCut } from "../conversation/reduce.ts";
import type { Disposable } from "../util/disposables.ts";
import type { Listener } from "../util/emitter.ts";
import type { ConversationSummary } from "./conversation-summary.ts";
import { StoreError } from "./documents.ts";
import type { FileSystem } from "./file-system.ts";
import type { Tail } from "./internal/journal-reader.ts";
import { checksumLength, checksumOf, holds, isDigit, jsonOf, sealedLine } from "./internal/sealed-line.ts";

/** A record in a journal. The store does not interpret its contents. */
export interface NewRecord {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * One record, stored as one line: `{"seq":7,"type":"text",…,"crc":"89abcdef"}`. The checksum covers the bytes before
 * it, so a line can be verified, and its type read, without parsing it.
 */
export interface JournalRecord extends NewRecord {
  readonly seq: number;
}

/** A verified line: where its fields are, not yet parsed. */
export interface CheckedLine {
  readonly seq: number;
  readonly type: string;
  readonly crc: number;
}

const opening = Buffer.from('{"seq":');
const typeMark = Buffer.from(',"type":"');
const typeForm = /^[a-z][a-z0-9-]*$/;

export function encodeRecord(seq: number, record: NewRecord): Buffer {
  const { type, seq: _, crc: __, ...fields } = record;
  if (!typeForm.test(type)) throw new TypeError(`"${type}" cannot be the type of a record.`);
  return sealedLine(JSON.stringify({ seq, type, ...fields }));
}

/** Returns `undefined` if the bytes are not an intact record. */
export function checkLine(line: Buffer): CheckedLine | undefined {
  if (!holds(line, opening, 0)) return undefined;
  let at = opening.length;
  let seq = 0;
  for (; isDigit(line[at]); at += 1) seq = seq * 10 + (line[at] ?? 0) - 48;
  if (at === opening.length || !holds(line, typeMark, at)) return undefined;
  const typeEnd = line.indexOf(34, at + typeMark.length);
  const crc = checksumOf(line);
  if (crc === undefined || typeEnd < 0 || typeEnd > line.length - checksumLength) return undefined;
  return { seq, type: typeAt(line, at + typeMark.length, typeEnd), crc };
}

/** Only for a checked line. */
export const parseLine = (line: Buffer): JournalRecord => JSON.parse(jsonOf(line));

/** Nine of ten lines have this type, so its string is reused. */
const maxFrequent = Buffer.from('text"');

const typeAt = (line: Buffer, from: number, to: number): string =>
  to - from === 4 && holds(line, maxFrequent, from) ? "text" : line.toString("latin1", from, to);

// A conversation's journal: its name and version, the options to open it, why it is read-only, what had to be repaired,
// what has changed.

export const journalName = "log.jsonl";
export const journalVersion = 1;
/** Next to the journal: the texts of proposed changes. */
export const changesFolder = "changes";

export interface ReadOnly {
  readonly kind: "newer" | "elsewhere" | "damaged";
  readonly message: Message;
}

export const readOnlyBecause = {
  newer: message("keptNewer"),
  elsewhere: message("keptElsewhere"),
  damaged: message("keptBroken"),
} as const satisfies Record<ReadOnly["kind"], Message>;

/** Added to the conversation when data was lost, so that whoever opens it later is told once. */
export const repairedWith = (turns: number): Message => message("keptMended", { turns });

/** The same for a file that is shorter than we left it, but intact as far as it goes. */
export const cutShortWith = (turns: number): Message => message("keptCutShort", { turns });

/** The same for a journal file that no longer exists, although its folder does. */
export const missing = message("keptMissing");

/** Messages about files next to the journal. */
export const mendedBecause = {
  draft: message("keptDraft"),
  attached: message("keptAttached"),
  sent: message("keptSent"),
  changes: message("keptChanges"),
} as const;

/** What had to be repaired on opening. */
export interface Repair {
  /** Number of lines that were lost. The remaining turns are in the summary. */
  readonly lostLines: number;
  /** Nothing in the file was broken, but its end was missing. */
  readonly isCutShort: boolean;
  /** Where the damaged file was moved; empty if it no longer existed. */
  readonly original: string;
}

export type JournalChange =
  /** Another process has written; these records are new. */
  | { readonly type: "appended"; readonly records: readonly JournalRecord[] }
  /** The file was replaced: start again from `records`. */
  | { readonly type: "reloaded" }
  /** `readOnly` or `problem` has changed. */
  | { readonly type: "state" }
  /** Another window wants to write it. Fires again until it is handed over or no longer wanted. */
  | { readonly type: "asked-for" };

export interface JournalOptions {
  readonly fs: FileSystem;
  /** The folder of this conversation. */
  readonly folder: string;
  readonly id: string;
  /** The editor's workspace, recorded if the conversation begins here. */
  readonly place: string;
  now(): number;
  /** The last known tail of the journal; absent if unknown. */
  tail?(): Promise<Tail | undefined>;
  /** Which types to return as `records`; others are available through `read`. */
  wants?(type: string): boolean;
  /** The summary for the list has changed and was saved. */
  onSummary?(): void;
}

export interface OpenJournal {
  readonly id: string;
  /** Loaded and checked. Records that this process appends are not added here. */
  readonly records: readonly JournalRecord[];
  readonly summary: ConversationSummary;
  readonly readOnly: ReadOnly | undefined;
  /** Why the latest records are only in memory. */
  readonly problem: StoreError | undefined;
  readonly repair: Repair | undefined;
  /** Files next to the journal that had to be repaired on opening. */
  readonly mended: readonly (keyof typeof mendedBecause)[];
  /** Undecided proposals for files, in a format of the caller's choice. */
  readonly changes: KeptTexts;
  onDidChange(listener: Listener<JournalChange>): Disposable;
  /**
   * Rejects with a message if the record is not on the disk. Unless this journal is read-only, the record is kept and
   * retried.
   */
  append(record: NewRecord, options: { readonly durable: boolean }): Promise<void>;
  read(wants: (type: string) => boolean): Promise<readonly JournalRecord[]>;
  /**
   * Removes a turn and all later ones from the disk, with what earlier cuts left, and files that repairs have set aside.
   * Atomic for the journal.
   */
  cut(turn?: string): Promise<void>;
  readDraft(): Promise<string>;
  writeDraft(text: string): Promise<void>;
  /** The draft's attachments in the caller's format; empty if there are none. */
  readAttached(): Promise<string>;
  writeAttached(text: string): Promise<void>;
  /** Questions that are in no turn yet, in the caller's format; empty if there are none. */
  readSent(): Promise<string>;
  writeSent(text: string): Promise<void>;
  /** Several tries at one question, in the caller's format; empty if there are none. */
  readTrial(): Promise<string>;
  writeTrial(text: string): Promise<void>;
  /** Remarks that were not sent yet, in the caller's format; empty if there are none. */
  readRemarks(): Promise<string>;
  writeRemarks(text: string): Promise<void>;
  /** Makes `records` include what this process has appended. */
  reload(): Promise<void>;
  /** Asks the window that writes it to hand it over. Rejects with a message if that window does not. */
  takeOver(): Promise<void>;
  /** Lets the window that asks for it write it from now on. Rejects with a message if something is not on the disk. */
  handOver(): Promise<void>;
  /** Records that the disk refuses are kept and retried even after this, as long as the library is open. */
  close(): Promise<void>;
}

/** A state text that is replaced as a whole, and texts that it references by hash. */
export interface KeptTexts {
  read(): Promise<string>;
  /** `waits`: something in it needs a decision, which the list of conversations shows. */
  write(state: string, waits: boolean): Promise<void>;
  /** @throws BlobsFull */
  put(text: string): Promise<void>;
  get(name: string): Promise<string | undefined>;
  keepOnly(names: ReadonlySet<string>): Promise<void>;
}

/** Filters the records of a conversation that was made elsewhere, one by one. */
export interface ImportedRecords {
  take(record: JournalRecord): readonly NewRecord[];
  /** The remaining records, once the last one was taken. */
  end(): readonly NewRecord[];
}

export const largestBundle = 1024 * 1024 * 1024;

export const tooLarge = () => new StoreError(message("keptLargeBundle"));

/** Maximum number of bytes that may wait in memory while the disk refuses. */
export const maxWaiting = 32 * 1024 * 1024;

// What the events of a journal mean to the store: where a turn starts and ends, what a cut removes, what is searchable,
// and what is reasoning. Also the store's own records.

type EventType = ConversationEvent["type"];

/** Types of records that belong to the store and are never passed to readers of a conversation. */
export const storeRecordType = {
  head: "store-head",
  title: "store-title",
  archived: "store-archived",
  /** Whether the conversation is a task. It is one from its beginning until somebody continues it. */
  task: "store-task",
  /** Whether one of its proposals waits for a decision in this workspace. */
  waits: "store-waits",
  /** Follows records that we have rewritten: a shorter journal is not a sign of damage then. */
  rewritten: "store-rewritten",
} as const;

export const isStoreRecord = (type: string): boolean => type.startsWith("store-");

/** A record viewed as an event; fields that it lacks are absent. */
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

/** The time at which a turn ended. */
export const turnEnd = ({ type, ...fields }: JournalRecord): number | undefined =>
  type === "ended" ? number(fields["at"]) : undefined;

/** The turn that this record removes, together with everything after it. */
export const cutFrom = ({ type, ...fields }: JournalRecord): string | undefined =>
  type === "cut" ? text(fields["turn"]) : undefined;

/**
 * Returns the records that are still part of a conversation: everything except turns that were cut off and the cuts
 * themselves. Keeps the store's own records and those about the conversation as a whole. `turn`: an additional turn to
 * cut off.
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
  const survives = survivorsOfCut(removed);
  for (const each of removed) if (isStoreRecord(each.type) || survives(each)) records.push(each);
}

/** The index at which a turn begins, -1 if there is no such turn. */
export const startOf = (records: readonly JournalRecord[], turn: string): number =>
  records.findIndex((record) => turnStart(record)?.turn === turn);

/** Pieces of one part form one text; a replacement supersedes everything before it. */
interface SearchableText {
  readonly turn: string;
  readonly part: string;
  readonly text: string;
  readonly replaces: boolean;
}

/** The types for which `searchable` may return a text, and cuts. */
export const searchedTypes: ReadonlySet<string> = new Set([
  ...([
    "started",
    "steered",
    "text",
    "refusal",
    "reasoning",
    "replaced",
    "search",
    "cut",
  ] satisfies EventType[]),
]);

/** The text of a record that people may search for. */
export function searchable(record: JournalRecord): SearchableText | undefined {
  const { type, ...fields } = record as JournalRecord & Loose;
  const turn = text(fields["turn"]);
  const part = text(fields["part"]);
  switch (type) {
    case "started":
      return { turn, part: "prompt", text: text(fields["prompt"]), replaces: true };
    case "steered":
      return { turn, part: text(fields["id"]), text: text(fields["prompt"]), replaces: true };
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

/**
 * Returns the conversation without the model's reasoning, which is also removed, in its encrypted form, from items that
 * are sent back to the service.
 */
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
