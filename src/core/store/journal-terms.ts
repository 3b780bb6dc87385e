// What is said of a conversation's journal: its name and version, what it is opened with, why it can only be read, what
// had to be mended, what has changed.
import { type Message, message } from "../messages/message.ts";
import type { FileSystem } from "./file-system.ts";
import type { Tail } from "./journal-reader.ts";
import type { JournalRecord } from "./record-line.ts";

export const journalName = "log.jsonl";
export const journalVersion = 1;
/** Beside it: attachments, and what files were before they were changed. */
export const blobFolder = "blobs";
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

/** For whoever opens it after that: what was lost is said once. */
export const repairedWith = (turns: number): Message => message("keptMended", { turns });

/** The same of a file that holds less than we have left in it, and is sound as far as it goes. */
export const cutShortWith = (turns: number): Message => message("keptCutShort", { turns });

/** The same where there is no file any more, in a folder that is still there. */
export const missing = message("keptMissing");

/** Of what waits beside it. */
export const mendedBecause = {
  draft: message("keptDraft"),
  attached: message("keptAttached"),
  sent: message("keptSent"),
  changes: message("keptChanges"),
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
