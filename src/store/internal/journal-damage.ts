// One pass over a journal's bytes: which lines are records, and whether the file is intact.
//
// A journal is only ever appended to, so it can be broken in few ways, each with one meaning:
//   a last line without its end      torn: the writer died while writing it, so it was never acknowledged. If the
//                                    record is complete, it counts now as it will once its line is terminated
//   a bad line, then the next seq    noise: a torn line that a later writer stepped over; nothing is missing
//   the same seq and checksum twice  a write that failed halfway and was repeated; the copy is dropped
//   the same seq, other bytes        there were two writers after all; both records are kept, in file order
//   a higher seq than the next       damage: the records in between are missing; all intact ones still count
//   bad lines, then nothing more     damage: the end is missing
import { type CheckedLine, checkLine } from "../journal-records.ts";
import { LineSplitter } from "./log-reader.ts";

export type Condition = "whole" | "torn" | "damaged";

interface Placed extends CheckedLine {
  readonly offset: number;
}

/** `line` is only valid until the next call. */
export type OnRecord = (placed: Placed, line: Buffer) => void;

/** Anybody can compute a checksum; a higher number was never written by us. */
const highest = 2 ** 31;

export class Scanner {
  readonly #onRecord: OnRecord;
  readonly #crcs: number[] = [];
  readonly #offsets: number[] = [];
  #lines: LineSplitter;
  #taken = 0;
  #badSince = 0;
  #missing = 0;
  #headless = false;

  /** Starts at `offset` in the file, after the record `last` with that checksum. */
  constructor(onRecord: OnRecord, offset = 0, last = -1, crc = 0) {
    this.#onRecord = onRecord;
    this.#lines = this.#linesFrom(offset);
    if (last >= 0) this.#crcs[last] = crc;
  }

  get lines(): LineSplitter {
    return this.#lines;
  }

  /** Highest seq seen; -1 before the first. */
  get last(): number {
    return this.#crcs.length - 1;
  }

  /** Number of missing records, plus complete invalid lines at the end that are not known to be harmless. */
  get lost(): number {
    return this.#missing + this.#badSince;
  }

  /** The end is missing: the last lines are not valid records. */
  get endsBroken(): boolean {
    return this.#badSince > 0;
  }

  /** Returns `undefined` if no such record was seen. */
  crcOf(seq: number): number | undefined {
    return this.#crcs[seq];
  }

  offsetOf(seq: number): number | undefined {
    return this.#offsets[seq];
  }

  /** Nothing is missing, and no number was used twice: records before one number are those before its offset. */
  get isOrderly(): boolean {
    return this.lost === 0 && !this.#headless && this.#taken === this.#crcs.length;
  }

  /** Forgets the record `seq` and what follows it. Only if the records are in order. */
  rewind(seq: number): void {
    this.#lines = this.#linesFrom(this.#offsets[seq] ?? 0);
    this.#crcs.length = seq;
    this.#offsets.length = seq;
    this.#taken = seq;
  }

  #linesFrom(offset: number): LineSplitter {
    return new LineSplitter((line, at) => this.#line(line, at), offset);
  }

  #line(line: Buffer, offset: number): void {
    const checked = checkLine(line);
    if (checked === undefined || checked.seq > highest) {
      this.#badSince += 1;
      return;
    }
    const { seq, type, crc } = checked;
    if (this.#crcs[seq] === crc) return;
    // The journal head contains little; without it, the rest is still valid.
    if (this.last === -1 && seq === 1) this.#headless = true;
    else if (seq > this.last + 1) this.#missing += seq - this.last - 1;
    if (seq > this.last) this.#badSince = 0;
    this.#crcs[seq] ??= crc;
    this.#offsets[seq] ??= offset;
    this.#taken += 1;
    this.#onRecord({ seq, type, crc, offset }, line);
  }

  /** The condition of the file if no more bytes come. */
  condition(): Condition {
    if (this.lost > 0 || this.#headless) return "damaged";
    const { rest } = this.#lines;
    if (rest.length === 0) return "whole";
    return looksBegun(rest) ? "torn" : "damaged";
  }
}

/** A truncated record begins like a record; a block of zeros or foreign bytes do not. */
function looksBegun(tail: Buffer): boolean {
  const opening = '{"seq":';
  return tail.toString("latin1", 0, opening.length) === opening.slice(0, tail.length);
}
