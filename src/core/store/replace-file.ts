// Replaces a whole file so that after any crash either the old or the new one stands there: written beside it,
// synced, renamed over it. Antivirus tools hold files for moments, so a refused rename is tried again.
// What a crash leaves beside it is swept away: it may hold what a person has deleted since.
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { errorCode, type FileSystem, type OpenFile } from "./file-system.ts";

const renameTries = 6;
const passing: ReadonlySet<string> = new Set(["EPERM", "EBUSY", "EACCES"]);

export async function replaceFile(
  fs: FileSystem,
  path: string,
  write: (file: OpenFile) => Promise<void>,
): Promise<void> {
  const beside = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const file = await fs.open(beside, "create");
    try {
      await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await renamePatiently(fs, beside, path);
  } catch (error) {
    // The leftover is only litter: what went wrong is what the caller has to hear.
    await fs.remove(beside).catch(() => undefined);
    throw error;
  }
  // The new file stands there, whatever becomes of this: a caller who heard of a failure would take it for the old one.
  await fs.syncFolder(dirname(path)).catch(() => undefined);
}

export const replaceText = (fs: FileSystem, path: string, text: string): Promise<void> =>
  replaceFile(fs, path, (file) => file.write(Buffer.from(text)));

async function renamePatiently(fs: FileSystem, from: string, to: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await fs.rename(from, to);
    } catch (error) {
      if (tried === renameTries || !passing.has(errorCode(error))) throw error;
      await wait(5 * 2 ** tried);
    }
  }
}

const unfinished = /\.[0-9a-f]{12}\.tmp$/;
/** Another window may be writing it right now. */
export const surelyDead = 60 * 60 * 1000;

/** `ours`: files that nobody but us may replace, so that what lies beside them is dead whatever its age. */
export async function sweepUnfinished(
  fs: FileSystem,
  folder: string,
  { now, ours }: { readonly now: number; readonly ours?: readonly string[] },
): Promise<void> {
  for (const name of await fs.list(folder)) {
    if (!unfinished.test(name)) continue;
    const path = join(folder, name);
    const isOurs = ours?.includes(name.replace(unfinished, "")) === true;
    if (isOurs || now - ((await fs.stat(path))?.modified ?? now) > surelyDead) await fs.remove(path);
  }
}
