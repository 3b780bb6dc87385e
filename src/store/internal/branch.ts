// Copies the beginning of a conversation into a new one.
import { join } from "node:path";
import { message } from "../../conversation/messages.ts";
import { survivorsOfCut } from "../../conversation/reduce.ts";
import { StoreError } from "../documents.ts";
import type { FileSystem } from "../file-system.ts";
import {
  encodeRecord,
  type JournalRecord,
  journalName,
  type NewRecord,
  startOf,
  storeRecordType,
  turnStart,
  withoutCuts,
} from "../journal-records.ts";
import { readRecords } from "./repair-journal.ts";
import { addFolder } from "./staged-folder.ts";

/** Everything before a turn, or up to and including it. */
export interface BranchPoint {
  readonly turn: string;
  readonly place: "before" | "after";
}

interface Branch {
  readonly fs: FileSystem;
  readonly from: { readonly id: string; readonly folder: string };
  readonly to: { readonly id: string; readonly folder: string };
  readonly at: BranchPoint;
  now(): number;
}

/**
 * Creates a branch: a new conversation that shares its beginning with another. It copies the bytes, so that either can
 * be deleted without affecting the other.
 */
export async function copyBranch({ fs, from, to, at, now }: Branch): Promise<void> {
  const path = join(from.folder, journalName);
  const read = await readRecords({ fs, path, id: from.id, wants: () => true });
  const [head, ...rest] = beginning(read, at);
  const records: NewRecord[] = [
    { ...head, type: storeRecordType.head, id: to.id, at: now(), branchOf: from.id },
    ...rest,
  ];
  const lines = records.map((record, index) => encodeRecord(index, record));
  // Proposals are not copied: the original conversation decides about its files.
  await addFolder(fs, to.folder, async (folder) => {
    const file = await fs.open(join(folder, journalName), "create");
    try {
      for (const line of lines) await file.write(line);
      await file.sync();
    } finally {
      await file.close();
    }
  });
}

const staysBehind: ReadonlySet<string> = new Set([
  ...[storeRecordType.archived, storeRecordType.task, storeRecordType.waits, storeRecordType.rewritten],
]);

function beginning(records: readonly JournalRecord[], { turn, place }: BranchPoint): JournalRecord[] {
  const all = withoutCuts(records).filter(({ type }) => !staysBehind.has(type));
  const start = startOf(all, turn);
  if (start < 0) throw new StoreError(message("keptNoPlace"));
  const isNext = (record: JournalRecord, index: number) => index > start && turnStart(record) !== undefined;
  const next = place === "before" ? start : all.findIndex(isNext);
  if (next < 0) return all;
  const left = all.slice(next);
  return [...all.slice(0, next), ...left.filter(survivorsOfCut(left))];
}
