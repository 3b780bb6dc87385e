// Many events at once, as a journal holds them: the same answer as `reduce` gives one by one. Each step there copies
// the list of turns, which is nothing for one event and hours for a hundred thousand in ten thousand turns; here only
// the last two turns are in hand, and the rest is put in front of them at the end.
import type { ConversationEvent } from "./events.ts";
import { isLate, type LateEvent, reduce } from "./reduce.ts";
import type { Conversation, Turn } from "./state.ts";

export function reduceAll(conversation: Conversation, events: Iterable<ConversationEvent>): Conversation {
  const folding = new Folding(conversation);
  for (const event of events) folding.take(event);
  return folding.result;
}

class Folding {
  readonly #start: Conversation;
  readonly #ids: Set<string>;
  /** Settled: no event can reach them but a cut, and what a person does with patches. */
  #settled: Turn[];
  /** The last turn, or none. */
  #end: Conversation;

  constructor(start: Conversation) {
    this.#start = start;
    this.#ids = new Set(start.turns.map(({ id }) => id));
    this.#settled = start.turns.slice(0, -1);
    this.#end = { ...start, turns: start.turns.slice(-1) };
  }

  get result(): Conversation {
    const turns = [...this.#settled, ...this.#end.turns];
    const same =
      turns.length === this.#start.turns.length && turns.every((turn, at) => turn === this.#start.turns[at]);
    return same ? this.#start : { ...this.#start, turns };
  }

  take(event: ConversationEvent): void {
    if (event.type === "cut") this.#cut(event);
    else if (isLate(event) && !this.#end.turns.some(({ id }) => id === event.turn)) this.#reachBack(event);
    else if (event.type !== "started") this.#end = reduce(this.#end, event);
    else if (!this.#ids.has(event.turn)) this.#begin(event);
  }

  #begin(event: Extract<ConversationEvent, { type: "started" }>): void {
    const next = reduce(this.#end, event);
    if (next === this.#end) return;
    this.#ids.add(event.turn);
    this.#settled.push(...next.turns.slice(0, -1));
    this.#end = { ...next, turns: next.turns.slice(-1) };
  }

  #reachBack(event: LateEvent): void {
    const at = this.#settled.findIndex(({ id }) => id === event.turn);
    const [next] = reduce({ ...this.#start, turns: this.#settled.slice(at, at + 1) }, event).turns;
    if (at >= 0 && next !== undefined) this.#settled[at] = next;
  }

  #cut(event: Extract<ConversationEvent, { type: "cut" }>): void {
    const whole = { ...this.#start, turns: [...this.#settled, ...this.#end.turns] };
    const next = reduce(whole, event);
    if (next === whole) return;
    this.#settled = next.turns.slice(0, -1);
    this.#end = { ...next, turns: next.turns.slice(-1) };
    this.#ids.clear();
    for (const { id } of next.turns) this.#ids.add(id);
  }
}
