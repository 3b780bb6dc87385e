// What each service origin was found to accept, one small file an origin, so that a new window does not have to be
// refused again to learn it. Derivable: a file that is missing or damaged only costs those lessons.
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { FileSystem } from "./file-system.ts";
import { replaceText } from "./replace-file.ts";

export interface CapabilityFiles {
  load(origin: string): Promise<unknown>;
  save(origin: string, found: unknown): Promise<void>;
}

export function capabilityFiles(fs: FileSystem, folder: string): CapabilityFiles {
  const place = join(folder, "capabilities");
  // An origin holds characters that no file name may.
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
