// Rows that are only ever added: one file per month, one JSON line per row. Several windows append at the same time;
// forgetting old rows is removing whole files, so nobody ever rewrites what another window is adding to.
import { join } from "node:path";
import type { FileSystem, OpenFile } from "../store/file-system.ts";
import { unsaved } from "../store/store-error.ts";
import { isObject, parseJson } from "../util/json.ts";

export interface MonthlyNeeds<Row> {
  readonly fs: FileSystem;
  readonly folder: string;
  /** A line as a row; `undefined`: it is none, and is passed over. */
  read(line: unknown): Row | undefined;
}

const fileForm = /^(\d{4}-\d{2})\.jsonl$/;
const newline = 10;

export class MonthlyLines<Row extends { readonly at: number }> {
  readonly #needs: MonthlyNeeds<Row>;
  #adding: Promise<unknown> = Promise.resolve();

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
  async since(at: number): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const month of await this.#months())
      if (month >= monthOf(at)) rows.push(...(await this.#rowsOf(month)));
    return rows.filter((row) => row.at >= at).sort((a, b) => a.at - b.at);
  }

  /** Removes the months that lie wholly before. */
  async forgetBefore(at: number): Promise<void> {
    const { fs } = this.#needs;
    for (const month of await this.#months()) if (month < monthOf(at)) await fs.remove(this.#path(month));
  }

  async forgetAll(): Promise<void> {
    await this.#needs.fs.remove(this.#needs.folder);
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

  async #rowsOf(month: string): Promise<Row[]> {
    const { fs, read } = this.#needs;
    const text = Buffer.from(await fs.read(this.#path(month))).toString("utf8");
    return text.split("\n").flatMap((line) => {
      const parsed = parseJson(line);
      const row = isObject(parsed) ? read(parsed) : undefined;
      return row === undefined ? [] : [row];
    });
  }

  async #months(): Promise<string[]> {
    const { fs, folder } = this.#needs;
    return (await fs.list(folder)).flatMap((name) => fileForm.exec(name)?.[1] ?? []).sort();
  }

  #path(month: string): string {
    return join(this.#needs.folder, `${month}.jsonl`);
  }
}

const monthOf = (at: number): string => new Date(Math.max(0, at)).toISOString().slice(0, 7);

/** Somebody died in the middle of a line. */
async function endsInside(file: OpenFile): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const last = new Uint8Array(1);
  await file.read(last, size - 1);
  return last[0] !== newline;
}
