// Rows that are only ever added: one file per month, one line per row. Several windows append at the same time;
// forgetting old rows is removing whole files, so nobody ever rewrites what another window is adding to. What was read
// once is remembered: only what was added since is read again. What the disk refuses waits in memory and is tried again.

import { join } from "node:path";
import { type Message, message } from "../messages/message.ts";
import { type FileSystem, isMissing } from "../store/file-system.ts";
import { keepDamaged, sealed, unsealed } from "../store/sealed-json.ts";
import { StoreError, unsaved } from "../store/store-error.ts";
import { Emitter } from "../util/emitter.ts";
import { inOrder } from "../util/in-order.ts";
import { appendLine, type Damage, type MonthRead, noDamage, readMonth } from "./month-file.ts";

export interface MonthlyDeps<Row> {
  readonly fs: FileSystem;
  readonly folder: string;
  /** A line as a row; `undefined`: it is none, and is left out. */
  read(line: unknown): Row | undefined;
  /** One sentence: so many lines are left out. */
  damaged(lines: number): Message;
}

interface Waiting<Row> {
  readonly row: Row;
  readonly line: string;
  /** Some of it may stand in the file. */
  again: boolean;
}

const fileForm = /^(\d{4}-\d{2})\.jsonl$/;
const retryEvery = 5000;
/** What a disk that refuses may leave waiting, in characters: some ten thousand rows. */
const maxWaiting = 4 * 1024 * 1024;

export class MonthlyLines<Row extends { readonly at: number }> {
  readonly #needs: MonthlyDeps<Row>;
  readonly #months = new Map<string, MonthRead<Row>>();
  readonly #oneByOne = inOrder();
  readonly #saved = new Emitter<void>();
  readonly #damages = new Emitter<Message>();
  #waiting: Waiting<Row>[] = [];
  #waitingLength = 0;
  #retry: NodeJS.Timeout | undefined;

  /** There is a row more on the disk. */
  readonly onSaved = this.#saved.on;
  /** Some of what lies there cannot be read: one sentence. */
  readonly onDamage = this.#damages.on;

  constructor(deps: MonthlyDeps<Row>) {
    this.#needs = deps;
  }

  /** Durable when it resolves; rejects with a sentence when the disk refuses, and is tried again all the same. */
  add(row: Row): Promise<void> {
    const line = sealed(row);
    if (this.#waitingLength + line.length > maxWaiting) return Promise.reject(tooManyWait());
    this.#waitingLength += line.length;
    this.#waiting.push({ row, line, again: false });
    return this.flush();
  }

  /** Resolves when all that was added is on the disk; rejects with a sentence where it is not. */
  flush(): Promise<void> {
    return this.#oneByOne(() => this.#drain());
  }

  /** In the order of time, with what still waits for the disk; a line that cannot be read costs nothing but itself. */
  since(at: number): Promise<readonly Row[]> {
    return this.#oneByOne(() => this.#since(at));
  }

  /** Whether there is anything, without reading it. */
  async hasAny(): Promise<boolean> {
    return this.#waiting.length > 0 || (await this.#list()).length > 0;
  }

  /** Removes the months that lie wholly before, with what was kept of them beside. */
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
      // Whoever added it has heard why.
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

  /** Of a try that was refused at its very end nobody knows. */
  #isThere({ row, line, again }: Waiting<Row>, rows: readonly Row[]): boolean {
    if (!again) return false;
    const read = JSON.stringify(this.#needs.read(unsealed(line)));
    return rows.some((each) => each.at === row.at && JSON.stringify(each) === read);
  }

  /** Each damage once, whichever window comes upon it, unless there is no room to keep it. */
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

/** Another window may forget a month while this one is about to read it. */
function noneIfGone(error: unknown): readonly never[] {
  if (isMissing(error)) return [];
  throw error;
}

const tooManyWait = (): StoreError => new StoreError(message("usageUnsavedMuch"));

const monthOf = (at: number): string => new Date(Math.max(0, at)).toISOString().slice(0, 7);
