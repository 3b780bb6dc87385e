// Reads a journal completely at first, then only what was appended since. Parses only records that somebody wants; all
// others are only checked.

import { type ConversationSummary, emptySummary, isListed, summarize } from "../conversation-summary.ts";
import { unreadable } from "../documents.ts";
import type { FileSystem } from "../file-system.ts";
import { isStoreRecord, type JournalRecord, parseLine, storeRecordType } from "../journal-records.ts";
import { type OnRecord, Scanner } from "./journal-damage.ts";
import { LogFollower } from "./log-reader.ts";

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
      last: this.#scanner.last,
      crc: this.#scanner.crcOf(this.#scanner.last) ?? 0,
      rewrites: this.#rewrites,
      version: this.#version,
      summary: this.summary,
    };
  }

  /** Where records are, and which are damaged. Another one once the file was replaced. */
  get scanner(): Scanner {
    return this.#scanner;
  }

  get records(): readonly JournalRecord[] {
    return this.#records;
  }

  /** The store's own records in the journal. */
  get own(): readonly JournalRecord[] {
    return this.#own;
  }

  get summary(): ConversationSummary {
    return { ...this.#summary, damaged: this.#scanner.condition() === "damaged" };
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

  /**
   * A reader of all records from `seq` on, for a journal whose records are in order. It has read nothing yet.
   */
  from(seq: number): JournalReader {
    const position = this.#scanner.offsetOf(seq) ?? 0;
    const last = { last: seq - 1, crc: this.#scanner.crcOf(seq - 1) ?? 0 };
    const before = { ...this.resume, ...last, position, identity: undefined };
    return new JournalReader({ ...this.#options, wants: () => true }, before);
  }

  /**
   * Forgets the record `seq` and what follows it: the file was replaced by one that is the same until there, and the
   * next `advance` reads the rest of it. Only for readers that want all listed records.
   */
  rewind(seq: number): void {
    const isBefore = (record: JournalRecord) => record.seq < seq;
    this.#scanner.rewind(seq);
    this.#records = this.#records.filter(isBefore);
    this.#own = this.#own.filter(isBefore);
    const listed = [...this.#own, ...this.#records].filter(({ type }) => isListed(type));
    const inOrder = listed.sort((one, other) => one.seq - other.seq);
    this.#summary = inOrder.reduce(summarize, emptySummary(this.#options.id));
    this.#follower.goOn();
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
