// What is still part of a conversation: everything but the turns that were cut off, and the cuts themselves. What the
// store says of itself stays.
import type { JournalRecord } from "./record-line.ts";
import { isOwn } from "./summary.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** `turn`: one more that is cut off now. */
export function withoutCuts(
  records: readonly JournalRecord[],
  vocabulary: Vocabulary,
  turn?: string,
): JournalRecord[] {
  const kept: JournalRecord[] = [];
  for (const record of records) {
    const cut = vocabulary.cutFrom(record);
    if (cut !== undefined) removeFrom(kept, cut, vocabulary);
    else kept.push(record);
  }
  if (turn !== undefined) removeFrom(kept, turn, vocabulary);
  return kept;
}

function removeFrom(records: JournalRecord[], turn: string, vocabulary: Vocabulary): void {
  const from = startOf(records, turn, vocabulary);
  if (from < 0) return;
  const removed = records.splice(from);
  for (const each of removed.filter((record) => isOwn(record.type) || vocabulary.isLasting(record)))
    records.push(each);
}

/** Where a turn begins; -1 when there is no such turn. */
export const startOf = (records: readonly JournalRecord[], turn: string, vocabulary: Vocabulary): number =>
  records.findIndex((record) => vocabulary.turnStart(record)?.turn === turn);
