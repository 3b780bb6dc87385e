// The way back from changes to files: what they were, kept before anything touches them, with whatever the owner of
// the files wants to know besides. Only files that are changed are ever named. Nothing is written outside the store.
import { type Blobs, BlobsFull } from "./blobs.ts";
import type { JournalRecord, NewRecord } from "./record-line.ts";
import { StoreError } from "./store-error.ts";
import { ownType } from "./summary.ts";

/** A file's bytes, or that there is no file. */
export type FileBytes = Uint8Array | "absent";

export interface Taking {
  readonly turn: string;
  /** What it is found by; of several the latest counts. */
  readonly name: string;
  /** As they are now. `file` is whatever names one for its owner. */
  readonly files: readonly { readonly file: string; readonly bytes: FileBytes }[];
  /** What is going to be done to them, in the owner's words. */
  readonly details: Uint8Array;
}

/** What the checkpoints need of the journal they live in. */
export interface CheckpointJournal {
  readonly own: readonly JournalRecord[];
  append(record: NewRecord, options: { readonly durable: boolean }): Promise<void>;
}

export type Kept =
  | { readonly kept: true; readonly checkpoint: string }
  | { readonly kept: false; readonly reason: StoreError };

/** What became of the changes; none is known where the process died in between. */
export type Outcome = "done" | "refused" | "taken-back";

export interface Checkpoint {
  readonly id: string;
  readonly turn: string;
  readonly outcome: Outcome | undefined;
  /** Each file's bytes by the name of their blob; `absent` for none. */
  readonly files: ReadonlyMap<string, string>;
  readonly details: string;
}

const absent = "absent";

export class Checkpoints {
  readonly #journal: CheckpointJournal;
  readonly #snapshots: Blobs;
  readonly #place: string;
  readonly #newId: () => string;

  /** `place`: the editor's workspace. What was taken in another one is about other files, however they are called. */
  constructor(journal: CheckpointJournal, snapshots: Blobs, place: string, newId: () => string) {
    this.#journal = journal;
    this.#snapshots = snapshots;
    this.#place = place;
    this.#newId = newId;
  }

  /** Where there is no room, the oldest make some. Not kept: the caller asks whether to go on without a way back. */
  async take(taking: Taking): Promise<Kept> {
    try {
      return { kept: true, checkpoint: await this.#take(taking) };
    } catch (error) {
      if (error instanceof BlobsFull && (await this.#makeRoom(taking))) return this.take(taking);
      if (error instanceof StoreError) return { kept: false, reason: error };
      throw error;
    }
  }

  async settle(checkpoint: string, outcome: Outcome): Promise<void> {
    await this.#journal.append({ type: ownType.settled, id: checkpoint, outcome }, { durable: true });
  }

  find(name: string): Checkpoint | undefined {
    const isHere = (each: JournalRecord) => each["name"] === name && each["place"] === this.#place;
    const record = this.#taken().findLast(isHere);
    return record && this.#read(record);
  }

  /** `undefined`: pruned, or the disk lost them. */
  async bytes(blob: string): Promise<FileBytes | undefined> {
    return blob === absent ? absent : this.#snapshots.get(blob);
  }

  /** Forgets the oldest until `bytes` less are kept; newer ones keep what they share with them. */
  async prune(bytes: number): Promise<void> {
    const goal = Math.max(0, (await this.#snapshots.size()) - bytes);
    const all = this.#taken().map((record) => this.#read(record));
    for (const [index, each] of all.entries()) {
      if ((await this.#snapshots.size()) <= goal) return;
      const needed = new Set(all.slice(index + 1).flatMap(blobsOf));
      for (const blob of blobsOf(each)) if (!needed.has(blob)) await this.#snapshots.remove(blob);
    }
  }

  async #take({ turn, name, files, details }: Taking): Promise<string> {
    const kept: [string, string][] = [];
    for (const { file, bytes } of files)
      kept.push([file, bytes === absent ? absent : await this.#snapshots.put(bytes)]);
    const id = this.#newId();
    const fields = { id, turn, name, place: this.#place, files: Object.fromEntries(kept) };
    const record = { type: ownType.checkpoint, ...fields, details: await this.#snapshots.put(details) };
    await this.#journal.append(record, { durable: true });
    return id;
  }

  /** False when nothing more can be forgotten, or it would not be enough. */
  async #makeRoom({ files, details }: Taking): Promise<boolean> {
    const sizes = files.map(({ bytes }) => (bytes === absent ? 0 : bytes.byteLength));
    const wanted = sizes.reduce((sum, size) => sum + size, details.byteLength);
    if (wanted > this.#snapshots.limit) return false;
    const before = await this.#snapshots.size();
    await this.prune(before + wanted - this.#snapshots.limit);
    return (await this.#snapshots.size()) < before;
  }

  #taken(): readonly JournalRecord[] {
    return this.#journal.own.filter(({ type }) => type === ownType.checkpoint);
  }

  #read(record: JournalRecord): Checkpoint {
    const id = String(record["id"]);
    const isSettled = (each: JournalRecord) => each.type === ownType.settled && each["id"] === id;
    const settled = this.#journal.own.findLast(isSettled)?.["outcome"];
    return {
      id,
      turn: String(record["turn"]),
      outcome: outcomes.find((each) => each === settled),
      files: asNames(record["files"]),
      details: String(record["details"]),
    };
  }
}

const outcomes: readonly Outcome[] = ["done", "refused", "taken-back"];

const blobsOf = ({ files, details }: Checkpoint): string[] => [...files.values(), details];

function asNames(value: unknown): ReadonlyMap<string, string> {
  return new Map(Object.entries(value ?? {}).map(([file, name]) => [file, String(name)]));
}
