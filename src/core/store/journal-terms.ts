// What is said of a conversation's journal: its name and version, what it is opened with, why it can only be read, what
// had to be mended, what has changed.
import type { FileSystem } from "./file-system.ts";
import type { JournalRecord } from "./record-line.ts";
import type { Vocabulary } from "./vocabulary.ts";

export const journalName = "log.jsonl";
export const journalVersion = 1;
/** Beside it: attachments, and what files were before they were changed. */
export const blobFolder = "blobs";
export const snapshotFolder = "snapshots";

export interface ReadOnly {
  readonly kind: "newer" | "elsewhere" | "damaged";
  /** One sentence for people. */
  readonly message: string;
}

export const readOnlyBecause = {
  newer: "This conversation was written by a newer version of Patchbay and can only be read here.",
  elsewhere: "This conversation is open in another window and can only be read here.",
  damaged: "This conversation is damaged and cannot be repaired right now, so it can only be read.",
} as const satisfies Record<ReadOnly["kind"], string>;

/** For whoever opens it after that: what was lost is said once. */
export const repairedWith = (turns: number): string =>
  `This conversation was damaged and has been repaired; turns that are left: ${turns}. The damaged file is kept beside it.`;

/** What opening had to mend. */
export interface Repair {
  /** Lines that were lost; the turns that are left are in the summary. */
  readonly lostLines: number;
  /** Where the damaged file is kept. */
  readonly original: string;
}

export type JournalChange =
  /** Another process has written; the records are new. */
  | { readonly type: "appended"; readonly records: readonly JournalRecord[] }
  /** The file is another one now: start again from `records`. */
  | { readonly type: "reloaded" }
  /** `readOnly` or `problem` has changed. */
  | { readonly type: "state" };

export interface JournalOptions {
  readonly fs: FileSystem;
  /** Of this conversation alone. */
  readonly folder: string;
  readonly id: string;
  readonly vocabulary: Vocabulary;
  /** Where it begins, if it does: the editor's workspace. */
  readonly place: string;
  now(): number;
  /** Which types to hand out as `records`; the others can be had by `read`. */
  wants?(type: string): boolean;
  /** What the list shows has changed, and is saved. */
  onSummary?(): void;
}
