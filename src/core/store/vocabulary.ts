// What the store has to be told about the records it keeps. It is handed in: the store itself knows no event.
import type { JournalRecord, NewRecord } from "./record-line.ts";
import type { Arriving } from "./shown-only.ts";

export interface Vocabulary {
  /** The types that say something to the list or to its `turnStart` and `turnEnd`. */
  readonly listed: ReadonlySet<string>;
  turnStart(record: JournalRecord): TurnStart | undefined;
  turnEnd(record: JournalRecord): { readonly at: number } | undefined;
  /** The turn that this record takes away, with everything after it. */
  cutFrom(record: JournalRecord): string | undefined;
  /** Stays when what stands around it is taken away: said of the conversation, not of a moment. */
  isLasting(record: JournalRecord): boolean;
  /** The types that `searchable` may answer for, and those of `cutFrom`. */
  readonly searched: ReadonlySet<string>;
  /** Text that people may look for. Pieces of one part are one text; a replacement stands for all before it. */
  searchable(record: JournalRecord): SearchableText | undefined;
  /** A conversation that makes sense again, and says where something is missing: between any two of the stretches. */
  mended(stretches: readonly (readonly JournalRecord[])[]): NewRecord[];
  /** The same conversation without what the model thought. */
  withoutReasoning(records: readonly JournalRecord[]): readonly JournalRecord[];
  /** What is taken of the records of a conversation that was made elsewhere, one after the other. */
  arriving(): Arriving;
}

export interface TurnStart {
  readonly turn: string;
  readonly prompt: string;
  readonly at: number;
  readonly model: string;
}

export interface SearchableText {
  readonly turn: string;
  readonly part: string;
  readonly text: string;
  readonly replaces: boolean;
}
