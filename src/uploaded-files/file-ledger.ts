// The ids of uploaded files that a person has entered, and what became of them. The service lists no files, so this
// list is all there is; losing it loses no file. Several windows change it, one at a time.

import { join } from "node:path";
import * as z from "zod/mini";
import { message } from "../conversation/messages.ts";
import { Message } from "../conversation/problem.ts";
import { keepDamaged, StoreError, sealed, signOf, unsaved, unsealed } from "../store/documents.ts";
import { type FileSystem, isMissing, replaceText, WriterLock } from "../store/file-system.ts";
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

interface Loaded {
  readonly files: readonly FileEntry[];
  /** Identifies the damage to the file; absent if the file is intact. */
  readonly damage?: string;
}

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

export class FileLedger {
  readonly #fs: FileSystem;
  readonly #path: string;
  readonly #damages = new Emitter<Message>();
  #changing: Promise<unknown> = Promise.resolve();

  /** Fires when the list was damaged. */
  readonly onDamage = this.#damages.on;

  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#path = join(folder, "files.json");
  }

  /** Immediately replaces a damaged list with what is left of it, as far as the disk allows. */
  async read(): Promise<readonly FileEntry[]> {
    const { files, damage } = await this.#load();
    if (damage === undefined) return files;
    return this.change((entries) => entries).catch(() => files);
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
    const lock = new WriterLock(this.#fs, `${this.#path}.lock`);
    try {
      await this.#fs.makeFolder(join(this.#path, ".."));
      if (!(await patiently(lock))) throw new StoreError(message("uploadsInUse"));
      const { files: before, damage } = await this.#load();
      const files = work(before);
      if (damage !== undefined) await this.#keepDamaged(damage, before.length);
      if (files !== before || damage !== undefined) await replaceText(this.#fs, this.#path, encode(files));
      return files;
    } catch (error) {
      throw error instanceof StoreError ? error : unsaved(error);
    } finally {
      await lock.release();
    }
  }

  async #load(): Promise<Loaded> {
    try {
      const bytes = await this.#fs.read(this.#path);
      const text = Buffer.from(bytes).toString("utf8");
      if (Number(asObject(parseJson(text))?.["version"]) > version)
        throw new StoreError(message("uploadsNewer"));
      const files = text.split("\n").flatMap(entryIn);
      return text === encode(files) ? { files } : { files, damage: signOf(bytes) };
    } catch (error) {
      if (isMissing(error)) return { files: [] };
      throw error;
    }
  }

  async #keepDamaged(damage: string, left: number): Promise<void> {
    await keepDamaged(this.#fs, this.#path, damage);
    this.#damages.fire(message("uploadsDamaged", { left }));
  }
}

/** The whole file is JSON with one entry per line, so that damage to one line affects no other. */
const encode = (files: readonly FileEntry[]): string =>
  `{"version":${version},"files":[\n${files.map(sealed).join(",\n")}\n]}\n`;

function entryIn(line: string): FileEntry[] {
  const entry = Entry.safeParse(unsealed(line.endsWith(",") ? line.slice(0, -1) : line));
  return entry.success ? [entry.data] : [];
}

/** A change takes milliseconds, so the lock is released soon. */
async function patiently(lock: WriterLock): Promise<boolean> {
  for (let tries = 0; tries < 50; tries += 1) {
    if (await lock.acquire()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}
