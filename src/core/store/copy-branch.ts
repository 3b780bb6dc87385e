// A branch: a new conversation that shares its beginning with another. Its bytes are its own, so that either can
// be deleted without the other noticing.

import { join } from "node:path";
import { message } from "../messages/message.ts";
import { hashesIn } from "./blobs.ts";
import { startOf, withoutCuts } from "./cuts.ts";
import type { FileSystem } from "./file-system.ts";
import { blobFolder, journalName } from "./journal-terms.ts";
import { readRecords } from "./read-records.ts";
import { encodeRecord, type JournalRecord, type NewRecord } from "./record-line.ts";
import { addFolder } from "./staged-folder.ts";
import { StoreError } from "./store-error.ts";
import { ownType } from "./summary.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Everything before a turn, or through it. */
export interface BranchPoint {
  readonly turn: string;
  readonly place: "before" | "after";
}

export interface Branch {
  readonly fs: FileSystem;
  readonly vocabulary: Vocabulary;
  readonly from: { readonly id: string; readonly folder: string };
  readonly to: { readonly id: string; readonly folder: string };
  readonly at: BranchPoint;
  now(): number;
}

export async function copyBranch({ fs, vocabulary, from, to, at, now }: Branch): Promise<void> {
  const path = join(from.folder, journalName);
  const read = await readRecords({ fs, path, id: from.id, vocabulary, wants: () => true });
  const [head, ...rest] = beginning(read, at, vocabulary);
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

const staysBehind: ReadonlySet<string> = new Set([ownType.archived, ownType.task, ownType.rewritten]);

function beginning(
  records: readonly JournalRecord[],
  { turn, place }: BranchPoint,
  vocabulary: Vocabulary,
): JournalRecord[] {
  const all = withoutCuts(records, vocabulary).filter(({ type }) => !staysBehind.has(type));
  const start = startOf(all, turn, vocabulary);
  if (start < 0) throw new StoreError(message("keptNoPlace"));
  const isNext = (record: JournalRecord, index: number) =>
    index > start && vocabulary.turnStart(record) !== undefined;
  const next = place === "before" ? start : all.findIndex(isNext);
  if (next < 0) return all;
  const lasting = all.slice(next).filter(vocabulary.isLasting);
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
