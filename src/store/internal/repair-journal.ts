// Reads and writes whole journals, and repairs damaged ones.

import { join } from "node:path";
import { type Message, message } from "../../conversation/messages.ts";
import { isPersons } from "../../conversation/reduce.ts";
import { asString, isObject, parseJson } from "../../util/json.ts";
import { type FileSystem, type OpenFile, replaceFile } from "../file-system.ts";
import { encodeRecord, type JournalRecord, type NewRecord, storeRecordType } from "../journal-records.ts";
import { JournalReader, type ReaderOptions } from "./journal-reader.ts";

interface Loose {
  readonly type: string;
  readonly [field: string]: unknown;
}

export const lostHere = message("noteLostHere");
export const lostQuestion = message("noteLostQuestion");

/**
 * Repairs a conversation that has lost some of its records. The remaining ones are arranged in turns so that all are
 * shown, with a note where something is missing. A turn without its beginning gets one without a question, and one
 * without its end is interrupted; calls and outputs without their counterparts are no longer sent. Between any two
 * stretches records are missing.
 */
export function repairConversation(stretches: readonly (readonly Loose[])[]): Loose[] {
  const mending = new Mending();
  for (const [index, stretch] of stretches.entries()) {
    if (index > 0) mending.miss();
    for (const record of stretch) mending.take(record);
  }
  return withPairsOnly(mending.end());
}

class Mending {
  readonly #records: Loose[] = [];
  readonly #turns = new Set<string>();
  #running: string | undefined;
  #isMissing = false;
  #at = 0;
  #model = "";

  miss(): void {
    this.#isMissing = true;
  }

