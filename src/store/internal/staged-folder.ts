// Conversations appear and disappear atomically. A new one is filled in a temporary folder and renamed into place; a
// deleted one is renamed and then removed. A crash leaves only names that are never listed.
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { type FileSystem, staleAfterMilliseconds } from "../file-system.ts";

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
  // A folder in use that cannot be renamed is removed in place; a crash may then leave a part of it listed.
  const moved = await fs.rename(path, gone).then(
    () => true,
    () => false,
  );
  await fs.remove(moved ? gone : path);
  await fs.syncFolder(dirname(path));
}

/** Removes leftovers of crashes. Another window may be filling a younger folder right now. */
export async function sweepFolders(fs: FileSystem, parent: string, now: number): Promise<void> {
  for (const name of await fs.list(parent)) {
    const path = join(parent, name);
    const modified = (await fs.stat(path))?.modified ?? now;
    const dead =
      name.startsWith(leaving) || (name.startsWith(arriving) && now - modified > staleAfterMilliseconds);
    if (dead) await fs.remove(path);
  }
}
