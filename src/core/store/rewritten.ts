// What of a journal stays as it is on the disk, and what stands behind it from now on, when its records are changed.
// journal.ts reads before and writes after.
import type { JournalReader } from "./journal-reader.ts";
import type { JournalRecord, NewRecord } from "./record-line.ts";
import { ownType } from "./summary.ts";

/** The first ones are the same as before, in so many bytes; then come others. */
export interface Rewritten {
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
export const rewrittenBy = (reader: JournalReader): NewRecord => ({
  type: ownType.rewritten,
  rewrites: reader.rewrites + 1,
});
