// The list of uploaded files for the user: ids that were entered, what became of each, and which conversations on this
// machine mention it. The service documents only deletion, so nothing is ever uploaded, listed or looked up.

import type { DeleteOutcome } from "../service/request.ts";
import type { Hit } from "../store/conversation-summary.ts";
import type { Disposable } from "../util/disposables.ts";
import { Emitter, type Listener } from "../util/emitter.ts";
import { addFiles, type FileEntry, type FileLedger, forgetFiles, recordOutcome } from "./file-ledger.ts";
import { DeleteMany, type DeleteProgress, type FileOutcome } from "./internal/delete-files.ts";
import { type FoundIds, findFileIds } from "./internal/find-file-ids.ts";

interface UploadedFilesDeps {
  readonly ledger: FileLedger;
  deleteFile(id: string, signal: AbortSignal): Promise<DeleteOutcome>;
  /** Searches all conversations on this machine. */
  search(text: string, signal: AbortSignal): AsyncIterable<Hit>;
  now(): number;
}

export interface AddedFiles extends FoundIds {
  readonly added: number;
}

export interface FileUse {
  readonly conversation: string;
  readonly title: string;
}

export interface UploadedFiles {
  list(): Promise<readonly FileEntry[]>;
  /** Adds ids found in pasted or picked text. */
  add(text: string): Promise<AddedFiles>;
  /** Removes ids from the list without deleting the files. */
  forget(ids: readonly string[]): Promise<void>;
  /** Permanent. Returns one outcome per id; each is recorded in the list as soon as it is known. */
  delete(
    ids: readonly string[],
    onProgress: (progress: DeleteProgress) => void,
    signal: AbortSignal,
  ): Promise<readonly FileOutcome[]>;
  /** Whether a deletion of this file is in progress. */
  isDeleting(id: string): boolean;
  /** Conversations that mention the id, without duplicates. */
  usesOf(id: string, signal: AbortSignal): Promise<readonly FileUse[]>;
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
      const uses = new Map<string, FileUse>();
      for await (const { conversation, title } of search(id, signal))
        uses.set(conversation, { conversation, title });
      return [...uses.values()];
    },
    onDidChange: changes.on,
  };
}

/** Saves outcomes as they arrive, all pending ones at once: a thousand outcomes do not cause a thousand writes. */
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

  /** Rejects if the list could not be saved. The outcomes are reported even then. */
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
    // Synchronous after the last check for pending outcomes, so a later outcome starts a new write.
    this.#writing = undefined;
  }
}
