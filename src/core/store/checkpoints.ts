// The way back from a patch. Before a patch touches files their bytes are kept, after it the hashes of what it left;
// a file is put back only if it still is what the patch left, and only files that we touched are ever named.
// This file writes nothing outside the store: it says what should be written, and whoever owns the files does it.
import { type Blobs, hashOf } from "./blobs.ts";
import type { JournalRecord, NewRecord } from "./record-line.ts";
import { StoreError } from "./store-error.ts";
import { ownType } from "./summary.ts";

/** A file's bytes, or that there is no file. */
export type FileBytes = Uint8Array | "absent";

export interface TouchedFile {
  /** Whatever names the file for its owner; opaque here. */
  readonly file: string;
  readonly bytes: FileBytes;
}

/** What the checkpoints need of the journal they live in. */
export interface CheckpointJournal {
  readonly own: readonly JournalRecord[];
  append(record: NewRecord, options: { readonly durable: boolean }): Promise<void>;
}

export type Kept =
  | { readonly kept: true; readonly checkpoint: string }
  | { readonly kept: false; readonly reason: StoreError };

/** What going back would do to one file. */
export type Return =
  | { readonly file: string; readonly state: "unchanged" }
  /** It still is what the patch left: these bytes may replace it. */
  | { readonly file: string; readonly state: "returns"; readonly to: FileBytes }
  /** Somebody has changed it since: to be asked, or merged from all three. */
  | {
      readonly file: string;
      readonly state: "edited";
      readonly to: FileBytes;
      readonly left: FileBytes | "unknown";
      readonly present: FileBytes;
    }
  /** The bytes were pruned, or the disk lost them. */
  | { readonly file: string; readonly state: "gone" };

interface Step {
  readonly id: string;
  readonly turn: string;
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string> | undefined;
}

const absent = "absent";

export class Checkpoints {
  readonly #journal: CheckpointJournal;
  readonly #snapshots: Blobs;
  readonly #newId: () => string;

  constructor(journal: CheckpointJournal, snapshots: Blobs, newId: () => string) {
    this.#journal = journal;
    this.#snapshots = snapshots;
    this.#newId = newId;
  }

  /** Before a patch is applied. Not kept: the caller asks whether to go on without a way back. */
  async take(turn: string, files: readonly TouchedFile[]): Promise<Kept> {
    try {
      const before = await this.#keep(files);
      const checkpoint = this.#newId();
      await this.#journal.append(
        { type: ownType.checkpoint, id: checkpoint, turn, before },
        { durable: true },
      );
      return { kept: true, checkpoint };
    } catch (error) {
      if (error instanceof StoreError) return { kept: false, reason: error };
      throw error;
    }
  }

  /** After it was applied: what the files are now. */
  async seal(checkpoint: string, files: readonly TouchedFile[]): Promise<void> {
    const after = Object.fromEntries(files.map(({ file, bytes }) => [file, nameOf(bytes)]));
    await this.#journal.append({ type: ownType.sealed, id: checkpoint, after }, { durable: true });
    // Only wanted for a three-way merge, so not a reason to fail.
    await this.#keep(files).catch(() => undefined);
  }

  /** Turns that can be gone back to, oldest first. */
  turns(): readonly string[] {
    return [...new Set(this.#steps().map(({ turn }) => turn))];
  }

  /** What it takes to have every touched file as it was before `turn`. */
  async plan(turn: string, present: (file: string) => Promise<FileBytes>): Promise<readonly Return[]> {
    const steps = this.#steps();
    const first = steps.findIndex((step) => step.turn === turn);
    if (first < 0) return [];
    const undone = steps.slice(first);
    const files = new Set(undone.flatMap(({ before }) => [...before.keys()]));
    const returns: Return[] = [];
    for (const file of files) returns.push(await this.#planFile(file, undone, await present(file)));
    return returns;
  }

  /** Forgets the oldest snapshots until `bytes` are free; newer checkpoints keep what they share with them. */
  async prune(bytes: number): Promise<void> {
    const goal = Math.max(0, (await this.#snapshots.size()) - bytes);
    const steps = this.#steps();
    for (const [index, step] of steps.entries()) {
      if ((await this.#snapshots.size()) <= goal) return;
      const needed = new Set(steps.slice(index + 1).flatMap(names));
      for (const name of names(step)) if (!needed.has(name)) await this.#snapshots.remove(name);
    }
  }

  async #planFile(file: string, undone: readonly Step[], present: FileBytes): Promise<Return> {
    const touching = undone.filter(({ before }) => before.has(file));
    const target = touching[0]?.before.get(file) ?? absent;
    if (nameOf(present) === target) return { file, state: "unchanged" };
    const to = await this.#bytes(target);
    if (to === undefined) return { file, state: "gone" };
    const last = touching.at(-1)?.after?.get(file);
    if (nameOf(present) === last && isUnbroken(file, touching)) return { file, state: "returns", to };
    const left = last === undefined ? "unknown" : ((await this.#bytes(last)) ?? "unknown");
    return { file, state: "edited", to, left, present };
  }

  async #keep(files: readonly TouchedFile[]): Promise<Record<string, string>> {
    const names: [string, string][] = [];
    for (const { file, bytes } of files)
      names.push([file, bytes === absent ? absent : await this.#snapshots.put(bytes)]);
    return Object.fromEntries(names);
  }

  async #bytes(name: string): Promise<FileBytes | undefined> {
    return name === absent ? absent : this.#snapshots.get(name);
  }

  #steps(): readonly Step[] {
    const sealed = new Map(
      this.#journal.own
        .filter(({ type }) => type === ownType.sealed)
        .map((record) => [record["id"], asNames(record["after"])]),
    );
    return this.#journal.own
      .filter(({ type }) => type === ownType.checkpoint)
      .map((record) => ({
        id: String(record["id"]),
        turn: String(record["turn"]),
        before: asNames(record["before"]),
        after: sealed.get(record["id"]),
      }));
  }
}

const nameOf = (bytes: FileBytes): string => (bytes === absent ? absent : hashOf(bytes));

const names = ({ before, after }: Step): string[] => [...before.values(), ...(after?.values() ?? [])];

/** Each patch found the file as the one before had left it: nobody's edits lie in between. */
function isUnbroken(file: string, touching: readonly Step[]): boolean {
  return touching.every((step, index) => {
    const next = touching[index + 1];
    return next === undefined || step.after?.get(file) === next.before.get(file);
  });
}

function asNames(value: unknown): ReadonlyMap<string, string> {
  return new Map(Object.entries(value ?? {}).map(([file, name]) => [file, String(name)]));
}
