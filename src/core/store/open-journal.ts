// An open conversation, whole: its journal with everything that lies beside it. This is what the rest of the
// core sees of the store while a conversation is on the table.

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { message } from "../messages/message.ts";
import type { Disposable } from "../util/disposables.ts";
import type { Listener } from "../util/emitter.ts";
import { Blobs, hashesIn } from "./blobs.ts";
import { Checkpoints } from "./checkpoints.ts";
import { withoutCuts } from "./cuts.ts";
import { attachedName, Draft, draftName, sentName } from "./draft.ts";
import { Journal } from "./journal.ts";
import {
  blobFolder,
  type JournalChange,
  type JournalOptions,
  type ReadOnly,
  type Repair,
  snapshotFolder,
} from "./journal-terms.ts";
import type { JournalRecord, NewRecord } from "./record-line.ts";
import { removeSetAside } from "./repair-journal.ts";
import { StoreError } from "./store-error.ts";
import type { ConversationSummary } from "./summary.ts";

export interface OpenJournal {
  readonly id: string;
  /** Loaded and checked. What this process appends is known to it and not added here. */
  readonly records: readonly JournalRecord[];
  readonly summary: ConversationSummary;
  readonly readOnly: ReadOnly | undefined;
  /** Why the latest records are in memory only. */
  readonly problem: StoreError | undefined;
  readonly repair: Repair | undefined;
  /** What lies beside it and had to be mended when it was opened. */
  readonly mended: readonly ("draft" | "attached" | "sent")[];
  /** Attachments. */
  readonly blobs: Blobs;
  readonly checkpoints: Checkpoints;
  onDidChange(listener: Listener<JournalChange>): Disposable;
  /** Rejects with a sentence when the record is not on disk; unless read-only, it is kept and tried again. */
  append(record: NewRecord, options: { readonly durable: boolean }): Promise<void>;
  read(wants: (type: string) => boolean): Promise<readonly JournalRecord[]>;
  /**
   * Removes from the disk a turn and what followed it, with the attachments that only they named, and what records
   * of earlier cuts name; with them what repairs have set aside. Of the journal all or nothing.
   */
  cut(turn?: string): Promise<void>;
  readDraft(): Promise<string>;
  writeDraft(text: string): Promise<void>;
  /** What is attached to the draft, as whoever wrote it spells it; empty: nothing. */
  readAttached(): Promise<string>;
  writeAttached(text: string): Promise<void>;
  /** Questions that are in no turn yet, spelled by whoever wrote them; empty: none. */
  readSent(): Promise<string>;
  writeSent(text: string): Promise<void>;
  /** From here on `records` holds what this process has appended as well. */
  reload(): Promise<void>;
  /** What the disk refuses is kept and tried again all the same, as long as the library is open. */
  close(): Promise<void>;
}

const MiB = 1024 * 1024;
export const attachmentLimit = 200 * MiB;
// Requirements F16: at most 50 MB of snapshots per conversation.
const snapshotLimit = 50 * MiB;

export interface OpenOptions extends JournalOptions {
  /** Called by `close`; calls `end` when nobody else in this process has the journal open, and all is saved. */
  release(leaving: Leaving): Promise<void>;
}

export interface Leaving {
  /** Whether all that was said is on the disk. */
  save(): Promise<boolean>;
  end(): Promise<void>;
}

export async function openJournal(options: OpenOptions): Promise<OpenJournal> {
  const { fs, folder, vocabulary } = options;
  const journal = await Journal.open(options);
  const draft = new Draft({ ...options, name: draftName });
  const attached = new Draft({ ...options, name: attachedName });
  const sent = new Draft({ ...options, name: sentName });
  const isOurs = journal.readOnly === undefined;
  const mended = [
    ...(isOurs && (await draft.mend().catch(() => false)) ? (["draft"] as const) : []),
    ...(isOurs && (await attached.mend().catch(() => false)) ? (["attached"] as const) : []),
    ...(isOurs && (await sent.mend().catch(() => false)) ? (["sent"] as const) : []),
  ];
  const blobs = new Blobs({ fs, folder: join(folder, blobFolder), limit: attachmentLimit });
  const snapshots = new Blobs({ fs, folder: join(folder, snapshotFolder), limit: snapshotLimit });

  async function dropUnnamed(): Promise<void> {
    if ((await blobs.size()) + (await snapshots.size()) === 0) return;
    const records = await journal.read(() => true);
    const named = new Set(records.flatMap((record) => hashesIn(JSON.stringify(record))));
    for (const kept of [blobs, snapshots])
      for (const hash of await kept.list()) if (!named.has(hash)) await kept.remove(hash);
  }

  async function write(to: Draft, text: string): Promise<void> {
    // Whoever only reads along brings nothing back that its writer has deleted.
    if (journal.readOnly !== undefined && text !== "" && (await fs.stat(folder)) === undefined)
      throw new StoreError(message("keptGone"));
    await to.write(text);
  }

  return {
    id: journal.id,
    get records() {
      return journal.records;
    },
    get summary() {
      return journal.summary;
    },
    get readOnly() {
      return journal.readOnly;
    },
    get problem() {
      return journal.problem;
    },
    get repair() {
      return journal.repair;
    },
    mended,
    blobs,
    checkpoints: new Checkpoints(journal, snapshots, options.place, randomUUID),
    onDidChange: journal.onDidChange,
    append: (record, how) => journal.append(record, how),
    read: (wants) => journal.read(wants),
    async cut(turn) {
      await journal.rewrite(async (records) => {
        const isCut = turn !== undefined || records.some((record) => vocabulary.cutFrom(record));
        // First: should this be the end, the turn is still in sight and can be cut off again.
        if (isCut) await removeSetAside(fs, folder);
        return withoutCuts(records, vocabulary, turn);
      });
      await dropUnnamed();
    },
    readDraft: () => draft.read(),
    writeDraft: (text) => write(draft, text),
    readAttached: () => attached.read(),
    writeAttached: (text) => write(attached, text),
    readSent: () => sent.read(),
    writeSent: (text) => write(sent, text),
    reload: () => journal.reload(),
    close: () => options.release({ save: () => journal.save(), end: () => journal.close() }),
  };
}
