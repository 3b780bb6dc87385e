// A file that could not be read is kept beside its place, under a name made of the damage: the same damage is kept, and
// told, once, whoever comes upon it.
import { createHash } from "node:crypto";
import { dirname, extname } from "node:path";
import type { FileSystem } from "./file-system.ts";

export const signOf = (damage: string | Uint8Array): string =>
  createHash("sha256").update(damage).digest("hex").slice(0, 16);

/** Answers whether it is news. */
export async function keepDamaged(fs: FileSystem, path: string, sign: string): Promise<boolean> {
  const extension = extname(path);
  const aside = `${path.slice(0, path.length - extension.length)}.corrupt-${sign}${extension}`;
  if ((await fs.stat(aside)) !== undefined) return false;
  await fs.copy(path, aside);
  await fs.syncFolder(dirname(aside)).catch(() => undefined);
  return true;
}
