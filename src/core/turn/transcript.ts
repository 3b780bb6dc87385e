// What a conversation's journal says, as far as turns need it: the frozen beginning, and what each turn added to the
// history. Knows how to make a journal whole again whose last turn was cut off with its window.
import type { ConversationEvent } from "../conversation/events.ts";
import { joinDeltas } from "../conversation/join-deltas.ts";
import {
  type Chosen,
  type ConversationRecord,
  type HistoryForm,
  type Opened,
  plainer,
  type Replay,
} from "../conversation/record.ts";
import { emptyConversation, reduce, runningTurn } from "../conversation/reduce.ts";
import { reduceAll } from "../conversation/reduce-all.ts";
import type { Conversation, Part, Turn } from "../conversation/state.ts";
import { asString, isObject, parseJson } from "../util/json.ts";
import { cutOffItem } from "./history.ts";
import { answerOpenCalls } from "./pending-calls.ts";
import { type HistoryPoint, heldTurns, sentHistory, sinceHandOver, type TurnItems } from "./sent-history.ts";

interface KeptItems extends TurnItems {
  readonly items: string[];
  replied: number;
  /** Of those that the service made, as far as that is known. */
  readonly makers: Set<string>;
}

/** Where in a conversation something is asked. */
export interface AskingPoint {
  /** In the place of this turn and those after it; absent: after all of them. */
  readonly insteadOf?: string | undefined;
  /** Goes on with the turn before it. */
  readonly goesOn?: boolean;
}

export class Transcript {
  #state: Conversation;
  #opened: Opened | undefined;
  #choices: Chosen = {};
  #form: HistoryForm = "whole";
  #turns: KeptItems[] = [];
  /** Text that was shown after the last items came: no item holds it yet. */
  #uncovered = "";

