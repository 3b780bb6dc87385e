// The records of a journal that nobody has open, or of one as a whole; and how they are written again. Of a damaged one
// they are the stretches that are left, mended: a conversation that makes sense again, and says where something is missing.
import { repairConversation } from "../conversation/repair-conversation.ts";
import type { OpenFile } from "./file-system.ts";
import { JournalReader, type ReaderOptions } from "./journal-reader.ts";
import { encodeRecord, type JournalRecord, type NewRecord } from "./record-line.ts";

export async function readRecords(options: ReaderOptions): Promise<readonly JournalRecord[]> {
  const reader = new JournalReader(options);
  await reader.advance();
  if (reader.condition !== "damaged") return reader.records;
  const { records } = await readRepaired(options, false);
  return records.filter(({ type }) => options.wants(type)).map((record, seq) => ({ ...record, seq }));
}

/** All of them, the store's own as well. `isCutShort`: it is known that something stood behind the last. */
export async function readRepaired(
  options: Omit<ReaderOptions, "wants">,
  isCutShort: boolean,
): Promise<{ reader: JournalReader; records: readonly NewRecord[] }> {
  const reader = new JournalReader({ ...options, wants: () => true });
  await reader.advance();
  const stretches = stretchesOf(reader.records);
  if (isCutShort || reader.endsBroken) stretches.push([]);
  return { reader, records: repairConversation(stretches) };
}

/** Between any two of them something is missing. */
function stretchesOf(records: readonly JournalRecord[]): JournalRecord[][] {
  const distinct = new Set(records.map(({ seq }) => seq)).size === records.length;
  // Lines that were moved go back to their places; where two writers gave the same numbers, only the file knows the order.
  const inOrder = distinct ? records.toSorted((a, b) => a.seq - b.seq) : records;
  const stretches: JournalRecord[][] = [[]];
  // The head of a journal says little: that it is gone is no gap.
  let last = 0;
  for (const record of inOrder) {
    if (record.seq > last + 1) stretches.push([]);
    stretches.at(-1)?.push(record);
    last = Math.max(last, record.seq);
  }
  return stretches;
}

const enough = 1024 * 1024;

/** Numbered from `seq`; answers the number of the last. */
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
