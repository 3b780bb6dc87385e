// A branch: a new conversation that shares its beginning with another. Its bytes are its own, so that either can
// be deleted without the other noticing.
import { join } from "node:path";
import { hashesIn } from "./blobs.ts";
import type { FileSystem } from "./file-system.ts";
import { journalName } from "./journal.ts";
import { JournalReader } from "./journal-reader.ts";
import { blobFolder, snapshotFolder } from "./open-journal.ts";
import { encodeRecord, type NewRecord } from "./record-line.ts";
import { addFolder } from "./staged-folder.ts";
import { ownType } from "./summary.ts";
import type { Vocabulary } from "./vocabulary.ts";

export interface Branch {
  readonly fs: FileSystem;
  readonly vocabulary: Vocabulary;
  readonly from: { readonly id: string; readonly folder: string };
  readonly to: { readonly id: string; readonly folder: string };
  /** The first record that stays behind. */
  readonly seq: number;
  now(): number;
}

export async function copyBranch({ fs, vocabulary, from, to, seq, now }: Branch): Promise<void> {
  const path = join(from.folder, journalName);
  const reader = new JournalReader({ fs, path, id: from.id, vocabulary, wants: () => true });
  await reader.advance();
  const kept = reader.records.filter((record) => record.seq < seq && !staysBehind.has(record.type));
  const [head, ...rest] = kept;
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
    for (const kind of [blobFolder, snapshotFolder])
      await copyNamed(fs, join(from.folder, kind), join(folder, kind), named);
  });
}

const staysBehind: ReadonlySet<string> = new Set([ownType.archived]);

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