  constructor(id: string, records: readonly ConversationRecord[]) {
    const events: ConversationEvent[] = [];
    for (const record of records) {
      if (this.#takeSilent(record)) continue;
      this.#cover(record);
      const last = events.at(-1);
      const joined = last && joinDeltas(last, record);
      // A journal holds many small pieces of the same text; put together they are one step, not many.
      if (joined === undefined) events.push(record);
      else events[events.length - 1] = joined;
    }
    this.#state = reduceAll(emptyConversation(id), events);
    if (events.some(({ type }) => type === "cut")) this.#dropItemsOfCutTurns();
  }

  get state(): Conversation {
    return this.#state;
  }

  turn(id: string): Turn | undefined {
    return this.#state.turns.find((turn) => turn.id === id);
  }

  get opened(): Opened | undefined {
    return this.#opened;
  }

  get choices(): Chosen {
    return this.#choices;
  }

  /** How much of its own items the service takes back. */
  get form(): HistoryForm {
    return this.#form;
  }

  /** What goes out with a question that is asked here, as raw items. */
  history(at: AskingPoint = {}): string[] {
    return sentHistory({ ...this.#before(at.insteadOf), goesOn: at.goesOn ?? false });
  }

  /** The turns whose calls and answers it holds. */
  heldTurns(at: AskingPoint = {}): ReadonlySet<string> {
    return heldTurns(this.#before(at.insteadOf));
  }

  /** Who made what the service has said in it, as far as that is known. */
  makersBefore(turn?: string): ReadonlySet<string> {
    return new Set(sinceHandOver(this.#before(turn)).flatMap(({ makers }) => [...makers]));
  }

  #before(turn: string | undefined): HistoryPoint<KeptItems> {
    const { turns } = this.#state;
    const index = this.#turns.findIndex((each) => each.turn === turn);
    return { all: index < 0 ? this.#turns : this.#turns.slice(0, index), turns };
  }

  /** What a turn added: the question's items among them. */
  itemsOf(turn: string): readonly string[] {
    return this.#turns.find((each) => each.turn === turn)?.items ?? [];
  }

  /** What is sent back, from the journal, when the records of the beginning left it out. */
  remember(records: readonly ConversationRecord[]): void {
    this.#turns = [];
    for (const record of records) if (record.type === "replay") this.#takeItems(record);
    this.#dropItemsOfCutTurns();
  }

  asked(turn: string): readonly string[] {
    return this.#turns.find((each) => each.turn === turn)?.asked ?? [];
  }

  take(record: ConversationRecord): void {
    if (!this.#takeSilent(record)) this.#takeEvent(record);
  }

  /** What happens without anybody seeing it; false for everything else. */
  #takeSilent(record: ConversationRecord): record is Exclude<ConversationRecord, ConversationEvent> {
    if (record.type === "opened") this.#opened = record;
    else if (record.type === "choices") {
      const { type: _, at: __, ...chosen } = record;
      this.#choices = { ...this.#choices, ...chosen };
    } else if (record.type === "simplified") this.#form = plainer(this.#form, record.form);
    else if (record.type === "replay") this.#takeItems(record);
    else return false;
    return true;
  }

  #takeItems({ turn, items, maker }: Replay): void {
    const last = this.#turns.at(-1);
    const fresh = () => ({ turn, asked: items, items: [], makers: new Set<string>(), replied: 0 });
    const own = last?.turn === turn ? last : fresh();
    if (own !== last) this.#turns.push(own);
    for (const each of items) own.items.push(each);
    if (maker !== undefined && items.length > 0) {
      own.makers.add(maker);
      own.replied = own.items.length;
    }
    this.#uncovered = "";
  }

  #cover(event: ConversationEvent): void {
    if (event.type === "text") this.#uncovered += event.delta;
    else if (event.type === "started") this.#uncovered = "";
  }

  #takeEvent(event: ConversationEvent): void {
    this.#cover(event);
    const before = this.#state;
    this.#state = reduce(before, event);
    if (event.type === "cut" && this.#state !== before) this.#dropItemsOfCutTurns();
  }

  #dropItemsOfCutTurns(): void {
    const left = new Set(this.#state.turns.map(({ id }) => id));
    this.#turns = this.#turns.filter(({ turn }) => left.has(turn));
  }

  /** What has to be added after a cut: nothing runs any more, and every call has its output. */
  repairs(now: number): readonly (Replay | ConversationEvent)[] {
    const running = runningTurn(this.#state);
    const turn = running?.id ?? this.#turns.at(-1)?.turn;
    if (turn === undefined) return [];
    const parts = this.#state.turns.at(-1)?.parts ?? [];
    const all = this.#turns.flatMap(({ items }) => items);
    const late = answerOpenCalls(all, (callId) => lateAnswer(parts, callId));
    const items = running && this.#uncovered.trim() !== "" ? [...late, cutOffItem(this.#uncovered)] : late;
    return [
      ...(items.length > 0 ? [{ type: "replay" as const, turn, items }] : []),
      ...(running ? [{ type: "ended" as const, turn, at: now, ending: "interrupted" as const }] : []),
    ];
  }
}

/** What a patch is called whose call had an id that was used before. */
export const nameAgain = (callId: string, number: number): string => `${callId}#${number}`;

const isNameOf = (name: string, callId: string): boolean =>
  name === callId || name.startsWith(nameAgain(callId, 0).slice(0, -1));

/** A patch may have got further than its output: what the journal knows of it is what the model must hear. */
function lateAnswer(parts: readonly Part[], callId: string): string {
  const patch = parts.findLast((part) => part.type === "patch" && isNameOf(part.call, callId));
  if (patch?.type === "patch" && patch.output !== undefined) return patch.output;
  return "The editor was closed before this call came to an end; nothing was changed by it.";
}

/** The last word is a tool's: the model has not answered it yet. */
export function endsWithOutput(items: readonly string[]): boolean {
  const item = parseJson(items.at(-1) ?? "");
  return isObject(item) && (asString(item["type"]) ?? "").endsWith("_output");
}
