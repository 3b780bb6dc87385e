// Documents of the store, which are replaced as a whole, and its errors.

import { createHash } from "node:crypto";
import { dirname, extname, join } from "node:path";
import { MessageError } from "../conversation/english.ts";
import { type Message, message } from "../conversation/messages.ts";
import { asArray, asObject, asString, type JsonObject, parseJson } from "../util/json.ts";
import type { Log } from "../util/log.ts";
import { errorCode, type FileSystem, isMissing, replaceText } from "./file-system.ts";
import { checksumOf, jsonOf, sealedLine } from "./internal/sealed-line.ts";

/** The store's errors as messages for people, one per cause. The cause is attached for the log. */
export class StoreError extends MessageError {}

export function unsaved(cause: unknown): StoreError {
  const code = errorCode(cause);
  const known = unsavedBecause[kindOf(code)];
  return new StoreError(known ?? message("keptUnsavedCode", { code }), cause);
}

/** The disk may refuse for any length of time, but memory is limited. */
export const tooMuchWaits = (): StoreError => new StoreError(message("keptUnsavedMuch"));

export function unreadable(cause: unknown): StoreError {
  const code = errorCode(cause);
  const known = unreadableBecause[kindOf(code)];
  return new StoreError(known ?? message("keptUnreadableCode", { code }), cause);
}

type Kind = "full" | "refused" | "open" | "unknown" | "code";

const unsavedBecause: Readonly<Record<Kind, Message | undefined>> = {
  full: message("keptUnsavedFull"),
  refused: message("keptUnsavedRefused"),
  open: message("keptUnsavedOpen"),
  unknown: message("keptUnsaved"),
  code: undefined,
};

const unreadableBecause: Readonly<Record<Kind, Message | undefined>> = {
  full: message("keptUnreadableFull"),
  refused: message("keptUnreadableRefused"),
  open: message("keptUnreadableOpen"),
  unknown: message("keptUnreadable"),
  code: undefined,
};

function kindOf(code: string): Kind {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return "full";
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return "refused";
    case "EMFILE":
    case "ENFILE":
      return "open";
    default:
      return code === "" ? "unknown" : "code";
  }
}

/** Thrown by `put`. Nothing was written, and nothing will be until something is removed. */
export class BlobsFull extends StoreError {}

/** An object as one line whose changed or missing bytes are detected. It has at least one field, and none named `crc`. */
export const sealed = (value: object): string =>
  sealedLine(JSON.stringify(value)).subarray(0, -1).toString("utf8");

/** Returns `undefined` if the line is not as it was written. */
export function unsealed(text: string): JsonObject | undefined {
  const line = Buffer.from(text);
  return checksumOf(line) === undefined ? undefined : asObject(parseJson(jsonOf(line)));
}

/** Identifies damage, so that the same damage is kept and reported once, no matter which window finds it. */
export const signOf = (damage: string | Uint8Array): string =>
  createHash("sha256").update(damage).digest("hex").slice(0, 16);

/** Copies the file to a name derived from the damage. Returns whether the damage is new. */
export async function keepDamaged(fs: FileSystem, path: string, sign: string): Promise<boolean> {
  const extension = extname(path);
  const aside = `${path.slice(0, path.length - extension.length)}.corrupt-${sign}${extension}`;
  if ((await fs.stat(aside)) !== undefined) return false;
  await fs.copy(path, aside);
  await fs.syncFolder(dirname(aside)).catch(() => undefined);
  return true;
}

/** How a document is written, and what can be read of one that is damaged. */
interface DocumentForm<Value> {
  /** A document whose text is empty is removed. */
  encode(value: Value): string;
  decode(text: string): { readonly value: Value; readonly isWhole: boolean };
}

interface ReadDocument<Value> {
  readonly value: Value;
  /** Identifies the damage to the file; absent if the file is intact. */
  readonly damage?: string;
}

/**
 * A file that is replaced as a whole: after any crash either the old or the new one exists, and nothing that was deleted
 * remains. While one value is being written, only the newest of those that follow is kept.
 */
export class Document<Value> {
  readonly #fs: FileSystem;
  readonly #path: string;
  readonly #form: DocumentForm<Value>;
  #wanted: { readonly value: Value } | undefined;
  #writing: Promise<void> | undefined;

  constructor(fs: FileSystem, path: string, form: DocumentForm<Value>) {
    this.#fs = fs;
    this.#path = path;
    this.#form = form;
  }

  /** The newest value, if it is not on the disk yet. */
  get unsaved(): { readonly value: Value } | undefined {
    return this.#wanted;
  }

