// Conversations appear and disappear whole: a new one is filled beside the others and renamed into place, one that
// goes is renamed away and then removed. What a crash leaves of either has a name that nobody lists.
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import type { FileSystem } from "./file-system.ts";
import { surelyDead } from "./replace-file.ts";

const arriving = ".new-";
const leaving = ".gone-";

export async function addFolder(
  fs: FileSystem,
  path: string,
  fill: (folder: string) => Promise<void>,
): Promise<void> {
  const staged = join(dirname(path), `${arriving}${randomUUID()}`);
  try {
    await fs.makeFolder(staged);
    await fill(staged);
    await fs.syncFolder(staged);
    await fs.rename(staged, path);
  } catch (error) {
    await fs.remove(staged).catch(() => undefined);
    throw error;
  }
  await fs.syncFolder(dirname(path));
}

export async function removeFolder(fs: FileSystem, path: string): Promise<void> {
  const gone = join(dirname(path), `${leaving}${randomUUID()}`);
  // Where a folder in use cannot be renamed it is removed in place; then a crash may leave a part of it listed.
  const moved = await fs.rename(path, gone).then(
    () => true,
    () => false,
  );
  await fs.remove(moved ? gone : path);
  await fs.syncFolder(dirname(path));
}

/** Removes what crashes have left. Another window may be filling a folder right now. */
export async function sweepFolders(fs: FileSystem, parent: string, now: number): Promise<void> {
  for (const name of await fs.list(parent)) {
    const path = join(parent, name);
    const modified = (await fs.stat(path))?.modified ?? now;
    const dead = name.startsWith(leaving) || (name.startsWith(arriving) && now - modified > surelyDead);
    if (dead) await fs.remove(path);
  }
}
