// Questions that wait behind a running turn.
import type { QueuedPrompt, Turn } from "../../conversation/state.ts";
import { promptOf, type UserInput } from "./user-question.ts";

interface Waiting {
  readonly id: string;
  readonly asked: UserInput;
  readonly answer: (turn: Turn | undefined) => void;
}

/**
 * Questions asked while a response is being written, in the order in which they will be sent, each under the id of its
 * future turn. Nothing is lost: closing the queue returns all of them.
 */
export class PromptQueue {
  readonly #waiting: Waiting[] = [];

  get list(): readonly QueuedPrompt[] {
    return this.#waiting.map(({ id, asked }) => ({ id, prompt: promptOf(asked) }));
  }

  /** Resolves with the turn the question becomes, or with undefined if it is removed from the queue. */
  add(id: string, asked: UserInput): Promise<Turn | undefined> {
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

  /** Returns what was not sent. */
  close(): readonly Pick<Waiting, "id" | "asked">[] {
    const left = this.#waiting.splice(0);
    for (const { answer } of left) answer(undefined);
    return left;
  }
}
