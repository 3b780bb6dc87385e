// What is said of a conversation's journal: its name and version, what it is opened with, why it can only be read, what
// had to be mended, what has changed.
import type { FileSystem } from "./file-system.ts";
import type { Tail } from "./journal-reader.ts";
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

/** The same of a file that holds less than we have left in it, and is sound as far as it goes. */
export const cutShortWith = (turns: number): string =>
  `The end of this conversation is missing from its file; turns that are left: ${turns}. The file is kept beside it as it was found.`;

/** The same where there is no file any more, in a folder that is still there. */
export const missing =
  "The file with what was said in this conversation is missing; what is asked from here on is kept in a new one.";

/** Of what waits beside it. */
export const mendedBecause = {
  draft:
    "The draft of this conversation was damaged; what is left of it is in the box. The damaged file is kept beside it.",
  attached:
    "What was attached to the draft was damaged and has to be attached again. The damaged file is kept beside it.",
  sent: "Questions that waited to be sent were damaged and have to be asked again. The damaged file is kept beside it.",
} as const;

/** What opening had to mend. */
export interface Repair {
  /** Lines that were lost; the turns that are left are in the summary. */
  readonly lostLines: number;
  /** Nothing in the file was broken: its end was gone. */
  readonly isCutShort: boolean;
  /** Where the damaged file is kept; empty: there was none any more. */
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
  /** How it is known to have ended; absent: nobody knows. */
  tail?(): Promise<Tail | undefined>;
  /** Which types to hand out as `records`; the others can be had by `read`. */
  wants?(type: string): boolean;
  /** What the list shows has changed, and is saved. */
  onSummary?(): void;
}
