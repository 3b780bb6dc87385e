// All conversations below one folder: listing, opening, creating, and operations on whole conversations. Several
// windows share the folder; each sees the changes of the others within two seconds.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { message } from "../conversation/messages.ts";
import { type Disposable, runAll } from "../util/disposables.ts";
import { Emitter, type Listener } from "../util/emitter.ts";
import type { ConversationSummary, Hit } from "./conversation-summary.ts";
import { StoreError } from "./documents.ts";
import { type FileSystem, folderSize, sweepUnfinished, WriterLock } from "./file-system.ts";
import { type BranchPoint, copyBranch } from "./internal/branch.ts";
import { ConversationIndex, idForm } from "./internal/conversation-index.ts";
import { readBundle, writeBundle } from "./internal/import-export.ts";
import { openJournal, readChanges, SharedJournals } from "./internal/open-conversation.ts";
import { needleFor, searchConversation } from "./internal/search-conversation.ts";
import { removeFolder, sweepFolders } from "./internal/staged-folder.ts";
import {
  type ImportedRecords,
  journalName,
  type KeptTexts,
  type NewRecord,
  type OpenJournal,
  storeRecordType,
} from "./journal-records.ts";

export interface Library extends Disposable {
  /** Newest first, without tasks. */
  list(): Promise<readonly ConversationSummary[]>;
  /** Ids of conversations with a proposal in this workspace that waits for a decision. */
  leftToReview(): Promise<readonly string[]>;
  /** Questions asked from the editor that nobody has continued. */
  tasks(): Promise<readonly ConversationSummary[]>;
  /** Returns one conversation, `undefined` if there is none with this id. */
  find(id: string): Promise<ConversationSummary | undefined>;
  /** Bytes on the disk by id, counting everything that deleting would remove. */
  sizes(): Promise<ReadonlyMap<string, number>>;
  open(id: string, wants?: (type: string) => boolean): Promise<OpenJournal>;
  /** Leaves nothing on the disk before its first record or draft. */
  create(id?: string, isTask?: boolean): Promise<OpenJournal>;
  /** The id of the most recently used conversation of this workspace that is not archived. */
  latest(): Promise<string | undefined>;
  /** Read-only access to a conversation's proposals in this workspace, whether it is open or not. */
  changes(id: string): Pick<KeptTexts, "read" | "get">;
  search(text: string, signal: AbortSignal): AsyncIterable<Hit>;
  rename(id: string, title: string): Promise<void>;
  archive(id: string, archived: boolean): Promise<void>;
  /** Turns a task into an ordinary conversation of the list. */
  goOn(id: string): Promise<void>;
  /** Creates a conversation with the same beginning and returns its id. */
  branch(id: string, at: BranchPoint): Promise<string>;
  /** Resolves once the conversation is gone from the disk. */
  remove(id: string): Promise<void>;
  exportBundle(id: string, options: { readonly reasoning: boolean }): AsyncIterable<Uint8Array>;
  /** Returns the id of the new conversation. */
  importBundle(bytes: AsyncIterable<Uint8Array>): Promise<string>;
  /** Fires when the list may have changed, here or in another window. */
  onDidChange(listener: Listener<void>): Disposable;
  /** Closes everything that is open, and saves what can still be saved. */
  close(): Promise<void>;
}

interface LibraryDeps {
  readonly fs: FileSystem;
  readonly folder: string;
  /** The editor's workspace: a conversation that begins in it is listed in it again. */
  readonly place: string;
  now(): number;
  /** Filters the records of an imported conversation. */
  arriving(): ImportedRecords;
}

const lookEvery = 1000;

export function createLibrary(deps: LibraryDeps): Library {
  return new FolderLibrary(deps);
}

class FolderLibrary implements Library {
  readonly #needs: LibraryDeps;
  readonly #index: ConversationIndex;
  readonly #changes = new Emitter<void>();
  readonly #open: SharedJournals;
  readonly #changed = new Set<string>();
  #noting: Promise<void> | undefined;
  #swept: Promise<void> | undefined;
  #listeners = 0;
  #look: NodeJS.Timeout | undefined;

