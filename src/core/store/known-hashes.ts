// What a person has agreed to, by the hash of what it said: prompts of workspaces, tools of others. Remembered for this
// installation, so that each is asked about once. A file that is lost or damaged only means that they are asked again.
import { join } from "node:path";
import type { Log } from "../util/log.ts";
import type { FileSystem } from "./file-system.ts";
import { replaceText } from "./replace-file.ts";

export interface KnownHashes {
  has(sha256: string): boolean;
  add(sha256: string): void;
  /** Resolves when all of it is on the disk, or the log says why not. */
  saved(): Promise<void>;
}

const most = 1000;

export type HashList = "seen-prompts" | "approved-tools";

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
