// Ledgers: one append log per month, one line per row, to which several windows append at the same time. Old rows are
// removed by removing whole files, so nobody ever rewrites a file to which another window appends.
import { join } from "node:path";
import { type Message, message } from "../conversation/messages.ts";
import { Emitter } from "../util/emitter.ts";
import { parseJson } from "../util/json.ts";
import { keepDamaged, StoreError, signOf } from "./documents.ts";
import { type FileSystem, isMissing } from "./file-system.ts";
import { LogQueue, sharedFile } from "./internal/append-log.ts";
import { LineSplitter, LogFollower } from "./internal/log-reader.ts";
import { checksumOf, jsonOf, sealedLine } from "./internal/sealed-line.ts";

/** Lines that could not be read. */
interface Damage {
  readonly lines: number;
  /** Identifies their contents, as a number of fixed length. */
  readonly sign: string;
}

const noDamage: Damage = { lines: 0, sign: "" };

/** Bytes to parse before others may run. */
const atOnce = 512 * 1024;

interface MonthlyDeps<Row> {
  readonly fs: FileSystem;
  readonly folder: string;
  /** Parses a line; `undefined` if it is invalid and must be skipped. */
  read(line: unknown): Row | undefined;
  /** The message that so many lines were skipped. */
  damaged(lines: number): Message;
}

/** What was read of one month so far. A write that was repeated leaves a second copy of a row, which is dropped. */
class Month<Row extends { readonly at: number }> {
  readonly follower: LogFollower;
  readonly #read: (line: unknown) => Row | undefined;
  #lines = this.#splitter();
  #rows = new Map<string, Row>();
  #lost: string[] = [];
  #damage = noDamage;

