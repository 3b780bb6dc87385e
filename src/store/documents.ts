// Small documents of the store that are replaced as a whole, the checksums of its lines, and its errors.

import { createHash } from "node:crypto";
import { dirname, extname, join } from "node:path";
import { crc32 } from "node:zlib";
import { MessageError } from "../conversation/english.ts";
import { type Message, message } from "../conversation/messages.ts";
import { asObject, parseJson } from "../util/json.ts";
import type { Log } from "../util/log.ts";
import { errorCode, type FileSystem, replaceText } from "./file-system.ts";

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

/**
 * Thrown by `put`. Nothing was written, and nothing will be until something is removed or the caller passes `insist`.
 */
export class BlobsFull extends StoreError {}

// An object is serialized as one line of JSON with a checksum as its last field, so that changed or truncated lines are
// detected. Files that could not be read are kept next to their original place.

const mark = ',"crc":"';
const sealLength = mark.length + 8 + '"}'.length;

const seal = (body: string): string => `${mark}${crc32(body).toString(16).padStart(8, "0")}"}`;

/** The object must have at least one field, and none named `crc`. */
export function sealed(value: object): string {
  const body = JSON.stringify(value).slice(0, -1);
  return body + seal(body);
}

/** Returns `undefined` if the line is not as it was written. */
export function unsealed(text: string): Readonly<Record<string, unknown>> | undefined {
  const body = text.slice(0, -sealLength);
  return text.slice(-sealLength) === seal(body) ? asObject(parseJson(`${body}}`)) : undefined;
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

type HashList = "seen-prompts" | "approved-tools";

export async function openKnownHashes(
  fs: FileSystem,
  { folder, list }: { readonly folder: string; readonly list: HashList },
  log: Log,
): Promise<KnownHashes> {
  const path = join(folder, `${list}.json`);
  let known = new Set(await load(fs, path));
  let saving = Promise.resolve();
  return {
    has: (sha256) => known.has(sha256),
    add(sha256) {
      if (known.has(sha256)) return;
      known = new Set([...known, sha256].slice(-most));
      saving = saving
        .then(() => fs.makeFolder(folder))
        .then(() => replaceText(fs, path, JSON.stringify([...known])))
        .catch((error: unknown) =>
          log.warn(`What was agreed to (${list}) could not be saved: ${String(error)}`),
        );
    },
    saved: () => saving,
  };
}

async function load(fs: FileSystem, path: string): Promise<readonly string[]> {
  try {
    const saved: unknown = JSON.parse(Buffer.from(await fs.read(path)).toString("utf8"));
    return Array.isArray(saved) ? saved.filter((each): each is string => typeof each === "string") : [];
  } catch {
    return [];
  }
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
  // An origin contains characters that are not allowed in file names.
  const fileOf = (origin: string) =>
    join(place, `${createHash("sha256").update(origin).digest("hex").slice(0, 32)}.json`);
  return {
    async load(origin) {
      const saved: unknown = JSON.parse(Buffer.from(await fs.read(fileOf(origin))).toString("utf8"));
      const isOwn =
        typeof saved === "object" && saved !== null && "origin" in saved && saved.origin === origin;
      return isOwn && "found" in saved ? saved.found : undefined;
    },
    async save(origin, found) {
      await fs.makeFolder(place);
      await replaceText(fs, fileOf(origin), JSON.stringify({ version: 1, origin, found }));
    },
  };
}
