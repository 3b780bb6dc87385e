// Exports a conversation to a single file that can be stored, sent, or imported elsewhere. A bundle is a journal without
// data about this machine. Bundles are untrusted: import validates them, limits their size, and either creates a whole
// conversation or leaves nothing.
import { join } from "node:path";
import { message } from "../../conversation/messages.ts";
import { visible } from "../../util/hidden-characters.ts";
import { StoreError } from "../documents.ts";
import type { FileSystem, OpenFile } from "../file-system.ts";
import {
  encodeRecord,
  type ImportedRecords,
  isStoreRecord,
  type JournalRecord,
  journalName,
  journalVersion,
  largestBundle,
  type NewRecord,
  parseLine,
  storeRecordType,
  tooLarge,
  withoutCuts,
  withoutReasoning,
} from "../journal-records.ts";
import { Scanner } from "./journal-damage.ts";
import { readRecords } from "./repair-journal.ts";
import { addFolder } from "./staged-folder.ts";

interface BundlePlace {
  readonly fs: FileSystem;
  readonly folder: string;
  readonly id: string;
}

interface Arrival extends BundlePlace {
  readonly arriving: ImportedRecords;
  /** The workspace into which it is imported. */
  readonly place: string;
  now(): number;
}

/** The last record of a bundle. Without it, a file truncated at a line end would look complete. */
const endType = "store-end";
const longestLine = 256 * 1024 * 1024;
const exportedStoreTypes: ReadonlySet<string> = new Set([storeRecordType.head, storeRecordType.title]);

export async function* writeBundle(
  { fs, folder, id }: BundlePlace,
  { reasoning }: { readonly reasoning: boolean },
): AsyncGenerator<Uint8Array> {
  const wants = (type: string) => !isStoreRecord(type) || exportedStoreTypes.has(type);
  const read = await readRecords({ fs, path: join(folder, journalName), id, wants });
  const kept = withoutCuts(read);
  const records = reasoning ? kept : withoutReasoning(kept);
  let seq = 0;
  for (const record of records) {
    yield encodeRecord(seq, record.type === storeRecordType.head ? plainHead(record) : record);
    seq += 1;
  }
  yield encodeRecord(seq, { type: endType });
}

export async function readBundle(
  { fs, folder, ...arrival }: Arrival,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  await addFolder(fs, folder, async (staged) => {
    const file = await fs.open(join(staged, journalName), "create");
    try {
      await unpack(bytes, arrival, file);
      await file.sync();
    } finally {
      await file.close();
    }
  });
}

async function unpack(
  bytes: AsyncIterable<Uint8Array>,
  { id, place, now, arriving }: Omit<Arrival, "fs" | "folder">,
  file: OpenFile,
): Promise<void> {
  const write = async (records: readonly NewRecord[]) => {
    for (const record of records) {
      await file.write(lineOf(seq, record));
      seq += 1;
    }
  };
  let arrived: JournalRecord[] = [];
  let seq = 0;
  let last = "";
  const scanner = new Scanner((_, line) => arrived.push(recordOf(line)));
  for await (const chunk of bytes) {
    feed(scanner, chunk);
    for (const record of arrived) {
      last = record.type;
      if (seq === 0) checkHead(record);
      // Only the first head was checked; another one would describe the whole conversation unchecked.
      if (record.type === storeRecordType.head && seq === 0)
        await write([{ type: storeRecordType.head, version: record["version"], id, at: now(), place }]);
      else if (record.type === storeRecordType.title)
        await write([{ type: storeRecordType.title, title: visible(textOf(record["title"])) }]);
      else if (!isStoreRecord(record.type)) await write(arriving.take(record));
    }
    arrived = [];
  }
  if (seq === 0) throw notABundle();
  await write(arriving.end());
  if (scanner.condition() !== "whole" || last !== endType) throw damaged();
}

/** A valid checksum proves nothing: anybody can compute one. */
function recordOf(line: Buffer): JournalRecord {
  try {
    return parseLine(line);
  } catch {
    throw damaged();
  }
}

/** A record may be nested too deeply to be serialized again. */
function lineOf(seq: number, record: NewRecord): Buffer {
  try {
    return encodeRecord(seq, record);
  } catch {
    throw damaged();
  }
}

function feed(scanner: Scanner, chunk: Uint8Array): void {
  for (let from = 0; from < chunk.byteLength; ) {
    const room = scanner.lines.room();
    const piece = chunk.subarray(from, from + room.length);
    room.set(piece);
    scanner.lines.take(piece.byteLength);
    from += piece.byteLength;
  }
  if (
    scanner.lines.position - scanner.lines.lineStart > longestLine ||
    scanner.lines.position > largestBundle
  )
    throw tooLarge();
}

function checkHead(record: JournalRecord): void {
  if (record.type !== storeRecordType.head) throw notABundle();
  if (typeof record["version"] !== "number" || record["version"] > journalVersion)
    throw new StoreError(message("keptNewerBundle"));
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * Removes the workspace, whose path may contain a person's name, and the parent, which does not exist where the bundle
 * is imported.
 */
function plainHead({ place: _, branchOf: __, ...head }: JournalRecord): JournalRecord {
  return head;
}
const damaged = () => new StoreError(message("keptDamagedBundle"));
const notABundle = () => new StoreError(message("keptNoBundle"));
