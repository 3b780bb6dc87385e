// An open conversation: its journal together with the files next to it. The other rooms use the store through this
// interface while a conversation is open.
import { join } from "node:path";
import { message } from "../../conversation/messages.ts";
import { runAll, withRollback } from "../../util/disposables.ts";
import { StoreError } from "../documents.ts";
import {
  changesFolder,
  cutFrom,
  type JournalOptions,
  type KeptTexts,
  type OpenJournal,
  storeRecordType,
  withoutCuts,
} from "../journal-records.ts";
import { Blobs, changesLimit, hashesIn } from "./blobs.ts";
import {
  attachedName,
  changesNameOf,
  Draft,
  draftName,
  isChangesName,
  readWhole,
  remarksNameOf,
  sentName,
  trialName,
} from "./draft-file.ts";
import { Journal } from "./journal.ts";
import { removeSetAside } from "./repair-journal.ts";

interface OpenOptions extends JournalOptions {
  /** Called by `close`. Calls `end` once nobody else in this process has the journal open and everything is saved. */
  release(leaving: Leaving): Promise<void>;
}

interface Leaving {
  /** Whether everything is on the disk. */
  save(): Promise<boolean>;
  end(): Promise<void>;
}

/** Reads the proposals of a conversation that need not be open. */
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
  const trial = new Draft({ ...options, name: trialName });
  // In another workspace, the same paths would mean other files.
  const remarks = new Draft({ ...options, name: remarksNameOf(options.place) });
  const changed = new Draft({ ...options, name: changesNameOf(options.place) });
  const isOurs = journal.readOnly === undefined;
  const beside = { draft, attached, sent, changes: changed };
  const mended: (keyof typeof beside)[] = [];
  for (const name of ["draft", "attached", "sent", "changes"] as const)
    if (isOurs && (await beside[name].mend().catch(() => false))) mended.push(name);
  const texts = new Blobs({ fs, folder: join(folder, changesFolder), limit: changesLimit });

  async function namedElsewhere(): Promise<ReadonlySet<string>> {
    const own = changesNameOf(options.place);
    const others = (await fs.list(folder)).filter((name) => name !== own && isChangesName(name));
    const texts = await Promise.all(others.map((name) => readWhole(fs, join(folder, name))));
    return new Set(texts.flatMap(hashesIn));
  }

  let isClosed = false;
  /** What is on its way to the disk. A journal that was closed takes nothing more: its folder may be gone. */
  const writing = new Set<Promise<void>>();

  function write(to: Draft, text: string): Promise<void> {
    if (isClosed) return Promise.reject(new StoreError(message("keptClosed")));
    const written = writeNow(to, text).finally(() => writing.delete(written));
    writing.add(written);
    return written;
  }

  async function writeNow(to: Draft, text: string): Promise<void> {
    // A reader must not recreate what the writer has deleted.
    if (journal.readOnly !== undefined && text !== "" && (await fs.stat(folder)) === undefined)
      throw new StoreError(message("keptGone"));
    await to.write(text);
  }

  async function end(): Promise<void> {
    isClosed = true;
    await Promise.allSettled(writing);
    await journal.close();
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
    changes: {
      read: () => changed.readWhole(),
      async write(state, waits) {
        await write(changed, state);
        const { place } = options;
        if ((journal.summary.waitsIn?.includes(place) ?? false) === waits) return;
        // The state is what counts. The record for the list is kept and retried like any other.
        await journal
          .append({ type: storeRecordType.waits, place, waits }, { durable: false })
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
    cut: (turn) =>
      journal.rewrite(async (records) => {
        const isCut = turn !== undefined || records.some((record) => cutFrom(record));
        // Remove these first: if the process ends here, the turn is still visible and can be cut off again.
        if (isCut) await removeSetAside(fs, folder);
        return withoutCuts(records, turn);
      }, turn),
    readDraft: () => draft.read(),
    writeDraft: (text) => write(draft, text),
    readAttached: () => attached.read(),
    writeAttached: (text) => write(attached, text),
    readSent: () => sent.read(),
    writeSent: (text) => write(sent, text),
    readTrial: () => trial.readWhole(),
    writeTrial: (text) => write(trial, text),
    readRemarks: () => remarks.readWhole(),
    writeRemarks: (text) => write(remarks, text),
    reload: () => journal.reload(),
    takeOver: () => journal.takeOver(),
    handOver: () => journal.handOver(),
    close: () => options.release({ save: () => journal.save(), end }),
  };
}

type Wants = ((type: string) => boolean) | undefined;
type Release = (leaving: Leaving) => Promise<void>;

interface Shared {
  readonly journal: Promise<OpenJournal>;
  users: number;
}

/**
 * The conversations that are open in this process. All users of a conversation share one journal, which is closed after
 * the last user. Opening waits while the journal is being closed; otherwise its own window would hold the lock. An
 * unused journal stays open while the disk refuses its records.
 */
export class SharedJournals {
  readonly #openFolder: (id: string, wants: Wants, release: Release) => Promise<OpenJournal>;
  readonly #open = new Map<string, Shared>();
  readonly #closing = new Map<string, Promise<void>>();

  constructor(openFolder: (id: string, wants: Wants, release: Release) => Promise<OpenJournal>) {
    this.#openFolder = openFolder;
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  async use(id: string, wants: Wants): Promise<OpenJournal> {
    const known = this.#open.get(id);
    if (known !== undefined) {
      known.users += 1;
      return withRollback(async (own) => {
        const journal = await known.journal;
        own({ dispose: () => journal.close() });
        // Nobody used it since, and the records that were read once lack what was appended.
        if (known.users === 1) await journal.reload();
        return journal;
      });
    }
    const release: Release = (leaving) => this.#release(id, shared, leaving);
    const opened = this.#openAfterClosing(id, wants, release);
    const shared: Shared = { journal: opened, users: 1 };
    this.#open.set(id, shared);
    opened.catch(() => {
      if (this.#open.get(id) === shared) this.#open.delete(id);
    });
    return opened;
  }

  /** Closes a conversation no matter how many users it has. */
  async close(id: string): Promise<void> {
    const shared = this.#open.get(id);
    this.#open.delete(id);
    const journal = await shared?.journal.catch(() => undefined);
    await journal?.close();
    await this.#closing.get(id);
  }

  async closeAll(): Promise<void> {
    await runAll([...this.#open.keys(), ...this.#closing.keys()].map((id) => () => this.close(id)));
  }

  async #openAfterClosing(id: string, wants: Wants, release: Release): Promise<OpenJournal> {
    await this.#closing.get(id)?.catch(() => undefined);
    return this.#openFolder(id, wants, release);
  }

  async #release(id: string, shared: Shared, { save, end }: Leaving): Promise<void> {
    // It was closed for all of its users, and may have been opened again by others.
    if (this.#open.get(id) !== shared) return this.#end(id, end);
    shared.users -= 1;
    if (shared.users > 0) return;
    if (await save()) await this.#endUnused(id, shared, end);
    else await this.#endOnceSaved(id, shared, { save, end });
  }

  async #endUnused(id: string, shared: Shared, end: () => Promise<void>): Promise<void> {
    // Somebody may have opened it while it was being saved.
    if (shared.users > 0 || this.#open.get(id) !== shared) return;
    this.#open.delete(id);
    await this.#end(id, end);
  }

  /** Once the disk accepts writes again, or we are the writer again. */
  async #endOnceSaved(id: string, shared: Shared, { save, end }: Leaving): Promise<void> {
    const journal = await shared.journal;
    const listening = journal.onDidChange(async () => {
      if (!(await save())) return;
      listening.dispose();
      // Ignore an error while closing: everything is saved.
      this.#endUnused(id, shared, end).catch(() => undefined);
    });
  }

  async #end(id: string, end: () => Promise<void>): Promise<void> {
    const ended = end().finally(() => {
      if (this.#closing.get(id) === ended) this.#closing.delete(id);
    });
    this.#closing.set(id, ended);
    await ended;
  }
}
