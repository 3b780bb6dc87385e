// An open conversation, whole: its journal with everything that lies beside it. This is what the rest of the
// core sees of the store while a conversation is on the table.

import { join } from "node:path";
import { message } from "../messages/message.ts";
import type { Disposable } from "../util/disposables.ts";
import type { Listener } from "../util/emitter.ts";
import { Blobs, hashesIn } from "./blobs.ts";
import {
  attachedName,
  changesNameOf,
  Draft,
  draftName,
  isChangesName,
  readWhole,
  sentName,
} from "./draft.ts";
import { Journal } from "./journal.ts";
import { cutFrom, ownType, withoutCuts } from "./journal-events.ts";
import {
  blobFolder,
  changesFolder,
  type JournalChange,
  type JournalOptions,
  type mendedBecause,
  type ReadOnly,
  type Repair,
} from "./journal-terms.ts";
import type { JournalRecord, NewRecord } from "./record-line.ts";
import { removeSetAside } from "./rewrite-journal.ts";
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
  readonly mended: readonly (keyof typeof mendedBecause)[];
  /** Attachments. */
  readonly blobs: Blobs;
  /** What it proposes for files, until somebody decides; spelled by whoever wrote it. */
  readonly changes: KeptTexts;
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

/** A text that is replaced as a whole, and others that it names by their hash. */
export interface KeptTexts {
  read(): Promise<string>;
  /** `waits`: something in it is to be decided, which the list of conversations shows. */
  write(state: string, waits: boolean): Promise<void>;
  /** @throws BlobsFull */
  put(text: string): Promise<void>;
  get(name: string): Promise<string | undefined>;
  keepOnly(names: ReadonlySet<string>): Promise<void>;
}

const MiB = 1024 * 1024;
export const attachmentLimit = 200 * MiB;
/** What waits for a decision is never forgotten to make room. */
const changesLimit = 200 * MiB;

export interface OpenOptions extends JournalOptions {
  /** Called by `close`; calls `end` when nobody else in this process has the journal open, and all is saved. */
  release(leaving: Leaving): Promise<void>;
}

export interface Leaving {
  /** Whether all that was said is on the disk. */
  save(): Promise<boolean>;
  end(): Promise<void>;
}

/** Of a conversation that nobody need have open. */
export function readChanges(
  { fs, place }: Pick<OpenOptions, "fs" | "place">,
  folder: string,
): Pick<KeptTexts, "read" | "get"> {
  const texts = new Blobs({ fs, folder: join(folder, changesFolder), limit: changesLimit });
  return {
    read: () => readWhole(fs, join(folder, changesNameOf(place))),
    get: (name) => textIn(texts, name),
  };
}

async function textIn(texts: Blobs, name: string): Promise<string | undefined> {
  const bytes = await texts.get(name);
  return bytes && Buffer.from(bytes).toString("utf8");
}

export async function openJournal(options: OpenOptions): Promise<OpenJournal> {
  const { fs, folder } = options;
  const journal = await Journal.open(options);
  const draft = new Draft({ ...options, name: draftName });
  const attached = new Draft({ ...options, name: attachedName });
  const sent = new Draft({ ...options, name: sentName });
  // In another workspace it would be about other files, however they are called.
  const changed = new Draft({ ...options, name: changesNameOf(options.place) });
  const isOurs = journal.readOnly === undefined;
  const beside = { draft, attached, sent, changes: changed };
  const mended: (keyof typeof beside)[] = [];
  for (const name of ["draft", "attached", "sent", "changes"] as const)
    if (isOurs && (await beside[name].mend().catch(() => false))) mended.push(name);
  const blobs = new Blobs({ fs, folder: join(folder, blobFolder), limit: attachmentLimit });
  const texts = new Blobs({ fs, folder: join(folder, changesFolder), limit: changesLimit });

  async function dropUnnamed(): Promise<void> {
    if ((await blobs.size()) === 0) return;
    const records = await journal.read(() => true);
    const named = new Set(records.flatMap((record) => hashesIn(JSON.stringify(record))));
    for (const hash of await blobs.list()) if (!named.has(hash)) await blobs.remove(hash);
  }

  async function namedElsewhere(): Promise<ReadonlySet<string>> {
    const own = changesNameOf(options.place);
    const others = (await fs.list(folder)).filter((name) => name !== own && isChangesName(name));
    const texts = await Promise.all(others.map((name) => readWhole(fs, join(folder, name))));
    return new Set(texts.flatMap(hashesIn));
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
    changes: {
      read: () => changed.readWhole(),
      async write(state, waits) {
        await write(changed, state);
        const { place } = options;
        if ((journal.summary.waitsIn?.includes(place) ?? false) === waits) return;
        // The state is what counts; what the list says of it is kept and tried again like every record.
        await journal
          .append({ type: ownType.waits, place, waits }, { durable: false })
          .catch(() => undefined);
      },
      async put(text) {
        await texts.put(Buffer.from(text));
      },
      get: (name) => textIn(texts, name),
      async keepOnly(names) {
        const elsewhere = await namedElsewhere();
        for (const name of await texts.list())
          if (!names.has(name) && !elsewhere.has(name)) await texts.remove(name);
      },
    },
    onDidChange: journal.onDidChange,
    append: (record, how) => journal.append(record, how),
    read: (wants) => journal.read(wants),
    async cut(turn) {
      await journal.rewrite(async (records) => {
        const isCut = turn !== undefined || records.some((record) => cutFrom(record));
        // First: should this be the end, the turn is still in sight and can be cut off again.
        if (isCut) await removeSetAside(fs, folder);
        return withoutCuts(records, turn);
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
