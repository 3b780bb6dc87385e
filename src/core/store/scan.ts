// One pass over a journal's bytes: which lines are records, and whether the file is whole.
//
// A journal is only ever appended to, so there are few ways to be broken and each has one meaning:
//   a last line without its end      torn: the writer died in the middle of it; it was never acknowledged –
//                                    unless all of the record is there: it counts now as it will once its line ends
//   a bad line, then the next seq    noise: a torn line that a later writer stepped over; nothing is missing
//   the same seq and checksum twice  a write that failed halfway and was repeated; the copy is dropped
//   the same seq, other bytes        two writers after all; both are kept, in the order of the file
//   a higher seq than the next       damage: what stands between is missing; all that proves whole still counts
//   bad lines, then nothing more     damage: the end is missing
import type { FileSystem } from "./file-system.ts";
import { type CheckedLine, checkLine } from "./record-line.ts";

export type Condition = "whole" | "torn" | "damaged";

export interface Placed extends CheckedLine {
  readonly offset: number;
}

/** `line` is only good until the next call. */
export type OnRecord = (placed: Placed, line: Buffer) => void;

const firstSpace = 64 * 1024;
const maxPerRead = 4 * 1024 * 1024;
const newline = 10;
/** Anybody can give a line a checksum: a number beyond this is none of ours. */
const highest = 2 ** 31;

export class Scanner {
  readonly #onRecord: OnRecord;
  readonly #crcs: number[] = [];
  readonly #offsets: number[] = [];
  #space = Buffer.allocUnsafe(firstSpace);
  #filled = 0;
  #offset: number;
  #roomFilled = false;
  #badSince = 0;
  #missing = 0;
  #headless = false;
  /** The last record has been told although its line has not ended. */
  #toldTail = false;

  /** Starts at `offset` in the file, after the record `last` with that checksum. */
  constructor(onRecord: OnRecord, offset = 0, last = -1, crc = 0) {
    this.#onRecord = onRecord;
    this.#offset = offset;
    if (last >= 0) this.#crcs[last] = crc;
  }

  /** Highest seq seen; -1 before the first. */
  get last(): number {
    return this.#crcs.length - 1;
  }

  /** Where the next unread byte of the file belongs. */
  get position(): number {
    return this.#offset + this.#filled;
  }

  /** Where the line begins that has not been told yet. */
  get lineStart(): number {
    return this.#toldTail ? this.position : this.#offset;
  }

  /** Records that must have been there, and complete lines at the end that were none and are not known to be harmless. */
  get lost(): number {
    return this.#missing + this.#badSince;
  }

  /** The end is missing: lines stand there that were no records. */
  get endsBroken(): boolean {
    return this.#badSince > 0;
  }

  /** `undefined`: no such record was seen. */
  crcOf(seq: number): number | undefined {
    return this.#crcs[seq];
  }

  offsetOf(seq: number): number | undefined {
    return this.#offsets[seq];
  }

  /** Space for the next bytes. It doubles when it was used up: by a long file up to a point, by a long line always. */
  room(): Buffer {
    const short = this.#space.length < maxPerRead || this.#filled > this.#space.length / 2;
    if (this.#roomFilled && short) {
      const wider = Buffer.allocUnsafe(this.#space.length * 2);
      this.#space.copy(wider, 0, 0, this.#filled);
      this.#space = wider;
    }
    return this.#space.subarray(this.#filled);
  }

  /** `count` bytes have been put into `room()`. */
  take(count: number): void {
    const end = this.#filled + count;
    // With the end of its line it comes again, and is known.
    this.#toldTail &&= count === 0;
    this.#roomFilled = end === this.#space.length;
    let from = 0;
    let search = this.#filled;
    const read = this.#space.subarray(0, end);
    for (;;) {
      const at = read.indexOf(newline, search);
      if (at < 0) break;
      if (at > from) this.#line(this.#space.subarray(from, at), this.#offset + from);
      from = at + 1;
      search = from;
    }
    this.#space.copyWithin(0, from, end);
    this.#filled = end - from;
    this.#offset += from;
  }

  /** No more bytes come for now. A record that lacks only the end of its line is one: whoever writes next ends it. */
  pause(): void {
    const tail = this.#space.subarray(0, this.#filled);
    if (this.#toldTail || checkLine(tail) === undefined) return;
    this.#line(tail, this.#offset);
    this.#toldTail = true;
  }

  #line(line: Buffer, offset: number): void {
    const checked = checkLine(line);
    if (checked === undefined || checked.seq > highest) {
      this.#badSince += 1;
      return;
    }
    const { seq, type, crc } = checked;
    if (this.#crcs[seq] === crc) return;
    // The head of a journal says little: without it, the rest still stands.
    if (this.last === -1 && seq === 1) this.#headless = true;
    else if (seq > this.last + 1) this.#missing += seq - this.last - 1;
    if (seq > this.last) this.#badSince = 0;
    this.#crcs[seq] ??= crc;
    this.#offsets[seq] ??= offset;
    this.#onRecord({ seq, type, crc, offset }, line);
  }

  /** The state of the file, if no more bytes come. */
  condition(): Condition {
    if (this.lost > 0 || this.#headless) return "damaged";
    if (this.#filled === 0 || this.#toldTail) return "whole";
    return looksBegun(this.#space.subarray(0, this.#filled)) ? "torn" : "damaged";
  }
}

/** Half a record begins like a record; a block of zeros or a stranger's bytes do not. */
function looksBegun(tail: Buffer): boolean {
  const opening = '{"seq":';
  return tail.toString("latin1", 0, opening.length) === opening.slice(0, tail.length);
}

/** Reads what the file holds beyond the scanner's position. */
export async function scanFile(fs: FileSystem, path: string, scanner: Scanner): Promise<void> {
  const file = await fs.open(path, "read");
  try {
    for (;;) {
      const count = await file.read(scanner.room(), scanner.position);
      if (count === 0) return;
      scanner.take(count);
    }
  } finally {
    await file.close();
  }
}
