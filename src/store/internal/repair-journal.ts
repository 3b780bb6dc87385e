// Reads and writes whole journals, and replaces damaged ones by repaired ones.

import { join } from "node:path";
import { type FileSystem, type OpenFile, replaceFile } from "../file-system.ts";
import {
  encodeRecord,
  type JournalRecord,
  journalVersion,
  type NewRecord,
  storeRecordType,
} from "../journal-records.ts";
import { JournalReader, type ReaderOptions } from "./journal-reader.ts";
import { repairConversation } from "./repair-conversation.ts";

/**
 * Reads all records of a journal that is not open. From a damaged journal, reads the intact stretches and repairs them
 * to a consistent conversation that says where something is missing.
 */
export async function readRecords(options: ReaderOptions): Promise<readonly JournalRecord[]> {
  const reader = new JournalReader(options);
  await reader.advance();
  if (reader.scanner.condition() !== "damaged") return reader.records;
  const head = { type: storeRecordType.head, version: journalVersion, id: options.id };
  const { records } = await readRepaired(options, { head, isCutShort: false });
  return records.filter(({ type }) => options.wants(type)).map((record, seq) => ({ ...record, seq }));
}

interface Repairing {
  /** Used if the journal has lost its own head. */
  readonly head: NewRecord;
  /** It is known that records after the last one are missing. */
  readonly isCutShort: boolean;
}

/** Reads all records, including the store's own; the first one is the head. */
async function readRepaired(
  options: Omit<ReaderOptions, "wants">,
  { head, isCutShort }: Repairing,
): Promise<{ reader: JournalReader; records: readonly NewRecord[] }> {
  const reader = new JournalReader({ ...options, wants: () => true });
  await reader.advance();
  const stretches = stretchesOf(reader.records);
  if (isCutShort || reader.scanner.endsBroken) stretches.push([]);
  const records = repairConversation(stretches);
  return { reader, records: records[0]?.type === head.type ? records : [head, ...records] };
}

/** Splits the records at gaps; something is missing between any two stretches. */
function stretchesOf(records: readonly JournalRecord[]): JournalRecord[][] {
  const distinct = new Set(records.map(({ seq }) => seq)).size === records.length;
  // Moved lines are sorted back to their places. If two writers used the same numbers, only the order in the file is
  // right.
  const inOrder = distinct ? records.toSorted((a, b) => a.seq - b.seq) : records;
  const stretches: JournalRecord[][] = [[]];
  // A missing journal head is not a gap, since it contains little.
  let last = 0;
  for (const record of inOrder) {
    if (record.seq > last + 1) stretches.push([]);
    stretches.at(-1)?.push(record);
    last = Math.max(last, record.seq);
  }
  return stretches;
}

const enough = 1024 * 1024;

/** Numbers records from `seq`. Returns the number of the last one. */
export async function writeRecords(file: OpenFile, records: Iterable<NewRecord>, seq = 0): Promise<number> {
  let last = seq - 1;
  let pieces: Buffer[] = [];
  let size = 0;
  for (const record of records) {
    last += 1;
    const bytes = encodeRecord(last, record);
    pieces.push(bytes);
    size += bytes.length;
    if (size < enough) continue;
    await file.write(Buffer.concat(pieces));
    pieces = [];
    size = 0;
  }
  await file.write(Buffer.concat(pieces));
  return last;
}

// Changed records of a journal: which bytes on the disk are kept and what follows them. Also replaces a damaged journal
// by a repaired one and keeps the damaged file next to it, byte for byte. Only for the writer; journal.ts reads before
// and writes afterwards. Nobody can tell which parts of a damaged file a person has since deleted, so the next cut
// removes it as a whole.

/** The first records, of this many bytes, are unchanged; the others are new. */
interface Rewritten {
  readonly same: { readonly records: number; readonly bytes: number };
  readonly records: readonly NewRecord[];
}

export type ChangeRecords = (records: readonly JournalRecord[]) => Promise<Iterable<NewRecord>>;

/**
 * `reader` must have read all records, or all from one on if the first ones don't change. `head` is used if a journal
 * that was read from its beginning has none.
 */
export async function rewritten(
  reader: JournalReader,
  head: (() => NewRecord) | undefined,
  change: ChangeRecords,
): Promise<Rewritten> {
  const { records } = reader;
  const kept = head
    ? [records[0] ?? head(), ...(await change(records.slice(1)))]
    : [...(await change(records))];
  const start = head ? 0 : (records[0]?.seq ?? 0);
  // If two writers once used the same number, positions cannot be derived from numbers.
  const orderly = records.every(({ seq }, at) => seq === start + at);
  const first = orderly ? kept.findIndex((record, at) => record !== records[at]) : 0;
  const same = first < 0 ? kept.length : first;
  const bytes = same < records.length ? reader.scanner.offsetOf(start + same) : reader.scanner.lines.position;
  return {
    same: { records: start + same, bytes: bytes ?? 0 },
    records: [...kept.slice(same), rewrittenBy(reader)],
  };
}

/** The last record of a journal whose records we have replaced. */
const rewrittenBy = (reader: JournalReader): NewRecord => ({
  type: storeRecordType.rewritten,
  rewrites: reader.rewrites + 1,
});

/**
 * Keeps every intact record and adds a note about what is missing. Returns where the damaged file was moved, if there
 * was one.
 */
export async function repairJournal(
  source: Omit<ReaderOptions, "wants">,
  { now, ...repairing }: Repairing & { readonly now: number },
): Promise<string> {
  const { fs, path } = source;
  const isThere = (await fs.stat(path)) !== undefined;
  const original = isThere ? asidePath(path, now) : "";
  if (isThere) await fs.copy(path, original);
  const { reader, records } = await readRepaired(source, repairing);
  const whole = [...records, rewrittenBy(reader)];
  await replaceFile(fs, path, async (file) => {
    await writeRecords(file, whole);
  });
  return original;
}

/** Where to keep a file that could not be read. */
const asidePath = (path: string, now: number): string =>
  path.replace(/(\.jsonl?)?$/, `.corrupt-${new Date(now).toISOString().replaceAll(/[:.]/g, "-")}$1`);

const setAside = /\.corrupt-[^/\\]*$/;

/** Removes everything that repairs have kept in the folder of this journal. */
export async function removeSetAside(fs: FileSystem, folder: string): Promise<void> {
  for (const name of await fs.list(folder)) if (setAside.test(name)) await fs.remove(join(folder, name));
}
