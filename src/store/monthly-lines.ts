// Append-only rows: one file per month, one line per row. Several windows append at the same time. Old rows are removed
// by removing whole files, so nobody ever rewrites a file to which another window appends. Rows that were read are
// cached, and only what was appended since is read again. What the disk refuses waits in memory.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Message, message } from "../conversation/messages.ts";
import { createMutex } from "../util/concurrency.ts";
import { Emitter } from "../util/emitter.ts";
import { keepDamaged, StoreError, sealed, unsaved, unsealed } from "./documents.ts";
import { type FileSystem, isMissing, type OpenFile } from "./file-system.ts";

// One month is a file of lines with checksums, which are not interpreted here.

/** What was read so far: whole lines only. */
interface MonthRead<Row> {
  readonly identity: number;
  readonly bytes: number;
  readonly rows: Row[];
  readonly damage: Damage;
}

/** Lines that could not be read. */
interface Damage {
  readonly lines: number;
  /** Identifies their contents, as a number of fixed length. */
  readonly sign: string;
}

const noDamage: Damage = { lines: 0, sign: "" };

const newline = 10;
/** Lines to parse before yielding to the event loop. */
const linesAtOnce = 2000;

/** Durable once it resolves. `again`: an earlier attempt may have left the line or a part of it in the file. */
async function appendLine(fs: FileSystem, path: string, line: string, again: boolean): Promise<void> {
  const file = await fs.open(path, "append");
  try {
    const bytes = Buffer.from(`${line}\n`);
    const { size } = await file.stat();
    const tail = await readFrom(file, Math.max(0, size - bytes.length), size);
    if (!again || !tail.equals(bytes)) {
      // A process died while writing a line.
      const isInside = size > 0 && tail.at(-1) !== newline;
      await file.write(isInside ? Buffer.concat([Buffer.from("\n"), bytes]) : bytes);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Reads what was appended since `known`, and adds it there. */
async function readMonth<Row>(
  fs: FileSystem,
  path: string,
  known: MonthRead<Row> | undefined,
  read: (line: unknown) => Row | undefined,
): Promise<MonthRead<Row>> {
  const file = await fs.open(path, "read");
  try {
    const { size, identity } = await file.stat();
    const stands = known !== undefined && known.identity === identity && known.bytes <= size;
    const from = stands ? known : { identity, bytes: 0, rows: [], damage: noDamage };
    if (from.bytes === size) return from;
    const text = await readFrom(file, from.bytes, size);
    const end = text.lastIndexOf(newline) + 1;
    const lost: string[] = [];
    for await (const lines of inSlices(text.toString("utf8", 0, end)))
      for (const line of lines) {
        const row = read(unsealed(line));
        if (row !== undefined) from.rows.push(row);
        // A refused attempt leaves the beginning of the line that follows it, so it is not damage.
        if (lost.length > 0 && line.startsWith(lost.at(-1) ?? "")) lost.pop();
        if (row === undefined && line !== "") lost.push(line);
      }
    return { ...from, bytes: from.bytes + end, damage: withLines(from.damage, lost) };
  } finally {
    await file.close();
  }
}

function withLines({ lines, sign }: Damage, lost: readonly string[]): Damage {
  if (lost.length === 0) return { lines, sign };
  const hash = createHash("sha256")
    .update([sign, ...lost].join("\n"))
    .digest("hex");
  return { lines: lines + lost.length, sign: hash.slice(0, 16) };
}

async function readFrom(file: OpenFile, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(end - start);
  for (let done = 0; done < bytes.length; ) {
    const came = await file.read(bytes.subarray(done), start + done);
    if (came === 0) return bytes.subarray(0, done);
    done += came;
  }
  return bytes;
}

async function* inSlices(text: string): AsyncGenerator<string[]> {
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += linesAtOnce) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve));
    yield lines.slice(at, at + linesAtOnce);
  }
}

interface MonthlyDeps<Row> {
  readonly fs: FileSystem;
  readonly folder: string;
  /** Parses a line; `undefined` if it is invalid and must be skipped. */
  read(line: unknown): Row | undefined;
  /** The message that so many lines were skipped. */
  damaged(lines: number): Message;
}

interface Waiting<Row> {
  readonly row: Row;
  readonly line: string;
  /** Part of the line may already be in the file. */
  again: boolean;
}