  constructor(fs: FileSystem, path: string, read: (line: unknown) => Row | undefined) {
    this.#read = read;
    const forget = () => {
      this.#lines = this.#splitter();
      this.#rows = new Map();
      this.#lost = [];
      this.#damage = noDamage;
    };
    this.follower = new LogFollower(fs, path, { lines: () => this.#lines, forget });
  }

  get rows(): ReadonlyMap<string, Row> {
    return this.#rows;
  }

  get damage(): Damage {
    return this.#damage;
  }

  async advance(): Promise<void> {
    await this.follower.advance();
    const { lines, sign } = this.#damage;
    if (this.#lost.length > 0)
      this.#damage = { lines: lines + this.#lost.length, sign: signOf([sign, ...this.#lost].join("\n")) };
    this.#lost = [];
  }

  #splitter(): LineSplitter {
    return new LineSplitter((line) => this.#take(line), 0, atOnce);
  }

  #take(line: Buffer): void {
    const crc = checksumOf(line);
    const row = crc === undefined ? undefined : this.#read(parseJson(jsonOf(line)));
    const text = row === undefined || this.#lost.length > 0 ? line.toString("latin1") : "";
    // A refused attempt leaves the beginning of a line that follows it, so that is not damage.
    while (this.#lost.length > 0 && text.startsWith(this.#lost.at(-1) ?? "")) this.#lost.pop();
    if (crc === undefined || row === undefined) this.#lost.push(text);
    else this.#rows.set(keyOf(row.at, crc), row);
  }
}

const keyOf = (at: number, crc: number | undefined): string => `${at} ${crc}`;

interface Adding<Row> {
  readonly row: Row;
  readonly key: string;
}

const fileForm = /^(\d{4}-\d{2})\.jsonl$/;
/** Maximum number of bytes that may wait while the disk refuses: about ten thousand rows. */
const limit = 4 * 1024 * 1024;

export class MonthlyLines<Row extends { readonly at: number }> {
  readonly #needs: MonthlyDeps<Row>;
  readonly #files = new Map<string, ReturnType<typeof sharedFile>>();
  readonly #months = new Map<string, Month<Row>>();
  readonly #queue: LogQueue<Adding<Row>>;
  readonly #saved = new Emitter<void>();
  readonly #damages = new Emitter<Message>();

  /** Fires when other rows are on the disk. */
  readonly onSaved = this.#saved.on;
  /** Fires with a message when some lines cannot be read. */
  readonly onDamage = this.#damages.on;

  constructor(deps: MonthlyDeps<Row>) {
    this.#needs = deps;
    this.#queue = new LogQueue({
      fileOf: ({ row }) => this.#file(monthOf(row.at)),
      limit,
      tooMuch: () => new StoreError(message("usageUnsavedMuch")),
      onSaved: () => this.#saved.fire(),
    });
  }

  /** Durable once it resolves. Rejects with a message if the disk refuses; the row is retried even then. */
  add(row: Row): Promise<void> {
    const line = sealedLine(JSON.stringify(row));
    return this.#queue.add({ row, key: keyOf(row.at, checksumOf(line.subarray(0, -1))) }, line, true);
  }

  /** Resolves once all added rows are on the disk; rejects with a message if they are not. */
  async flush(): Promise<void> {
    await this.#queue.flush();
    if (this.#queue.problem !== undefined) throw this.#queue.problem;
  }

  /** Rows in order of time, including those that still wait for the disk. An unreadable line affects no other. */
  since(at: number): Promise<readonly Row[]> {
    return this.#queue.serial(() => this.#since(at));
  }

  /** Whether there are any rows, without reading them. */
  async hasAny(): Promise<boolean> {
    return this.#queue.waiting.length > 0 || (await this.#list()).length > 0;
  }

  /** Removes months that lie entirely before this time, and damaged files kept next to them. */
  async forgetBefore(at: number): Promise<void> {
    const { fs, folder } = this.#needs;
    for (const name of await fs.list(folder)) if (name < monthOf(at)) await fs.remove(join(folder, name));
  }

  async #since(at: number): Promise<readonly Row[]> {
    const months = await this.#list();
    for (const month of this.#months.keys()) if (!months.includes(month)) this.#months.delete(month);
    const rows = new Map<string, Row>();
    for (const month of months)
      if (month >= monthOf(at))
        for (const [key, row] of await this.#rowsOf(month).catch(noneIfGone)) rows.set(key, row);
    // If an attempt failed at its very end, the row may be in the file already.
    for (const { key, row } of this.#queue.waiting) rows.set(key, row);
    return [...rows.values()].filter((row) => row.at >= at).sort((a, b) => a.at - b.at);
  }

  async #rowsOf(month: string): Promise<ReadonlyMap<string, Row>> {
    const { fs, read } = this.#needs;
    const known = this.#months.get(month) ?? new Month(fs, this.#path(month), read);
    this.#months.set(month, known);
    const before = known.damage;
    await known.advance();
    await this.#tell(month, before, known.damage);
    return known.rows;
  }

  /** Reports each kind of damage once, no matter which window finds it, unless there is no space to record it. */
  async #tell(month: string, before: Damage, { lines, sign }: Damage): Promise<void> {
    if (sign === before.sign || lines === 0) return;
    const isNew = await keepDamaged(this.#needs.fs, this.#path(month), sign).catch(() => true);
    if (isNew) this.#damages.fire(this.#needs.damaged(lines));
  }

  async #list(): Promise<string[]> {
    const { fs, folder } = this.#needs;
    return (await fs.list(folder)).flatMap((name) => fileForm.exec(name)?.[1] ?? []).sort();
  }

  #file(month: string): ReturnType<typeof sharedFile> {
    const file = this.#files.get(month) ?? sharedFile(this.#needs.fs, this.#path(month));
    this.#files.set(month, file);
    return file;
  }

  #path(month: string): string {
    return join(this.#needs.folder, `${month}.jsonl`);
  }
}

/** Another window may remove a month while this one is about to read it. */
function noneIfGone(error: unknown): readonly [] {
  if (isMissing(error)) return [];
  throw error;
}

const monthOf = (at: number): string => new Date(Math.max(0, at)).toISOString().slice(0, 7);
