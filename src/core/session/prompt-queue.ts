// What was asked while an answer was being written, in the order in which it will be sent, each by the name that its turn
// will have. Nothing is lost with it: whoever closes it gets all of it back.
import type { QueuedPrompt } from "../conversation/page-list-schemas.ts";
import type { Turn } from "../conversation/state.ts";
import { type Asked, promptOf } from "../turn/question-items.ts";

interface Waiting {
  readonly id: string;
  readonly asked: Asked;
  readonly answer: (turn: Turn | undefined) => void;
}

export class PromptQueue {
  readonly #waiting: Waiting[] = [];

  get list(): readonly QueuedPrompt[] {
    return this.#waiting.map(({ id, asked }) => ({ id, prompt: promptOf(asked) }));
  }

  /** Resolves with the turn that it becomes; without one when it is taken back. */
  add(id: string, asked: Asked): Promise<Turn | undefined> {
    return new Promise((answer) => this.#waiting.push({ id, asked, answer }));
  }

  remove(id: string): void {
    const index = this.#waiting.findIndex((each) => each.id === id);
    const [removed] = index < 0 ? [] : this.#waiting.splice(index, 1);
    removed?.answer(undefined);
  }

  next(): Waiting | undefined {
    return this.#waiting.shift();
  }

  /** Answers what was not sent. */
  close(): readonly Pick<Waiting, "id" | "asked">[] {
    const left = this.#waiting.splice(0);
    for (const { answer } of left) answer(undefined);
    return left;
  }
}
