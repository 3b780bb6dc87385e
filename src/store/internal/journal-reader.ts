// Reads a journal completely at first, then only what was appended since. Parses only records that somebody wants; all
// others are only checked.

import { type ConversationSummary, emptySummary, isListed, summarize } from "../conversation-summary.ts";
import { unreadable } from "../documents.ts";
import type { FileSystem } from "../file-system.ts";
import {
  type CheckedLine,
  checkLine,
  isStoreRecord,
  type JournalRecord,
  parseLine,
  storeRecordType,
} from "../journal-records.ts";
import { LineSplitter, LogFollower } from "./log-reader.ts";

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

export type Condition = "whole" | "torn" | "damaged";

export interface Placed extends CheckedLine {
  readonly offset: number;
}

/** `line` is only valid until the next call. */
type OnRecord = (placed: Placed, line: Buffer) => void;

/** Anybody can compute a checksum; a higher number was never written by us. */
const highest = 2 ** 31;

export class Scanner {
  readonly #onRecord: OnRecord;
  readonly #crcs: number[] = [];
  readonly #offsets: number[] = [];
  readonly lines: LineSplitter;
  #badSince = 0;
  #missing = 0;
  #headless = false;

  /** Starts at `offset` in the file, after the record `last` with that checksum. */
  constructor(onRecord: OnRecord, offset = 0, last = -1, crc = 0) {
    this.#onRecord = onRecord;
    this.lines = new LineSplitter((line, at) => this.#line(line, at), offset);
    if (last >= 0) this.#crcs[last] = crc;
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
    this.#onRecord({ seq, type, crc, offset }, line);
  }

  /** The condition of the file if no more bytes come. */
  condition(): Condition {
    if (this.lost > 0 || this.#headless) return "damaged";
    const { rest } = this.lines;
    if (rest.length === 0) return "whole";
    return looksBegun(rest) ? "torn" : "damaged";
  }
}

/** A truncated record begins like a record; a block of zeros or foreign bytes do not. */
function looksBegun(tail: Buffer): boolean {
  const opening = '{"seq":';
  return tail.toString("latin1", 0, opening.length) === opening.slice(0, tail.length);
}

export interface ReaderOptions {
  readonly fs: FileSystem;
  readonly path: string;
  readonly id: string;
  /** Which types of records to return. */
  wants(type: string): boolean;
}

export interface Advance {
  /** The file was replaced, and `records` starts from the beginning. */
  readonly reloaded: boolean;
  readonly records: readonly JournalRecord[];
}

/** Identifies the end of a journal: a journal that no longer contains this record has lost data. */
export interface Tail {
  /** The seq of the last record, and its checksum. */
  readonly last: number;
  readonly crc: number;
  /** How often we have replaced the journal's records ourselves. */
  readonly rewrites: number;
}

/** What another process needs to continue reading later. */
export interface Resume extends Tail {
  readonly identity: number | undefined;
  /** Where the next unread line begins. */
  readonly position: number;
  readonly version: number;
  readonly summary: ConversationSummary;
}

export class JournalReader {
  readonly #options: ReaderOptions;
  readonly #follower: LogFollower;
  #scanner: Scanner;
  #records: JournalRecord[] = [];
  #own: JournalRecord[] = [];
  #summary: ConversationSummary;
  #version = 0;
  #rewrites = 0;

  constructor(options: ReaderOptions, resume?: Resume) {
    this.#options = options;
    this.#scanner = new Scanner(this.#take, resume?.position, resume?.last, resume?.crc);
    this.#summary = resume?.summary ?? emptySummary(options.id);
    const target = { lines: () => this.#scanner.lines, forget: () => this.#forget() };
    this.#follower = new LogFollower(options.fs, options.path, target, resume?.identity);
    this.#version = resume?.version ?? 0;
    this.#rewrites = resume?.rewrites ?? 0;
  }

  get resume(): Resume {
    return {
      identity: this.#follower.identity,
      position: this.#scanner.lines.lineStart,
      last: this.last,
      crc: this.#scanner.crcOf(this.last) ?? 0,
      rewrites: this.#rewrites,
      version: this.#version,
      summary: this.summary,
    };
  }

  get records(): readonly JournalRecord[] {
    return this.#records;
  }

  /** The store's own records in the journal. */
  get own(): readonly JournalRecord[] {
    return this.#own;
  }

  get summary(): ConversationSummary {
    return { ...this.#summary, damaged: this.condition === "damaged" };
  }

  /** The version of the program that started the journal, 0 if unknown. */
  get version(): number {
    return this.#version;
  }

  get rewrites(): number {
    return this.#rewrites;
  }

  /** Whether a journal that once ended like this has since lost nothing except what we removed ourselves. */
  reaches({ last, crc, rewrites }: Tail): boolean {
    return this.#rewrites > rewrites || last < 0 || this.#scanner.crcOf(last) === crc;
  }

  get last(): number {
    return this.#scanner.last;
  }

  get end(): number {
    return this.#scanner.lines.position;
  }

  get condition(): Condition {
    return this.#scanner.condition();
  }

  /** The offset of a record in the file. */
  offsetOf(seq: number): number | undefined {
    return this.#scanner.offsetOf(seq);
  }

  get lostLines(): number {
    return this.#scanner.lost;
  }

  get endsBroken(): boolean {
    return this.#scanner.endsBroken;
  }

  /** Reads what was appended since, or the whole file if it was replaced. */
  async advance(): Promise<Advance> {
    const before = this.#records.length;
    const how = await this.#follower.advance().catch((error: unknown) => {
      throw unreadable(error);
    });
    const reloaded = how === "reloaded";
    return { reloaded, records: this.#records.slice(reloaded ? 0 : before) };
  }

  /** Makes the next `advance` read everything again. */
  restart(): void {
    this.#follower.restart();
  }

  #forget(): void {
    this.#scanner = new Scanner(this.#take);
    this.#records = [];
    this.#own = [];
    this.#summary = emptySummary(this.#options.id);
    this.#version = 0;
    this.#rewrites = 0;
  }

  readonly #take: OnRecord = ({ type }, line) => {
    const { wants } = this.#options;
    const own = isStoreRecord(type);
    const listed = isListed(type);
    if (!own && !listed && !wants(type)) return;
    const record = parseLine(line);
    if (listed) this.#summary = summarize(this.#summary, record);
    if (type === storeRecordType.head) this.#version = versionOf(record);
    if (type === storeRecordType.rewritten)
      this.#rewrites = Math.max(this.#rewrites, Number(record["rewrites"]) || 0);
    if (own) this.#own.push(record);
    if (wants(type)) this.#records.push(record);
  };
}

/** A head without a version was not written by any version of this program. Treat it as newer. */
function versionOf(head: JournalRecord): number {
  const version = head["version"];
  return typeof version === "number" ? version : Number.POSITIVE_INFINITY;
}