const fileForm = /^(\d{4}-\d{2})\.jsonl$/;
const retryEvery = 5000;
/** Maximum number of characters that may wait while the disk refuses: about ten thousand rows. */
const maxWaiting = 4 * 1024 * 1024;

export class MonthlyLines<Row extends { readonly at: number }> {
  readonly #needs: MonthlyDeps<Row>;
  readonly #months = new Map<string, MonthRead<Row>>();
  readonly #oneByOne = createMutex();
  readonly #saved = new Emitter<void>();
  readonly #damages = new Emitter<Message>();
  #waiting: Waiting<Row>[] = [];
  #waitingLength = 0;
  #retry: NodeJS.Timeout | undefined;

  /** Fires when another row is on the disk. */
  readonly onSaved = this.#saved.on;
  /** Fires with a message when some lines cannot be read. */
  readonly onDamage = this.#damages.on;

  constructor(deps: MonthlyDeps<Row>) {
    this.#needs = deps;
  }

  /** Durable once it resolves. Rejects with a message if the disk refuses; the row is retried even then. */
  add(row: Row): Promise<void> {
    const line = sealed(row);
    if (this.#waitingLength + line.length > maxWaiting) return Promise.reject(tooManyWait());
    this.#waitingLength += line.length;
    this.#waiting.push({ row, line, again: false });
    return this.flush();
  }

  /** Resolves once all added rows are on the disk; rejects with a message if they are not. */
  flush(): Promise<void> {
    return this.#oneByOne(() => this.#drain());
  }

  /** Rows in order of time, including those that still wait for the disk. An unreadable line affects no other. */
  since(at: number): Promise<readonly Row[]> {
    return this.#oneByOne(() => this.#since(at));
  }

  /** Whether there are any rows, without reading them. */
  async hasAny(): Promise<boolean> {
    return this.#waiting.length > 0 || (await this.#list()).length > 0;
  }

  /** Removes months that lie entirely before this time, and damaged files kept next to them. */
  async forgetBefore(at: number): Promise<void> {
    const { fs, folder } = this.#needs;
    for (const name of await fs.list(folder)) if (name < monthOf(at)) await fs.remove(join(folder, name));
  }

  async #drain(): Promise<void> {
    clearTimeout(this.#retry);
    const { fs, folder } = this.#needs;
    try {
      if (this.#waiting.length > 0) await fs.makeFolder(folder);
      for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
        const { again } = next;
        next.again = true;
        await appendLine(fs, this.#path(monthOf(next.row.at)), next.line, again);
        this.#waiting.shift();
        this.#waitingLength -= next.line.length;
        this.#saved.fire();
      }
    } catch (error) {
      // The caller of `add` has already received the error.
      this.#retry = setTimeout(() => void this.flush().catch(() => undefined), retryEvery).unref();
      throw unsaved(error);
    }
  }

  async #since(at: number): Promise<readonly Row[]> {
    const wanted = (await this.#list()).filter((month) => month >= monthOf(at));
    const rows: Row[] = [];
    for (const month of wanted)
      for (const row of await this.#rowsOf(month).catch(noneIfGone)) if (row.at >= at) rows.push(row);
    for (const waiting of this.#waiting)
      if (waiting.row.at >= at && !this.#isThere(waiting, rows)) rows.push(waiting.row);
    return rows.sort((a, b) => a.at - b.at);
  }

  async #rowsOf(month: string): Promise<readonly Row[]> {
    const { fs, read } = this.#needs;
    const known = this.#months.get(month);
    const now = await readMonth(fs, this.#path(month), known, read);
    this.#months.set(month, now);
    await this.#tell(month, known?.damage ?? noDamage, now.damage);
    return now.rows;
  }

  /** If an attempt failed at its very end, the line may be in the file. */
  #isThere({ row, line, again }: Waiting<Row>, rows: readonly Row[]): boolean {
    if (!again) return false;
    const read = JSON.stringify(this.#needs.read(unsealed(line)));
    return rows.some((each) => each.at === row.at && JSON.stringify(each) === read);
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

  #path(month: string): string {
    return join(this.#needs.folder, `${month}.jsonl`);
  }
}

/** Another window may remove a month while this one is about to read it. */
function noneIfGone(error: unknown): readonly never[] {
  if (isMissing(error)) return [];
  throw error;
}

const tooManyWait = (): StoreError => new StoreError(message("usageUnsavedMuch"));

const monthOf = (at: number): string => new Date(Math.max(0, at)).toISOString().slice(0, 7);