  /** What is on the disk, `undefined` if there is none. @throws if it exists and cannot be read. */
  async read(): Promise<ReadDocument<Value> | undefined> {
    const bytes = await this.#fs.read(this.#path).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw unreadable(error);
    });
    if (bytes === undefined) return undefined;
    const { value, isWhole } = this.#form.decode(Buffer.from(bytes).toString("utf8"));
    return isWhole ? { value } : { value, damage: signOf(bytes) };
  }

  /** Durable once it resolves. Rejects with a message if the disk refuses. */
  write(value: Value): Promise<void> {
    this.#wanted = { value };
    this.#writing ??= this.#save();
    return this.#writing;
  }

  /** Keeps a copy of the damaged file, which the next write replaces. Returns whether the damage is new. */
  keepDamaged(damage: string): Promise<boolean> {
    return keepDamaged(this.#fs, this.#path, damage);
  }

  async #save(): Promise<void> {
    try {
      let written: { readonly value: Value } | undefined;
      while (this.#wanted !== undefined && this.#wanted !== written) {
        written = this.#wanted;
        await this.#put(this.#form.encode(written.value));
      }
      this.#wanted = undefined;
    } catch (error) {
      throw unsaved(error);
    } finally {
      // Synchronous after the last check for a newer value, so a later call starts a new write.
      this.#writing = undefined;
    }
  }

  async #put(text: string): Promise<void> {
    if (text === "") return this.#fs.remove(this.#path);
    try {
      await replaceText(this.#fs, this.#path, text);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await this.#fs.makeFolder(dirname(this.#path));
      await replaceText(this.#fs, this.#path, text);
    }
  }
}

/** A document that can be found out again: where it is missing, damaged or cannot be read, nothing is known. */
interface CacheFile {
  load(): Promise<JsonObject>;
  save(value: object): Promise<void>;
}

const asCache: DocumentForm<object> = {
  encode: sealed,
  decode(text) {
    const value = unsealed(text);
    return { value: value ?? {}, isWhole: value !== undefined };
  },
};

export function cacheFile(fs: FileSystem, path: string): CacheFile {
  const document = new Document(fs, path, asCache);
  return {
    load: async () => asObject((await document.read().catch(() => undefined))?.value) ?? {},
    save: (value) => document.write(value),
  };
}

/**
 * What a person has agreed to, by the hash of its text: prompts of workspaces, third-party tools. Stored for this
 * installation, so that each is asked about once. If the file is lost or damaged, the person is merely asked again.
 */
interface KnownHashes {
  has(sha256: string): boolean;
  add(sha256: string): void;
  /** Resolves once everything is on the disk, or the log says why not. */
  saved(): Promise<void>;
}

const most = 1000;

type HashList = "seen-prompts" | "approved-tools" | "agreed-instructions";

export async function openKnownHashes(
  fs: FileSystem,
  { folder, list }: { readonly folder: string; readonly list: HashList },
  log: Log,
): Promise<KnownHashes> {
  const file = cacheFile(fs, join(folder, `${list}.json`));
  const { hashes } = await file.load();
  let known = new Set(asArray(hashes).flatMap((each) => asString(each) ?? []));
  let saving = Promise.resolve();
  return {
    has: (sha256) => known.has(sha256),
    add(sha256) {
      if (known.has(sha256)) return;
      known = new Set([...known, sha256].slice(-most));
      saving = file
        .save({ version: 1, hashes: [...known] })
        .catch((error: unknown) =>
          log.warn(`What was agreed to (${list}) could not be saved: ${String(error)}`),
        );
    },
    saved: () => saving,
  };
}

/**
 * Stores what each service origin was found to accept, in one small file per origin, so that a new window need not be
 * refused again to find out. A cache: a missing or damaged file only costs repeating those requests.
 */
interface CapabilityFiles {
  load(origin: string): Promise<unknown>;
  save(origin: string, found: unknown): Promise<void>;
}

export function capabilityFiles(fs: FileSystem, folder: string): CapabilityFiles {
  const place = join(folder, "capabilities");
  const files = new Map<string, CacheFile>();
  function fileOf(origin: string): CacheFile {
    // An origin contains characters that are not allowed in file names.
    const name = createHash("sha256").update(origin).digest("hex").slice(0, 32);
    const file = files.get(origin) ?? cacheFile(fs, join(place, `${name}.json`));
    files.set(origin, file);
    return file;
  }
  return {
    async load(origin) {
      const saved = await fileOf(origin).load();
      return saved["origin"] === origin ? saved["found"] : undefined;
    },
    save: (origin, found) => fileOf(origin).save({ version: 1, origin, found }),
  };
}
