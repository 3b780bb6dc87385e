// A conversation in one file, to keep, to send, to replay elsewhere. It is a journal like any other, with the
// attachments as further records; what belongs to this machine (snapshots of its files) stays here.
// A bundle comes from anywhere: it is checked, capped, and either becomes a conversation or leaves nothing.

import { join } from "node:path";
import { visible } from "../conversation/hidden-characters.ts";
import { message } from "../messages/message.ts";
import { Blobs, hashesIn, hashOf } from "./blobs.ts";
import type { FileSystem, OpenFile } from "./file-system.ts";
import { isOwn, ownType, withoutCuts, withoutReasoning } from "./journal-events.ts";
import { blobFolder, journalName, journalVersion } from "./journal-terms.ts";
import { attachmentLimit } from "./open-journal.ts";
import { readRecords } from "./read-records.ts";
import { encodeRecord, type JournalRecord, type NewRecord, parseLine } from "./record-line.ts";
import { Scanner } from "./scan.ts";
import { addFolder } from "./staged-folder.ts";
import { StoreError } from "./store-error.ts";

interface Place {
  readonly fs: FileSystem;
  readonly folder: string;
  readonly id: string;
}

/** What is taken of a conversation that was made elsewhere, record by record. */
export interface Arriving {
  take(record: JournalRecord): readonly NewRecord[];
  /** What is left when the last record was taken. */
  end(): readonly NewRecord[];
}

interface Arrival extends Place {
  readonly arriving: Arriving;
  /** The workspace it arrives in. */
  readonly place: string;
  now(): number;
}

const blobType = "store-blob";
/** Stands last: what was cut off at the end of a line would look whole without it. */
const endType = "store-end";
const longestLine = 256 * 1024 * 1024;
export const largestBundle = 1024 * 1024 * 1024;
const travelsOfOurs: ReadonlySet<string> = new Set([ownType.head, ownType.title]);

export async function* writeBundle(
  { fs, folder, id }: Place,
  { reasoning }: { readonly reasoning: boolean },
): AsyncGenerator<Uint8Array> {
  const wants = (type: string) => !isOwn(type) || travelsOfOurs.has(type);
  const read = await readRecords({ fs, path: join(folder, journalName), id, wants });
  const kept = withoutCuts(read);
  const records = reasoning ? kept : withoutReasoning(kept);
  const named = new Set<string>();
  let seq = 0;
  for (const record of records) {
    const line = encodeRecord(seq, record.type === ownType.head ? plainHead(record) : record);
    for (const hash of hashesIn(line.toString("utf8"))) named.add(hash);
    yield line;
    seq += 1;
  }
  const blobs = new Blobs({ fs, folder: join(folder, blobFolder), limit: attachmentLimit });
  for (const hash of named) {
    const bytes = await blobs.get(hash);
    if (bytes === undefined) continue;
    yield encodeRecord(seq, { type: blobType, hash, base64: Buffer.from(bytes).toString("base64") });
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
      if (record.type === blobType) checkBlob(record);
      // The first was looked at; another would speak for the whole conversation, unseen.
      else if (record.type === ownType.head && seq === 0)
        await write([{ type: ownType.head, version: record["version"], id, at: now(), place }]);
      else if (record.type === ownType.title)
        await write([{ type: ownType.title, title: visible(textOf(record["title"])) }]);
      else if (!isOwn(record.type)) await write(arriving.take(record));
    }
    arrived = [];
  }
  if (seq === 0) throw notABundle();
  await write(arriving.end());
  if (scanner.condition() !== "whole" || last !== endType) throw damaged();
}

/** Anybody can give a line a checksum. */
function recordOf(line: Buffer): JournalRecord {
  try {
    return parseLine(line);
  } catch {
    throw damaged();
  }
}

/** A record may be nested deeper than it can be written again. */
function lineOf(seq: number, record: NewRecord): Buffer {
  try {
    return encodeRecord(seq, record);
  } catch {
    throw damaged();
  }
}

function feed(scanner: Scanner, chunk: Uint8Array): void {
  for (let from = 0; from < chunk.byteLength; ) {
    const room = scanner.room();
    const piece = chunk.subarray(from, from + room.length);
    room.set(piece);
    scanner.take(piece.byteLength);
    from += piece.byteLength;
  }
  if (scanner.position - scanner.lineStart > longestLine || scanner.position > largestBundle)
    throw tooLarge();
}

function checkHead(record: JournalRecord): void {
  if (record.type !== ownType.head) throw notABundle();
  if (typeof record["version"] !== "number" || record["version"] > journalVersion)
    throw new StoreError(message("keptNewerBundle"));
}

/** What was attached is not shown, and stays behind; but a bundle that is damaged anywhere is none. */
function checkBlob(record: JournalRecord): void {
  if (hashOf(Buffer.from(textOf(record["base64"]), "base64")) !== record["hash"])
    throw new StoreError(message("keptDamagedBlob"));
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Without the workspace, whose path names a person, and without the parent, which is not there where this goes. */
function plainHead({ place: _, branchOf: __, ...head }: JournalRecord): JournalRecord {
  return head;
}

export const tooLarge = () => new StoreError(message("keptLargeBundle"));
const damaged = () => new StoreError(message("keptDamagedBundle"));
const notABundle = () => new StoreError(message("keptNoBundle"));
