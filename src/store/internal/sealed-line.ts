// JSON whose last field is a checksum of the bytes before it, so that changed or missing bytes are detected. Logs and
// documents consist of such lines.
import { crc32 } from "node:zlib";

const mark = Buffer.from(',"crc":"');
const closing = Buffer.from('"}');
/** How many bytes of a line are its checksum. */
export const checksumLength = mark.length + 8 + closing.length;

const closingBrace = 125;
const comma = 44;

/** `json` is an object with at least one field, and none named `crc`. The result ends its line. */
export function sealedLine(json: string): Buffer {
  // Without the final brace, and copied only once: a line can be megabytes long.
  const end = Buffer.byteLength(json) - 1;
  const line = Buffer.allocUnsafe(end + checksumLength + 1);
  line.write(json, 0, end);
  const crc = crc32(line.subarray(0, end)).toString(16).padStart(8, "0");
  line.write(`,"crc":"${crc}"}\n`, end);
  return line;
}

/** Returns the checksum of a line without its line feed, `undefined` if the line is not as it was written. */
export function checksumOf(line: Buffer): number | undefined {
  const end = line.length - checksumLength;
  if (end <= 1 || !holds(line, mark, end) || !holds(line, closing, line.length - closing.length))
    return undefined;
  const crc = crc32(line.subarray(0, end));
  return hexAt(line, end + mark.length) === crc ? crc : undefined;
}

/**
 * The JSON of a line whose checksum holds; anybody can compute one, so it may still be invalid. Cuts off the checksum in
 * place: joining two strings would copy the line once more.
 */
export function jsonOf(line: Buffer): string {
  const end = line.length - checksumLength;
  line[end] = closingBrace;
  const json = line.toString("utf8", 0, end + 1);
  line[end] = comma;
  return json;
}

/** Parses eight hexadecimal digits as `sealedLine` writes them. Returns -1 if they are none. */
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

export const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 48 && byte <= 57;

export function holds(line: Buffer, expected: Buffer, at: number): boolean {
  for (let index = 0; index < expected.length; index += 1)
    if (line[at + index] !== expected[index]) return false;
  return true;
}
