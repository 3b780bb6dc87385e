// Makes a damaged journal whole again: the damaged file is kept beside it, byte for byte, and every record that proves
// whole goes into a new one, with a word on what is missing. Only ever called by the writer. Nobody can tell what of a
// damaged file a person has cut off since: with the next cut it goes as a whole.
import { join } from "node:path";
import type { FileSystem } from "./file-system.ts";
import type { ReaderOptions } from "./journal-reader.ts";
import { readMended, writeRecords } from "./read-records.ts";
import type { NewRecord } from "./record-line.ts";
import { replaceFile } from "./replace-file.ts";
import { rewrittenBy } from "./rewritten.ts";

export interface Repairing {
  /** Used when the journal has lost its own. */
  readonly head: NewRecord;
  readonly now: number;
  readonly isCutShort: boolean;
}

/** Answers where the damaged file is kept, if there was one. */
export async function repairJournal(
  source: Omit<ReaderOptions, "wants">,
  { head, now, isCutShort }: Repairing,
): Promise<string> {
  const { fs, path } = source;
  const isThere = (await fs.stat(path)) !== undefined;
  const original = isThere ? asidePath(path, now) : "";
  if (isThere) await fs.copy(path, original);
  const { reader, records } = await readMended(source, isCutShort);
  const hasHead = records[0]?.type === head.type;
  const whole = [...(hasHead ? [] : [head]), ...records, rewrittenBy(reader)];
  await replaceFile(fs, path, async (file) => {
    await writeRecords(file, whole);
  });
  return original;
}

/** Where a file is kept that could not be read. */
export const asidePath = (path: string, now: number): string =>
  path.replace(/(\.jsonl?)?$/, `.corrupt-${new Date(now).toISOString().replaceAll(/[:.]/g, "-")}$1`);

const setAside = /\.corrupt-[^/\\]*$/;

/** All that repairs have ever kept in the folder of this journal. */
export async function removeSetAside(fs: FileSystem, folder: string): Promise<void> {
  for (const name of await fs.list(folder)) if (setAside.test(name)) await fs.remove(join(folder, name));
}
