// What remains of a conversation that has lost records, as one that can be shown and continued. Without I/O.

import { type Message, message } from "../../conversation/messages.ts";
import { isOfAnyTurn } from "../../conversation/reduce.ts";
import { asString, isObject, parseJson } from "../../util/json.ts";

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