  take(record: Loose): void {
    const turn = asString(record["turn"]);
    if (turn !== undefined && !isOfAnyTurn(record)) this.#follow(record, turn);
    this.#records.push(record);
    if (typeof record["at"] === "number") this.#at = record["at"];
    if (record.type === "started" && turn !== undefined) this.#begin(turn, record);
    if (record.type === "ended" && turn === this.#running) this.#running = undefined;
  }

  end(): Loose[] {
    if (this.#isMissing && this.#turns.size > 0) {
      // A turn that has ended accepts no more events, so the note goes before its end.
      const end = this.#records.findLastIndex(({ type }) => type === "ended");
      const turn = this.#running ?? asString(this.#records[end]?.["turn"]);
      const at = this.#running === undefined ? end : this.#records.length;
      if (turn !== undefined) this.#records.splice(at, 0, note(turn, lostHere));
    }
    return this.#records;
  }

  /** Handles missing records before `record`, which belongs to this turn. */
  #follow(record: Loose, turn: string): void {
    if (!this.#isMissing || (turn !== this.#running && record.type !== "started" && this.#turns.has(turn)))
      return;
    if (turn === this.#running) {
      this.#say(turn, lostHere);
      return;
    }
    if (this.#running !== undefined) this.#interrupt(this.#running);
    if (record.type === "started" || record.type === "cut") return;
    const [at, model] = [this.#at, this.#model];
    const began = { type: "started", turn, at, model, route: "responses", prompt: "" };
    this.#records.push(began);
    this.#turns.add(turn);
    this.#running = turn;
    this.#say(turn, lostQuestion);
  }

  #begin(turn: string, { model }: Loose): void {
    this.#turns.add(turn);
    this.#running = turn;
    this.#model = asString(model) ?? this.#model;
    if (this.#isMissing) this.#say(turn, lostHere);
  }

  #interrupt(turn: string): void {
    this.#say(turn, lostHere);
    this.#records.push({ type: "ended", turn, at: this.#at, ending: "interrupted" });
    this.#running = undefined;
  }

  #say(turn: string, what: Message): void {
    this.#records.push(note(turn, what));
    this.#isMissing = false;
  }
}

const note = (turn: string, what: Message): Loose => ({ type: "note", turn, notes: [what] });

/** Decisions of a person may belong to any turn. */
const isOfAnyTurn = (record: Loose): boolean =>
  record.type === "excluded" || record.type === "patch-state" || isPersons(record);

/**
 * Drops calls without an output and outputs without a call, either of which the service refuses. Open calls of the last
 * turn are answered later.
 */
function withPairsOnly(records: readonly Loose[]): Loose[] {
  const paired = pairsAmong(records.flatMap(itemsOf));
  const last = records.findLast(({ type }) => type === "replay")?.["turn"];
  let at = 0;
  return records.map((record) => {
    const all = itemsOf(record);
    const first = at;
    at += all.length;
    const items = all.filter((item, index) => {
      const { call, isOutput } = pairOf(item);
      return call === undefined || paired.has(first + index) || (!isOutput && record["turn"] === last);
    });
    return items.length === all.length ? record : { ...record, items };
  });
}

/** The indices of calls with an output, and of those outputs. Ids may repeat; an output belongs to the latest call. */
function pairsAmong(items: readonly string[]): ReadonlySet<number> {
  const open = new Map<string, number[]>();
  const paired = new Set<number>();
  for (const [index, item] of items.entries()) {
    const { call, isOutput } = pairOf(item);
    if (call === undefined) continue;
    const waiting = open.get(call) ?? [];
    open.set(call, waiting);
    const answered = isOutput ? waiting.pop() : undefined;
    if (answered !== undefined) paired.add(answered).add(index);
    else if (!isOutput) waiting.push(index);
  }
  return paired;
}

const itemsOf = (record: Loose): readonly string[] => {
  const items = record.type === "replay" ? record["items"] : undefined;
  return Array.isArray(items) ? items.filter((item) => typeof item === "string") : [];
};

function pairOf(raw: string): { readonly call?: string; readonly isOutput: boolean } {
  const item = raw.includes('"call_id"') ? parseJson(raw) : undefined;
  const call = isObject(item) ? asString(item["call_id"]) : undefined;
  if (!isObject(item) || call === undefined) return { isOutput: false };
  return { call, isOutput: (asString(item["type"]) ?? "").endsWith("_output") };
}

/**
 * Reads all records of a journal that is not open. From a damaged journal, reads the intact stretches and repairs them
 * to a consistent conversation that says where something is missing.
 */
export async function readRecords(options: ReaderOptions): Promise<readonly JournalRecord[]> {
  const reader = new JournalReader(options);
  await reader.advance();
  if (reader.condition !== "damaged") return reader.records;
  const { records } = await readRepaired(options, false);
  return records.filter(({ type }) => options.wants(type)).map((record, seq) => ({ ...record, seq }));
}

/**
 * Reads all records, including the store's own. `isCutShort`: it is known that records after the last one are missing.
 */
async function readRepaired(
  options: Omit<ReaderOptions, "wants">,
  isCutShort: boolean,
): Promise<{ reader: JournalReader; records: readonly NewRecord[] }> {
  const reader = new JournalReader({ ...options, wants: () => true });
  await reader.advance();
  const stretches = stretchesOf(reader.records);
  if (isCutShort || reader.endsBroken) stretches.push([]);
  return { reader, records: repairConversation(stretches) };
}

/** Splits the records at gaps; something is missing between any two stretches. */
function stretchesOf(records: readonly JournalRecord[]): JournalRecord[][] {
  const distinct = new Set(records.map(({ seq }) => seq)).size === records.length;
  // Moved lines are sorted back to their places. If two writers used the same numbers, only the order in the file is
  // right.
  const inOrder = distinct ? records.toSorted((a, b) => a.seq - b.seq) : records;
  const stretches: JournalRecord[][] = [[]];
  // A missing journal head is not a gap, since it contains little.
  let last = 0;
  for (const record of inOrder) {
    if (record.seq > last + 1) stretches.push([]);
    stretches.at(-1)?.push(record);
    last = Math.max(last, record.seq);
  }
  return stretches;
}

const enough = 1024 * 1024;

/** Numbers records from `seq`. Returns the number of the last one. */
export async function writeRecords(file: OpenFile, records: Iterable<NewRecord>, seq = 0): Promise<number> {
  let last = seq - 1;
  let pieces: Buffer[] = [];
  let size = 0;
  for (const record of records) {
    last += 1;
    const bytes = encodeRecord(last, record);
    pieces.push(bytes);
    size += bytes.length;
    if (size < enough) continue;
    await file.write(Buffer.concat(pieces));
    pieces = [];
    size = 0;
  }
  await file.write(Buffer.concat(pieces));
  return last;
}

// Changed records of a journal: which bytes on the disk are kept and what follows them. Also replaces a damaged journal
// by a repaired one and keeps the damaged file next to it, byte for byte. Only for the writer; journal.ts reads before
// and writes afterwards. Nobody can tell which parts of a damaged file a person has since deleted, so the next cut
// removes it as a whole.

/** The first records, of this many bytes, are unchanged; the others are new. */
interface Rewritten {
  readonly same: { readonly records: number; readonly bytes: number };
  readonly records: readonly NewRecord[];
}

export type ChangeRecords = (records: readonly JournalRecord[]) => Promise<Iterable<NewRecord>>;

/** `reader` must have read all records. `head` is used if the journal has none. */
export async function rewritten(
  reader: JournalReader,
  head: () => NewRecord,
  change: ChangeRecords,
): Promise<Rewritten> {
  const { records } = reader;
  const kept = [records[0] ?? head(), ...(await change(records.slice(1)))];
  // If two writers once used the same number, positions cannot be derived from numbers.
  const orderly = records.every(({ seq }, at) => seq === at);
  const first = orderly ? kept.findIndex((record, at) => record !== records[at]) : 0;
  const same = first < 0 ? kept.length : first;
  const bytes = same < records.length ? reader.offsetOf(same) : reader.end;
  return {
    same: { records: same, bytes: bytes ?? 0 },
    records: [...kept.slice(same), rewrittenBy(reader)],
  };
}

/** The last record of a journal whose records we have replaced. */
const rewrittenBy = (reader: JournalReader): NewRecord => ({
  type: storeRecordType.rewritten,
  rewrites: reader.rewrites + 1,
});

interface Repairing {
  /** Used if the journal has lost its own head. */
  readonly head: NewRecord;
  readonly now: number;
  readonly isCutShort: boolean;
}

/**
 * Keeps every intact record and adds a note about what is missing. Returns where the damaged file was moved, if there
 * was one.
 */
export async function repairJournal(
  source: Omit<ReaderOptions, "wants">,
  { head, now, isCutShort }: Repairing,
): Promise<string> {
  const { fs, path } = source;
  const isThere = (await fs.stat(path)) !== undefined;
  const original = isThere ? asidePath(path, now) : "";
  if (isThere) await fs.copy(path, original);
  const { reader, records } = await readRepaired(source, isCutShort);
  const hasHead = records[0]?.type === head.type;
  const whole = [...(hasHead ? [] : [head]), ...records, rewrittenBy(reader)];
  await replaceFile(fs, path, async (file) => {
    await writeRecords(file, whole);
  });
  return original;
}

/** Where to keep a file that could not be read. */
const asidePath = (path: string, now: number): string =>
  path.replace(/(\.jsonl?)?$/, `.corrupt-${new Date(now).toISOString().replaceAll(/[:.]/g, "-")}$1`);

const setAside = /\.corrupt-[^/\\]*$/;

/** Removes everything that repairs have kept in the folder of this journal. */
export async function removeSetAside(fs: FileSystem, folder: string): Promise<void> {
  for (const name of await fs.list(folder)) if (setAside.test(name)) await fs.remove(join(folder, name));
}
