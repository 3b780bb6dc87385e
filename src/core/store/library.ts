// All conversations under one folder: the list, opening and making, and what is done to one as a whole. Several
// windows share the folder; each sees what the others do within two seconds.

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { message } from "../messages/message.ts";
import type { Disposable } from "../util/disposables.ts";
import { Emitter, type Listener } from "../util/emitter.ts";
import { tryAllSteps } from "../util/try-all-steps.ts";
import { type Arriving, readBundle, writeBundle } from "./bundle.ts";
import { ConversationIndex, idForm } from "./conversation-index.ts";
import { type BranchPoint, copyBranch } from "./copy-branch.ts";
import { type FileSystem, folderSize } from "./file-system.ts";
import { ownType } from "./journal-events.ts";
import { journalName } from "./journal-terms.ts";
import { WriterLock } from "./lock.ts";
import { type KeptTexts, type OpenJournal, openJournal, readChanges } from "./open-journal.ts";
import type { NewRecord } from "./record-line.ts";
import { sweepUnfinished } from "./replace-file.ts";
import { type Hit, needleFor, searchConversation } from "./search-conversation.ts";
import { SharedJournals } from "./shared-journals.ts";
import { removeFolder, sweepFolders } from "./staged-folder.ts";
import { StoreError } from "./store-error.ts";
import type { ConversationSummary } from "./summary.ts";

export interface Library extends Disposable {
  /** Newest first; tasks are not among them. */
  list(): Promise<readonly ConversationSummary[]>;
  /** Those in which something that was proposed in this place waits for a decision. */
  leftToReview(): Promise<readonly string[]>;
  /** What was asked from the editor, and nobody has gone on with. */
  tasks(): Promise<readonly ConversationSummary[]>;
  /** One of them; nothing when there is none of this name. */
  find(id: string): Promise<ConversationSummary | undefined>;
  /** Bytes on disk by id, with everything that deleting would remove. */
  sizes(): Promise<ReadonlyMap<string, number>>;
  open(id: string, wants?: (type: string) => boolean): Promise<OpenJournal>;
  /** Leaves nothing on disk before its first record or draft. */
  create(id?: string, isTask?: boolean): Promise<OpenJournal>;
  /** The one of this place used last that is not archived. */
  latest(): Promise<string | undefined>;
  /** What one of them has proposed in this place, to be read only; it need not be open. */
  changes(id: string): Pick<KeptTexts, "read" | "get">;
  search(text: string, signal: AbortSignal): AsyncIterable<Hit>;
  rename(id: string, title: string): Promise<void>;
  archive(id: string, archived: boolean): Promise<void>;
  /** A task is a conversation of the list from now on. */
  goOn(id: string): Promise<void>;
  /** A new conversation that begins like this one; answers its id. */
  branch(id: string, at: BranchPoint): Promise<string>;
  /** Gone from the disk when it resolves. */
  remove(id: string): Promise<void>;
  exportBundle(id: string, options: { readonly reasoning: boolean }): AsyncIterable<Uint8Array>;
  /** Answers the id of the new conversation. */
  importBundle(bytes: AsyncIterable<Uint8Array>): Promise<string>;
  /** The list may have changed, here or in another window. */
  onDidChange(listener: Listener<void>): Disposable;
  /** Closes what is open; what can still be saved is. */
  close(): Promise<void>;
}

export interface LibraryDeps {
  readonly fs: FileSystem;
  readonly folder: string;
  /** The editor's workspace: what begins here is found again here. */
  readonly place: string;
  now(): number;
  /** What is taken of a conversation that is imported. */
  arriving(): Arriving;
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
    // What waits beside a task without a turn is in no list either. A disk that refuses says so at the next record.
    if (isTask)
      await journal.append({ type: ownType.task, task: true }, { durable: false }).catch(() => undefined);
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
      // One conversation that cannot be read does not hide what is in the others.
      const hits = await searchConversation({ fs, path, id, title }, needle).catch(() => []);
      for (const hit of hits) {
        if (signal.aborted) return;
        yield hit;
      }
    }
  }

  rename(id: string, title: string): Promise<void> {
    return this.#say(id, { type: ownType.title, title });
  }

  archive(id: string, archived: boolean): Promise<void> {
    return this.#say(id, { type: ownType.archived, archived });
  }

  goOn(id: string): Promise<void> {
    return this.#say(id, { type: ownType.task, task: false });
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
        // What could not be removed is still a conversation, and belongs to nobody.
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
    await tryAllSteps([() => this.#open.closeAll(), () => this.#noting]);
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

  /** Litter is no reason to fail. */
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
      // The index is a cache: what could not be noted is read from the journal by the next list.
      await this.#index.note(id).catch(() => undefined);
    }
    this.#noting = undefined;
    this.#changes.fire();
  }

  async #lookAround(): Promise<void> {
    // A folder that cannot be looked at has nothing to tell.
    if (await this.#index.hasMoved().catch(() => false)) this.#changes.fire();
  }

  #stopLooking(): void {
    clearInterval(this.#look);
    this.#look = undefined;
  }
}