  constructor(deps: LibraryDeps) {
    this.#needs = deps;
    this.#index = new ConversationIndex(deps);
    this.#open = new SharedJournals((id, wants, release) =>
      openJournal({
        ...deps,
        folder: this.#folder(id),
        id,
        onSummary: () => void this.#note(id),
        tail: () => this.#index.tailOf(id),
        release,
        ...(wants && { wants }),
      }),
    );
  }

  async list(): Promise<readonly ConversationSummary[]> {
    return (await this.#all()).filter(({ isTask }) => isTask !== true);
  }

  async leftToReview(): Promise<readonly string[]> {
    const { place } = this.#needs;
    return (await this.list()).filter(({ waitsIn = [] }) => waitsIn.includes(place)).map(({ id }) => id);
  }

  async tasks(): Promise<readonly ConversationSummary[]> {
    return (await this.#all()).filter(({ isTask }) => isTask === true);
  }

  find(id: string): Promise<ConversationSummary | undefined> {
    return this.#index.find(id);
  }

  async sizes(): Promise<ReadonlyMap<string, number>> {
    const sizes = new Map<string, number>();
    for (const { id } of await this.list())
      sizes.set(id, await folderSize(this.#needs.fs, this.#folder(id)).catch(() => 0));
    return sizes;
  }

  async open(id: string, wants?: (type: string) => boolean): Promise<OpenJournal> {
    const isThere = this.#open.has(id) || (await this.#needs.fs.stat(this.#folder(id))) !== undefined;
    if (!isThere) throw new StoreError(message("keptGone"));
    return this.#open.use(id, wants);
  }

  async create(id: string = randomUUID(), isTask = false): Promise<OpenJournal> {
    const journal = await this.#open.use(id, undefined);
    // Without this record, a draft of a task without turns would appear in the list. If the disk refuses it, the next
    // record reports that.
    if (isTask)
      await journal
        .append({ type: storeRecordType.task, task: true }, { durable: false })
        .catch(() => undefined);
    return journal;
  }

  async latest(): Promise<string | undefined> {
    const { place } = this.#needs;
    return (await this.list()).find((each) => !each.archived && each.place === place)?.id;
  }

  changes(id: string): Pick<KeptTexts, "read" | "get"> {
    return readChanges(this.#needs, this.#folder(id));
  }

  async *search(text: string, signal: AbortSignal): AsyncGenerator<Hit> {
    if (text.trim() === "") return;
    const { fs } = this.#needs;
    const needle = needleFor(text);
    for (const { id, title } of await this.list()) {
      if (signal.aborted) return;
      const path = join(this.#folder(id), journalName);
      // One unreadable conversation does not hide matches in others.
      const hits = await searchConversation({ fs, path, id, title }, needle).catch(() => []);
      for (const hit of hits) {
        if (signal.aborted) return;
        yield hit;
      }
    }
  }

  rename(id: string, title: string): Promise<void> {
    return this.#say(id, { type: storeRecordType.title, title });
  }

  archive(id: string, archived: boolean): Promise<void> {
    return this.#say(id, { type: storeRecordType.archived, archived });
  }

  goOn(id: string): Promise<void> {
    return this.#say(id, { type: storeRecordType.task, task: false });
  }

  async branch(id: string, at: BranchPoint): Promise<string> {
    const { fs, now } = this.#needs;
    const fresh = randomUUID();
    const from = { id, folder: this.#folder(id) };
    const to = { id: fresh, folder: this.#folder(fresh) };
    await copyBranch({ fs, from, to, at, now });
    await this.#note(fresh);
    return fresh;
  }

  async remove(id: string): Promise<void> {
    const { fs } = this.#needs;
    const folder = this.#folder(id);
    await this.#open.close(id);
    const lock = new WriterLock(fs, join(folder, "lock"));
    if ((await fs.stat(folder)) !== undefined) {
      if (!(await lock.acquire())) throw new StoreError(message("keptInUse"));
      try {
        await removeFolder(fs, folder);
      } finally {
        // What could not be removed remains a conversation, and nobody holds its lock.
        await lock.release();
      }
    }
    await this.#note(id);
  }

  exportBundle(id: string, options: { readonly reasoning: boolean }): AsyncIterable<Uint8Array> {
    const { fs } = this.#needs;
    return writeBundle({ fs, folder: this.#folder(id), id }, options);
  }

  async importBundle(bytes: AsyncIterable<Uint8Array>): Promise<string> {
    const { fs, place, now, arriving } = this.#needs;
    const id = randomUUID();
    await readBundle({ fs, folder: this.#folder(id), id, place, now, arriving: arriving() }, bytes);
    await this.#note(id);
    return id;
  }

  onDidChange(listener: Listener<void>): Disposable {
    const listening = this.#changes.on(listener);
    this.#listeners += 1;
    this.#look ??= setInterval(() => void this.#lookAround(), lookEvery).unref();
    let ended = false;
    return {
      dispose: () => {
        listening.dispose();
        if (!ended) this.#listeners -= 1;
        ended = true;
        if (this.#listeners === 0) this.#stopLooking();
      },
    };
  }

  async close(): Promise<void> {
    this.#stopLooking();
    await runAll([() => this.#open.closeAll(), () => this.#noting]);
  }

  dispose(): void {
    void this.close();
  }

  async #all(): Promise<readonly ConversationSummary[]> {
    this.#swept ??= this.#sweep();
    await this.#swept;
    const found = await this.#index.refresh();
    return found.toSorted((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
  }

  /** Leftovers are no reason to fail. */
  async #sweep(): Promise<void> {
    const { fs, folder, now } = this.#needs;
    await sweepFolders(fs, this.#conversations, now()).catch(() => undefined);
    await sweepUnfinished(fs, folder, { now: now() }).catch(() => undefined);
  }

  get #conversations(): string {
    return join(this.#needs.folder, "conversations");
  }

  #folder(id: string): string {
    if (!idForm.test(id)) throw new StoreError(message("keptNoName"));
    return join(this.#conversations, id);
  }

  async #say(id: string, record: NewRecord): Promise<void> {
    const journal = await this.open(id);
    try {
      await journal.append(record, { durable: true });
    } finally {
      await journal.close();
    }
    await this.#noting;
  }

  #note(id: string): Promise<void> {
    this.#changed.add(id);
    this.#noting ??= this.#noteAll();
    return this.#noting;
  }

  async #noteAll(): Promise<void> {
    for (const id of this.#changed) {
      this.#changed.delete(id);
      // The index is a cache: if this fails, the next list reads the journal.
      await this.#index.note(id).catch(() => undefined);
    }
    this.#noting = undefined;
    this.#changes.fire();
  }

  async #lookAround(): Promise<void> {
    // If the folder cannot be read, there is nothing to report.
    if (await this.#index.hasMoved().catch(() => false)) this.#changes.fire();
  }

  #stopLooking(): void {
    clearInterval(this.#look);
    this.#look = undefined;
  }
}
