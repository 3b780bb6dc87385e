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
const closing = Buffer.from('"}');
const crcLength = crcMark.length + 8 + closing.length;
const closingBrace = 125;
const comma = 44;
const typeForm = /^[a-z][a-z0-9-]*$/;

export function encodeRecord(seq: number, record: NewRecord): Buffer {
  const { type, seq: _, crc: __, ...fields } = record;
  if (!typeForm.test(type)) throw new TypeError(`"${type}" cannot be the type of a record.`);
  const text = JSON.stringify({ seq, type, ...fields });
  // Without its last brace, and copied only once: a record can have megabytes.
  const end = Buffer.byteLength(text) - 1;
  const line = Buffer.allocUnsafe(end + crcLength + 1);
  line.write(text, 0, end);
  const crc = crc32(line.subarray(0, end)).toString(16).padStart(8, "0");
  line.write(`,"crc":"${crc}"}\n`, end);
  return line;
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
  if (!holds(line, closing, line.length - closing.length) || hexAt(line, end + crcMark.length) !== crc)
    return undefined;
  return { seq, type: typeAt(line, at + typeMark.length, typeEnd), crc };
}

/** Of a checked line only. Its checksum is cut off in place: a string joined from two would be copied once more. */
export function parseLine(line: Buffer): JournalRecord {
  const end = line.length - crcLength;
  line[end] = closingBrace;
  const record: JournalRecord = JSON.parse(line.toString("utf8", 0, end + 1));
  line[end] = comma;
  return record;
}

/** Nine of ten lines are of this type: it is not spelled again for each. */
const maxFrequent = Buffer.from('text"');

const typeAt = (line: Buffer, from: number, to: number): string =>
  to - from === 4 && holds(line, maxFrequent, from) ? "text" : line.toString("latin1", from, to);

/** Eight digits as `encodeRecord` writes them; `-1`: they are none. */
function hexAt(line: Buffer, from: number): number {
  let value = 0;
  for (let at = from; at < from + 8; at += 1) {
    const byte = line[at] ?? 0;
    const digit = isDigit(byte) ? byte - 48 : byte >= 97 && byte <= 102 ? byte - 87 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 48 && byte <= 57;

function holds(line: Buffer, mark: Buffer, at: number): boolean {
  for (let index = 0; index < mark.length; index += 1) if (line[at + index] !== mark[index]) return false;
  return true;
}
