// Rows that are only ever added: one file per month, one JSON line per row. Several windows append at the same time;
// forgetting old rows is removing whole files, so nobody ever rewrites what another window is adding to. What was read
// once is remembered: only what was added since is read again.
import { join } from "node:path";
import { type FileSystem, isMissing, type OpenFile } from "../store/file-system.ts";
import { unsaved } from "../store/store-error.ts";
import { isObject, parseJson } from "../util/json.ts";

export interface MonthlyNeeds<Row> {
  readonly fs: FileSystem;
  readonly folder: string;
  /** A line as a row; `undefined`: it is none, and is passed over. */
  read(line: unknown): Row | undefined;
}

/** A month as far as it was read: whole lines only. */
interface Month<Row> {
  readonly identity: number;
  readonly bytes: number;
  readonly rows: Row[];
}

const fileForm = /^(\d{4}-\d{2})\.jsonl$/;
const newline = 10;
/** So many lines at a time: others want their turn. */
const linesAtOnce = 2000;

export class MonthlyLines<Row extends { readonly at: number }> {
  readonly #needs: MonthlyNeeds<Row>;
  readonly #months = new Map<string, Month<Row>>();
  #adding: Promise<unknown> = Promise.resolve();
  #reading: Promise<unknown> = Promise.resolve();

  constructor(needs: MonthlyNeeds<Row>) {
    this.#needs = needs;
  }

  /** Durable when it resolves; rejects with a sentence. */
  add(row: Row): Promise<void> {
    const added = this.#adding.then(() => this.#append(row));
    this.#adding = added.catch(() => undefined);
    return added;
  }

  /** In the order of time; a line that cannot be read costs nothing but itself. */
  since(at: number): Promise<readonly Row[]> {
    const read = this.#reading.then(() => this.#since(at));
    this.#reading = read.catch(() => undefined);
    return read;
  }

  /** Whether there is anything, without reading it. */
  async hasAny(): Promise<boolean> {
    return (await this.#list()).length > 0;
  }

  /** Removes the months that lie wholly before. */
  async forgetBefore(at: number): Promise<void> {
    const { fs } = this.#needs;
    for (const month of await this.#list()) if (month < monthOf(at)) await fs.remove(this.#path(month));
  }

  async #append(row: Row): Promise<void> {
    const { fs, folder } = this.#needs;
    try {
      await fs.makeFolder(folder);
      const file = await fs.open(this.#path(monthOf(row.at)), "append");
      try {
        const broken = await endsInside(file);
        await file.write(Buffer.from(`${broken ? "\n" : ""}${JSON.stringify(row)}\n`));
        await file.sync();
      } finally {
        await file.close();
      }
    } catch (error) {
      throw unsaved(error);
    }
  }

  async #since(at: number): Promise<readonly Row[]> {
    const wanted = (await this.#list()).filter((month) => month >= monthOf(at));
    const rows: Row[] = [];
    for (const month of wanted)
      for (const row of await this.#rowsOf(month).catch(noneIfGone)) if (row.at >= at) rows.push(row);
    return rows.sort((a, b) => a.at - b.at);
  }

  async #rowsOf(month: string): Promise<readonly Row[]> {
    const file = await this.#needs.fs.open(this.#path(month), "read");
    try {
      const { size, identity } = await file.stat();
      const known = this.#months.get(month);
      const stands = known !== undefined && known.identity === identity && known.bytes <= size;
      const read = stands ? known : { identity, bytes: 0, rows: [] };
      if (read.bytes === size) return read.rows;
      const text = await readFrom(file, read.bytes, size);
      const end = text.lastIndexOf(newline) + 1;
      for await (const lines of inSlices(text.toString("utf8", 0, end)))
        for (const line of lines) this.#take(line, read.rows);
      this.#months.set(month, { ...read, bytes: read.bytes + end });
      return read.rows;
    } finally {
      await file.close();
    }
  }

  #take(line: string, rows: Row[]): void {
    const parsed = parseJson(line);
    const row = isObject(parsed) ? this.#needs.read(parsed) : undefined;
    if (row !== undefined) rows.push(row);
  }

  async #list(): Promise<string[]> {
    const { fs, folder } = this.#needs;
    return (await fs.list(folder)).flatMap((name) => fileForm.exec(name)?.[1] ?? []).sort();
  }

  #path(month: string): string {
    return join(this.#needs.folder, `${month}.jsonl`);
  }
}

/** Another window may forget a month while this one is about to read it. */
function noneIfGone(error: unknown): readonly never[] {
  if (isMissing(error)) return [];
  throw error;
}

const monthOf = (at: number): string => new Date(Math.max(0, at)).toISOString().slice(0, 7);

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

/** Somebody died in the middle of a line. */
async function endsInside(file: OpenFile): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const last = new Uint8Array(1);
  await file.read(last, size - 1);
  return last[0] !== newline;
}
