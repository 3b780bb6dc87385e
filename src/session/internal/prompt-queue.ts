// What a person says while a turn runs: it is handed to the model with the turn's next request, or waits to be asked when
// the turn has ended.
import type { Delivery, QueuedPrompt, Turn } from "../../conversation/state.ts";
import { promptOf, type UserInput } from "./user-question.ts";

interface Waiting {
  readonly id: string;
  readonly asked: UserInput;
  delivery: Delivery;
  readonly answer: (turn: Turn | undefined) => void;
}

/**
 * Questions asked while a response is being written, in the order in which they will be sent, each under the id of its
 * future turn. Nothing is lost: closing the queue returns all of them.
 */
export class PromptQueue {
  readonly #waiting: Waiting[] = [];
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get list(): readonly QueuedPrompt[] {
    return this.#waiting.map(({ id, asked, delivery }) => ({ id, prompt: promptOf(asked), delivery }));
  }

  /** Resolves with the turn the question becomes, or with undefined if it is removed or handed to the running turn. */
  add(id: string, asked: UserInput): Promise<Turn | undefined> {
    const { delivery = "turn" } = asked;
    return new Promise((answer) => {
      this.#waiting.push({ id, asked, delivery, answer });
      this.#changed();
    });
  }

  /** What is to be handed over with the next request, as long as it may be. */
  get forNextStep(): readonly Pick<Waiting, "id" | "asked">[] {
    return this.#waiting.filter(({ delivery }) => delivery === "step");
  }

  deliver(id: string, delivery: Delivery): void {
    const found = this.#waiting.find((each) => each.id === id);
    if (found === undefined || found.delivery === delivery) return;
    found.delivery = delivery;
    this.#changed();
  }

  /** Takes out what is handed over now. Returns false if a person has removed it or lets it wait. */
  handOver(id: string): boolean {
    const isThere = this.#waiting.some((each) => each.id === id && each.delivery === "step");
    if (isThere) this.remove(id);
    return isThere;
  }

  remove(id: string): void {
    const index = this.#waiting.findIndex((each) => each.id === id);
    const [removed] = index < 0 ? [] : this.#waiting.splice(index, 1);
    removed?.answer(undefined);
    this.#changed();
  }

  next(): Waiting | undefined {
    const next = this.#waiting.shift();
    if (next !== undefined) this.#changed();
    return next;
  }

  /** Returns what was not sent. */
  close(): readonly Pick<Waiting, "id" | "asked">[] {
    const left = this.#waiting.splice(0);
    for (const { answer } of left) answer(undefined);
    return left;
  }
}
