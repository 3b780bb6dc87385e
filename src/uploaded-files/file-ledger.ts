// The ids of uploaded files that a person has entered, and what became of them. The service lists no files, so this
// list is all there is; losing it loses no file. Several windows change it, one at a time.

import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { message } from "../conversation/messages.ts";
import { Message } from "../conversation/problem.ts";
import { Document, StoreError, sealed, unsaved, unsealed } from "../store/documents.ts";
import { type FileSystem, WriterLock } from "../store/file-system.ts";
import { Emitter } from "../util/emitter.ts";
import { asObject, parseJson } from "../util/json.ts";
import type { FileOutcome } from "./internal/delete-files.ts";

const Entry = z.object({
  id: z.string(),
  addedAt: z.number(),
  /** `listed`: nothing is known. `absent`: the service reported that there is no such file. */
  state: z.enum(["listed", "deleted", "absent", "failed", "unsure"]),
  changedAt: z.optional(z.number()),
  /** Why it is not deleted. */
  message: z.optional(Message),
});
export type FileEntry = Readonly<z.infer<typeof Entry>>;

const version = 1;

export const addFiles = (
  entries: readonly FileEntry[],
  ids: readonly string[],
  at: number,
): readonly FileEntry[] => {
  const known = new Set(entries.map(({ id }) => id));
  const fresh = ids.filter((id) => !known.has(id));
  return [...entries, ...fresh.map((id) => ({ id, addedAt: at, state: "listed" as const }))];
};

export const forgetFiles = (entries: readonly FileEntry[], ids: ReadonlySet<string>): readonly FileEntry[] =>
  entries.filter(({ id }) => !ids.has(id));

const states = {
  deleted: "deleted",
  gone: "deleted",
  "not-found": "absent",
  failed: "failed",
  unsure: "unsure",
} as const satisfies Partial<Record<FileOutcome["outcome"], FileEntry["state"]>>;

/** An entry that was not tried stays unchanged. */
export function recordOutcome(
  entries: readonly FileEntry[],
  { id, outcome, problem }: FileOutcome,
  at: number,
): readonly FileEntry[] {
  if (outcome === "not-tried") return entries;
  return entries.map((entry) => {
    if (entry.id !== id) return entry;
    const { message: _, ...rest } = entry;
    return { ...rest, state: states[outcome], changedAt: at, ...(problem && { message: problem.message }) };
  });
}

/** The whole file is JSON with one entry per line, so that damage to one line affects no other. */
const form = {
  encode: (files: readonly FileEntry[]): string =>
    `{"version":${version},"files":[\n${files.map(sealed).join(",\n")}\n]}\n`,
  decode(text: string) {
    if (Number(asObject(parseJson(text))?.["version"]) > version)
      throw new StoreError(message("uploadsNewer"));
    const value = text.split("\n").flatMap(entryIn);
    return { value, isWhole: text === form.encode(value) };
  },
};

function entryIn(line: string): FileEntry[] {
  const entry = Entry.safeParse(unsealed(line.endsWith(",") ? line.slice(0, -1) : line));
  return entry.success ? [entry.data] : [];
}

export class FileLedger {
  readonly #fs: FileSystem;
  readonly #path: string;
  readonly #document: Document<readonly FileEntry[]>;
  /** One for all changes: what the disk did not let us release is still ours. */
  readonly #lock: WriterLock;
  readonly #damages = new Emitter<Message>();
  #changing: Promise<unknown> = Promise.resolve();

  /** Fires when the list was damaged. */
  readonly onDamage = this.#damages.on;

  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#path = join(folder, "files.json");
    this.#document = new Document(fs, this.#path, form);
    this.#lock = new WriterLock(fs, `${this.#path}.lock`);
  }

  /** Immediately replaces a damaged list with what is left of it, as far as the disk allows. */
  async read(): Promise<readonly FileEntry[]> {
    const { value, damage } = (await this.#document.read()) ?? noFiles;
    if (damage === undefined) return value;
    return this.change((entries) => entries).catch(() => value);
  }

  /** Rejects with a message if the change could not be saved. */
  change(work: (entries: readonly FileEntry[]) => readonly FileEntry[]): Promise<readonly FileEntry[]> {
    const changed = this.#changing.then(() => this.#change(work));
    this.#changing = changed.catch(() => undefined);
    return changed;
  }

  async #change(
    work: (entries: readonly FileEntry[]) => readonly FileEntry[],
  ): Promise<readonly FileEntry[]> {
    try {
      await this.#fs.makeFolder(dirname(this.#path));
      if (!(await patiently(this.#lock))) throw new StoreError(message("uploadsInUse"));
      const { value: before, damage } = (await this.#document.read()) ?? noFiles;
      const files = work(before);
      if (damage !== undefined) await this.#keepDamaged(damage, before.length);
      if (files !== before || damage !== undefined) await this.#document.write(files);
      return files;
    } catch (error) {
      throw error instanceof StoreError ? error : unsaved(error);
    } finally {
      await this.#lock.release();
    }
  }

  async #keepDamaged(damage: string, left: number): Promise<void> {
    await this.#document.keepDamaged(damage);
    this.#damages.fire(message("uploadsDamaged", { left }));
  }
}

const noFiles: { readonly value: readonly FileEntry[]; readonly damage?: string } = { value: [] };

/** A change takes milliseconds, so the lock is released soon. */
async function patiently(lock: WriterLock): Promise<boolean> {
  for (let tries = 0; tries < 50; tries += 1) {
    if (await lock.acquire()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}
