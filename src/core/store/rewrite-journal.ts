// Other records in the place of a journal's own: what stays as it is on the disk and what stands behind it when records are
// changed, and a whole journal in the place of a damaged one, which is kept beside it, byte for byte. Only the writer calls
// this; journal.ts reads before and writes after. Nobody can tell what of a damaged file a person has cut off since: with
// the next cut it goes as a whole.
import { join } from "node:path";
import type { FileSystem } from "./file-system.ts";
import { ownType } from "./journal-events.ts";
import type { JournalReader, ReaderOptions } from "./journal-reader.ts";
import { readRepaired, writeRecords } from "./read-records.ts";
import type { JournalRecord, NewRecord } from "./record-line.ts";
import { replaceFile } from "./replace-file.ts";

/** The first ones are the same as before, in so many bytes; then come others. */
interface Rewritten {
  readonly same: { readonly records: number; readonly bytes: number };
  readonly records: readonly NewRecord[];
}

export type ChangeRecords = (records: readonly JournalRecord[]) => Promise<Iterable<NewRecord>>;

/** `reader` has read all records; `head` stands where there is none. */
export async function rewritten(
  reader: JournalReader,
  head: () => NewRecord,
  change: ChangeRecords,
): Promise<Rewritten> {
  const { records } = reader;
  const kept = [records[0] ?? head(), ...(await change(records.slice(1)))];
  // Where two writers once gave the same number twice, places cannot be told by numbers.
  const orderly = records.every(({ seq }, at) => seq === at);
  const first = orderly ? kept.findIndex((record, at) => record !== records[at]) : 0;
  const same = first < 0 ? kept.length : first;
  const bytes = same < records.length ? reader.offsetOf(same) : reader.end;
  return {
    same: { records: same, bytes: bytes ?? 0 },
    records: [...kept.slice(same), rewrittenBy(reader)],
  };
}

/** Stands last in a journal whose records we have replaced. */
const rewrittenBy = (reader: JournalReader): NewRecord => ({
  type: ownType.rewritten,
  rewrites: reader.rewrites + 1,
});

interface Repairing {
  /** Used when the journal has lost its own. */
  readonly head: NewRecord;
  readonly now: number;
  readonly isCutShort: boolean;
}

/** Every record that proves whole, with a word on what is missing. Answers where the damaged file is kept, if there was one. */
export async function repairJournal(
  source: Omit<ReaderOptions, "wants">,
  { head, now, isCutShort }: Repairing,
): Promise<string> {
  const { fs, path } = source;
  const isThere = (await fs.stat(path)) !== undefined;
  const original = isThere ? asidePath(path, now) : "";
  if (isThere) await fs.copy(path, original);
  const { reader, records } = await readRepaired(source, isCutShort);
  const hasHead = records[0]?.type === head.type;
  const whole = [...(hasHead ? [] : [head]), ...records, rewrittenBy(reader)];
  await replaceFile(fs, path, async (file) => {
    await writeRecords(file, whole);
  });
  return original;
}

/** Where a file is kept that could not be read. */
const asidePath = (path: string, now: number): string =>
  path.replace(/(\.jsonl?)?$/, `.corrupt-${new Date(now).toISOString().replaceAll(/[:.]/g, "-")}$1`);

const setAside = /\.corrupt-[^/\\]*$/;

/** All that repairs have ever kept in the folder of this journal. */
export async function removeSetAside(fs: FileSystem, folder: string): Promise<void> {
  for (const name of await fs.list(folder)) if (setAside.test(name)) await fs.remove(join(folder, name));
}
