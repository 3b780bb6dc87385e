// How many bytes lie in a folder, all the way down.
import { join } from "node:path";
import type { FileSystem } from "./file-system.ts";

export async function folderSize(fs: FileSystem, folder: string): Promise<number> {
  let sum = 0;
  for (const name of await fs.list(folder)) {
    const path = join(folder, name);
    const found = await fs.stat(path);
    if (found !== undefined) sum += found.folder ? await folderSize(fs, path) : found.size;
  }
  return sum;
}
