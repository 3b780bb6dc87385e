// A journal as it is read: all of it once, then what was added since. Parses only what somebody wants to know;
// everything else is checked and left where it is.
import type { FileSystem } from "./file-system.ts";
import { isOwn, ownType } from "./journal-events.ts";
import { type JournalRecord, parseLine } from "./record-line.ts";
import { type Condition, type OnRecord, Scanner, scanFile } from "./scan.ts";
import { unreadable } from "./store-error.ts";
import { type ConversationSummary, emptySummary, isListed, summarize } from "./summary.ts";

export interface ReaderOptions {
  readonly fs: FileSystem;
  readonly path: string;
  readonly id: string;
  /** Which types of records to hand out. */
  wants(type: string): boolean;
}

export interface Advance {
  /** The file was replaced: `records` begin again. */
  readonly reloaded: boolean;
  readonly records: readonly JournalRecord[];
}

/** By what a journal is known again: one that does not have this any more has lost something. */
export interface Tail {
  /** The last record, and its checksum. */
  readonly last: number;
  readonly crc: number;
  /** How often we have replaced its records ourselves. */
  readonly rewrites: number;
}

/** Enough to go on reading later, in another process. */
export interface Resume extends Tail {
  readonly identity: number | undefined;
  /** Where the next unread line begins. */
  readonly position: number;
  readonly version: number;
  readonly summary: ConversationSummary;
}

export class JournalReader {
  readonly #options: ReaderOptions;
  #scanner: Scanner;
  #identity: number | undefined;
  #records: JournalRecord[] = [];
  #own: JournalRecord[] = [];
  #summary: ConversationSummary;
  #version = 0;
  #rewrites = 0;

  constructor(options: ReaderOptions, resume?: Resume) {
    this.#options = options;
    this.#scanner = new Scanner(this.#take, resume?.position, resume?.last, resume?.crc);
    this.#summary = resume?.summary ?? emptySummary(options.id);
    this.#identity = resume?.identity;
    this.#version = resume?.version ?? 0;
    this.#rewrites = resume?.rewrites ?? 0;
  }

  get resume(): Resume {
    return {
      identity: this.#identity,
      position: this.#scanner.lineStart,
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

  /** The store's own records among them. */
  get own(): readonly JournalRecord[] {
    return this.#own;
  }

  get summary(): ConversationSummary {
    return { ...this.#summary, damaged: this.condition === "damaged" };
  }

  /** Of the program that began the journal; 0 when that is not known. */
  get version(): number {
    return this.#version;
  }

  get rewrites(): number {
    return this.#rewrites;
  }

  /** Whether what once ended like this has lost nothing of that since, but what we took away ourselves. */
  reaches({ last, crc, rewrites }: Tail): boolean {
    return this.#rewrites > rewrites || last < 0 || this.#scanner.crcOf(last) === crc;
  }

  get last(): number {
    return this.#scanner.last;
  }

  get end(): number {
    return this.#scanner.position;
  }

  get condition(): Condition {
    return this.#scanner.condition();
  }

  /** Where in the file a record begins. */
  offsetOf(seq: number): number | undefined {
    return this.#scanner.offsetOf(seq);
  }

  get lostLines(): number {
    return this.#scanner.lost;
  }

  get endsBroken(): boolean {
    return this.#scanner.endsBroken;
  }

  /** Reads what has come since; the whole file when it is another one now. */
  async advance(): Promise<Advance> {
    const { fs, path } = this.#options;
    try {
      const found = await fs.stat(path);
      if (found === undefined || (found.identity === this.#identity && found.size === this.end))
        return { reloaded: false, records: [] };
      const reloaded =
        this.#identity !== undefined && (found.identity !== this.#identity || found.size < this.end);
      if (reloaded) this.#forget();
      this.#identity = found.identity;
      const from = this.#records.length;
      await scanFile(fs, path, this.#scanner);
      this.#scanner.pause();
      return { reloaded, records: this.#records.slice(from) };
    } catch (error) {
      throw unreadable(error);
    }
  }

  /** Makes the next `advance` read everything again. */
  restart(): void {
    this.#forget();
    this.#identity = undefined;
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
    const own = isOwn(type);
    const listed = isListed(type);
    if (!own && !listed && !wants(type)) return;
    const record = parseLine(line);
    if (listed) this.#summary = summarize(this.#summary, record);
    if (type === ownType.head) this.#version = versionOf(record);
    if (type === ownType.rewritten)
      this.#rewrites = Math.max(this.#rewrites, Number(record["rewrites"]) || 0);
    if (own) this.#own.push(record);
    if (wants(type)) this.#records.push(record);
  };
}

/** A head without a version is not one of ours: whoever wrote it knew better. */
function versionOf(head: JournalRecord): number {
  const version = head["version"];
  return typeof version === "number" ? version : Number.POSITIVE_INFINITY;
}
