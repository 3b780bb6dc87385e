// A branch: a new conversation that shares its beginning with another. Its bytes are its own, so that either can
// be deleted without the other noticing.

import { join } from "node:path";
import { isLasting } from "../conversation/record.ts";
import { message } from "../messages/message.ts";
import { hashesIn } from "./blobs.ts";
import type { FileSystem } from "./file-system.ts";
import { ownType, startOf, turnStart, withoutCuts } from "./journal-events.ts";
import { blobFolder, journalName } from "./journal-terms.ts";
import { readRecords } from "./read-records.ts";
import { encodeRecord, type JournalRecord, type NewRecord } from "./record-line.ts";
import { addFolder } from "./staged-folder.ts";
import { StoreError } from "./store-error.ts";

/** Everything before a turn, or through it. */
export interface BranchPoint {
  readonly turn: string;
  readonly place: "before" | "after";
}

export interface Branch {
  readonly fs: FileSystem;
  readonly from: { readonly id: string; readonly folder: string };
  readonly to: { readonly id: string; readonly folder: string };
  readonly at: BranchPoint;
  now(): number;
}

export async function copyBranch({ fs, from, to, at, now }: Branch): Promise<void> {
  const path = join(from.folder, journalName);
  const read = await readRecords({ fs, path, id: from.id, wants: () => true });
  const [head, ...rest] = beginning(read, at);
  const records: NewRecord[] = [
    { ...head, type: ownType.head, id: to.id, at: now(), branchOf: from.id },
    ...rest,
  ];
  const lines = records.map((record, index) => encodeRecord(index, record));
  const named = new Set(lines.flatMap((line) => hashesIn(line.toString("utf8"))));
  await addFolder(fs, to.folder, async (folder) => {
    const file = await fs.open(join(folder, journalName), "create");
    try {
      for (const line of lines) await file.write(line);
      await file.sync();
    } finally {
      await file.close();
    }
    // What was proposed stays where it was: its files are the other one's to decide about.
    await copyNamed(fs, join(from.folder, blobFolder), join(folder, blobFolder), named);
  });
}

const staysBehind: ReadonlySet<string> = new Set([
  ...[ownType.archived, ownType.task, ownType.waits, ownType.rewritten],
]);

function beginning(records: readonly JournalRecord[], { turn, place }: BranchPoint): JournalRecord[] {
  const all = withoutCuts(records).filter(({ type }) => !staysBehind.has(type));
  const start = startOf(all, turn);
  if (start < 0) throw new StoreError(message("keptNoPlace"));
  const isNext = (record: JournalRecord, index: number) => index > start && turnStart(record) !== undefined;
  const next = place === "before" ? start : all.findIndex(isNext);
  if (next < 0) return all;
  const lasting = all.slice(next).filter(isLasting);
  return [...all.slice(0, next), ...lasting];
}

async function copyNamed(
  fs: FileSystem,
  from: string,
  to: string,
  named: ReadonlySet<string>,
): Promise<void> {
  const names = (await fs.list(from)).filter((name) => named.has(name));
  if (names.length > 0) await fs.makeFolder(to);
  for (const name of names) await fs.copy(join(from, name), join(to, name));
}
