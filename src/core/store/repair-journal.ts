// Makes a damaged journal whole again: the damaged file is kept beside it, byte for byte, and every record that
// still stands on the one before it goes into a new one. Only ever called by the writer. Nobody can tell what of a
// damaged file a person has cut off since: with the next cut it goes as a whole.
import { join } from "node:path";
import { copyStretch, type Stretch } from "./copy-stretch.ts";
import type { FileSystem } from "./file-system.ts";
import { replaceFile } from "./replace-file.ts";
import { Scanner, scanFile } from "./scan.ts";

/** Answers where the damaged file is kept. `head` is used when the journal has lost its own. */
export async function repairJournal(
  fs: FileSystem,
  path: string,
  { head, now }: { head: Buffer; now: number },
): Promise<string> {
  const stamp = new Date(now).toISOString().replaceAll(/[:.]/g, "-");
  const original = path.replace(/(\.jsonl)?$/, `.corrupt-${stamp}$1`);
  await fs.copy(path, original);
  const { sound, headless } = await soundStretches(fs, path);
  const damaged = await fs.open(path, "read");
  try {
    await replaceFile(fs, path, async (file) => {
      if (headless) await file.write(head);
      for (const stretch of sound) await copyStretch(damaged, file, stretch);
    });
  } finally {
    await damaged.close();
  }
  return original;
}

const setAside = /\.corrupt-[^/\\]*$/;

/** All that repairs have ever kept beside the journal of this folder. */
export async function removeSetAside(fs: FileSystem, folder: string): Promise<void> {
  for (const name of await fs.list(folder)) if (setAside.test(name)) await fs.remove(join(folder, name));
}

async function soundStretches(
  fs: FileSystem,
  path: string,
): Promise<{ sound: Stretch[]; headless: boolean }> {
  const sound: Stretch[] = [];
  let headless = true;
  const scanner = new Scanner(({ seq, offset }, line) => {
    if (seq === 0) headless = false;
    const to = offset + line.length + 1;
    const open = sound.at(-1);
    if (open?.to === offset) sound[sound.length - 1] = { from: open.from, to };
    else sound.push({ from: offset, to });
  });
  await scanFile(fs, path, scanner);
  return { sound, headless };
}
