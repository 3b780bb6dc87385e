// The ids of uploaded files that a person has told us, and what became of them. The service lists no files, so this
// is all there is to see; losing it loses no file. Several windows change it, one after the other.

import { join } from "node:path";
import * as z from "zod/mini";
import { message } from "../messages/message.ts";
import { Message } from "../messages/schema.ts";
import { type FileSystem, isMissing } from "../store/file-system.ts";
import { WriterLock } from "../store/lock.ts";
import { replaceText } from "../store/replace-file.ts";
import { keepDamaged, sealed, signOf, unsealed } from "../store/sealed-json.ts";
import { StoreError, unsaved } from "../store/store-error.ts";
import { Emitter } from "../util/emitter.ts";
import { asObject, parseJson } from "../util/json.ts";
import type { FileOutcome } from "./delete-many.ts";

const Entry = z.object({
  id: z.string(),
  addedAt: z.number(),
  /** `listed`: nothing is known. `absent`: the service said that there is no such file. */
  state: z.enum(["listed", "deleted", "absent", "failed", "unsure"]),
  changedAt: z.optional(z.number()),
  /** Why it is not deleted. */
  message: z.optional(Message),
});
export type FileEntry = Readonly<z.infer<typeof Entry>>;

const version = 1;

interface Loaded {
  readonly files: readonly FileEntry[];
  /** By what the damage of the file is known again; absent: it is whole. */
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

/** What was not tried stays as it was. */
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

  /** The list was damaged. */
  readonly onDamage = this.#damages.on;

  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#path = join(folder, "files.json");
  }

  /** What is left of a damaged list is put in its place at once, as far as the disk allows. */
  async read(): Promise<readonly FileEntry[]> {
    const { files, damage } = await this.#load();
    if (damage === undefined) return files;
    return this.change((entries) => entries).catch(() => files);
  }

  /** Rejects with a sentence when the change could not be saved. */
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

/** Whole it is JSON; a line each, so that damage costs no other. */
const encode = (files: readonly FileEntry[]): string =>
  `{"version":${version},"files":[\n${files.map(sealed).join(",\n")}\n]}\n`;

function entryIn(line: string): FileEntry[] {
  const entry = Entry.safeParse(unsealed(line.endsWith(",") ? line.slice(0, -1) : line));
  return entry.success ? [entry.data] : [];
}

/** A change takes milliseconds, so who holds the lock is soon done with it. */
async function patiently(lock: WriterLock): Promise<boolean> {
  for (let tries = 0; tries < 50; tries += 1) {
    if (await lock.acquire()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}
