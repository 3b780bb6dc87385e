// The uploaded files as a person knows them: ids they told us, what became of each, where one stands in conversations
// on this machine. The service shows only deletion, so nothing is ever uploaded, listed or looked up.
import type { DeleteOutcome } from "../api/delete-file.ts";
import type { Hit } from "../store/search-conversation.ts";
import type { Disposable } from "../util/disposables.ts";
import { Emitter, type Listener } from "../util/emitter.ts";
import { DeleteMany, type DeleteProgress, type FileOutcome } from "./delete-many.ts";
import { type FoundIds, findFileIds } from "./file-ids.ts";
import { addFiles, type FileEntry, type FileLedger, forgetFiles, recordOutcome } from "./file-ledger.ts";

export interface UploadedFilesDeps {
  readonly ledger: FileLedger;
  deleteFile(id: string, signal: AbortSignal): Promise<DeleteOutcome>;
  /** The text in all conversations of this machine. */
  search(text: string, signal: AbortSignal): AsyncIterable<Hit>;
  now(): number;
}

export interface Added extends FoundIds {
  readonly added: number;
}

export interface Use {
  readonly conversation: string;
  readonly title: string;
}

export interface UploadedFiles {
  list(): Promise<readonly FileEntry[]>;
  /** Ids out of whatever was pasted or picked. */
  add(text: string): Promise<Added>;
  /** Off the list; nothing is deleted. */
  forget(ids: readonly string[]): Promise<void>;
  /** Permanent. One outcome per id; each is on the list as soon as it is known. */
  delete(
    ids: readonly string[],
    onProgress: (progress: DeleteProgress) => void,
    signal: AbortSignal,
  ): Promise<readonly FileOutcome[]>;
  /** Whether the service is being asked to delete it right now. */
  isDeleting(id: string): boolean;
  /** Conversations in which the id stands, each once. */
  usesOf(id: string, signal: AbortSignal): Promise<readonly Use[]>;
  onDidChange(listener: Listener<void>): Disposable;
}

type Work = (entries: readonly FileEntry[]) => readonly FileEntry[];

export function createUploadedFiles(deps: UploadedFilesDeps): UploadedFiles {
  const { ledger, search, now } = deps;
  const changes = new Emitter<void>();
  const many = new DeleteMany(deps);
  const running = new Set<string>();

  async function change(work: Work): Promise<void> {
    await ledger.change(work);
    changes.fire();
  }

  return {
    list: () => ledger.read(),
    async add(text) {
      const found = findFileIds(text);
      let added = 0;
      await change((before) => {
        const after = addFiles(before, found.ids, now());
        added = after.length - before.length;
        return added === 0 ? before : after;
      });
      return { ...found, added };
    },
    forget: (ids) => change((entries) => forgetFiles(entries, new Set(ids))),
    async delete(ids, onProgress, signal) {
      many.suspect((await ledger.read()).flatMap(({ id, state }) => (state === "unsure" ? [id] : [])));
      const book = new OutcomeBook(change, now);
      const outcomes = await many.run(
        ids,
        (progress) => {
          for (const id of progress.running) running.add(id);
          if (progress.ended !== undefined) {
            running.delete(progress.ended.id);
            book.add(progress.ended);
          }
          changes.fire();
          onProgress(progress);
        },
        signal,
      );
      await book.close();
      return outcomes;
    },
    isDeleting: (id) => running.has(id),
    async usesOf(id, signal) {
      const uses = new Map<string, Use>();
      for await (const { conversation, title } of search(id, signal))
        uses.set(conversation, { conversation, title });
      return [...uses.values()];
    },
    onDidChange: changes.on,
  };
}

/** Writes down outcomes as they come, all that have come at once: a thousand of them are not a thousand files. */
class OutcomeBook {
  readonly #change: (work: Work) => Promise<void>;
  readonly #now: () => number;
  #waiting: FileOutcome[] = [];
  #writing: Promise<void> | undefined;
  #problem: unknown;

  constructor(change: (work: Work) => Promise<void>, now: () => number) {
    this.#change = change;
    this.#now = now;
  }

  add(outcome: FileOutcome): void {
    this.#waiting.push(outcome);
    this.#writing ??= this.#write();
  }

  /** Rejects when the list could not be saved; what became of the files is told all the same. */
  async close(): Promise<void> {
    await this.#writing;
    if (this.#problem !== undefined) throw this.#problem;
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const outcomes = this.#waiting.splice(0);
      const at = this.#now();
      await this.#change((entries) =>
        outcomes.reduce((list, outcome) => recordOutcome(list, outcome, at), entries),
      ).catch((error: unknown) => {
        this.#problem = error;
      });
    }
    // In the same breath as the last look at what waits: whatever comes now is written again.
    this.#writing = undefined;
  }
}
