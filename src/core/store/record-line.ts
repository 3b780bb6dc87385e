// One record of a journal as one line: `{"seq":7,"type":"text",…,"crc":"89abcdef"}`. The checksum covers the bytes
// before it, so a line can be trusted, and its type known, without parsing it.
import { crc32 } from "node:zlib";

/** What a journal holds. What a record means is none of the store's business. */
export interface NewRecord {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface JournalRecord extends NewRecord {
  readonly seq: number;
}

/** A line that proved whole: where its fields lie, not yet what they say. */
export interface CheckedLine {
  readonly seq: number;
  readonly type: string;
  readonly crc: number;
}

const opening = Buffer.from('{"seq":');
const typeMark = Buffer.from(',"type":"');
const crcMark = Buffer.from(',"crc":"');
const crcLength = crcMark.length + 8 + 2;
const closingBrace = 125;
const comma = 44;
const typeForm = /^[a-z][a-z0-9-]*$/;

export function encodeRecord(seq: number, record: NewRecord): Buffer {
  const { type, seq: _, crc: __, ...fields } = record;
  if (!typeForm.test(type)) throw new TypeError(`"${type}" cannot be the type of a record.`);
  const body = Buffer.from(JSON.stringify({ seq, type, ...fields }).slice(0, -1));
  const crc = crc32(body).toString(16).padStart(8, "0");
  return Buffer.concat([body, Buffer.from(`,"crc":"${crc}"}\n`)]);
}

/** `undefined`: these bytes are not a whole record. */
export function checkLine(line: Buffer): CheckedLine | undefined {
  const end = line.length - crcLength;
  if (end <= opening.length || !holds(line, opening, 0) || !holds(line, crcMark, end)) return undefined;
  let at = opening.length;
  let seq = 0;
  for (; isDigit(line[at]); at += 1) seq = seq * 10 + (line[at] ?? 0) - 48;
  if (at === opening.length || !holds(line, typeMark, at)) return undefined;
  const typeEnd = line.indexOf(34, at + typeMark.length);
  if (typeEnd < 0 || typeEnd > end) return undefined;
  const crc = crc32(line.subarray(0, end));
  const stored = line.toString("latin1", end + crcMark.length);
  if (!stored.endsWith('"}') || Number.parseInt(stored, 16) !== crc) return undefined;
  return { seq, type: line.toString("latin1", at + typeMark.length, typeEnd), crc };
}

/** Of a checked line only. Its checksum is cut off in place: a string joined from two would be copied once more. */
export function parseLine(line: Buffer): JournalRecord {
  const end = line.length - crcLength;
  line[end] = closingBrace;
  const record: JournalRecord = JSON.parse(line.toString("utf8", 0, end + 1));
  line[end] = comma;
  return record;
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 48 && byte <= 57;

function holds(line: Buffer, mark: Buffer, at: number): boolean {
  for (let index = 0; index < mark.length; index += 1) if (line[at + index] !== mark[index]) return false;
  return true;
}
