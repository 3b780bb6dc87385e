// One month of a ledger as a file: sealed lines that are only ever added, by several windows at once. Knows lines, not what
// stands in them.
import { createHash } from "node:crypto";
import type { FileSystem, OpenFile } from "../store/file-system.ts";
import { unsealed } from "../store/sealed-json.ts";

/** As far as it was read: whole lines only. */
export interface MonthRead<Row> {
  readonly identity: number;
  readonly bytes: number;
  readonly rows: Row[];
  readonly damage: Damage;
}

/** Lines that are none. */
export interface Damage {
  readonly lines: number;
  /** What they are, as one number of fixed length. */
  readonly sign: string;
}

export const noDamage: Damage = { lines: 0, sign: "" };

const newline = 10;
/** So many lines at a time: others want their turn. */
const linesAtOnce = 2000;

/** Durable when it resolves. `again`: an earlier try may have left all of it there, or a part. */
export async function appendLine(fs: FileSystem, path: string, line: string, again: boolean): Promise<void> {
  const file = await fs.open(path, "append");
  try {
    const bytes = Buffer.from(`${line}\n`);
    const { size } = await file.stat();
    const tail = await readFrom(file, Math.max(0, size - bytes.length), size);
    if (!again || !tail.equals(bytes)) {
      // Somebody died in the middle of a line.
      const isInside = size > 0 && tail.at(-1) !== newline;
      await file.write(isInside ? Buffer.concat([Buffer.from("\n"), bytes]) : bytes);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** What is there by now; `known` is what was there before, and grows. */
export async function readMonth<Row>(
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
        // A try that was refused half-way is a part of the line that follows it.
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
