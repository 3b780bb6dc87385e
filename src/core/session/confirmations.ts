// What a person is asked before a question leaves: one thing at a time, with a few ways to answer. While it waits
// nothing is sent, cut or kept; no answer, or Stop, means that nothing is. It knows neither why nor what is asked.
import type { Problem, ProblemAction } from "../conversation/problem.ts";

/** What asks for it may be answered with; `undefined` when it was stopped. */
export type AskPerson = (question: Problem, signal: AbortSignal) => Promise<ProblemAction | undefined>;

interface Open {
  readonly question: Problem;
  readonly answer: (action: ProblemAction | undefined) => void;
}

export class Confirmations {
  readonly #changed: () => void;
  #open: Open | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get question(): Problem | undefined {
    return this.#open?.question;
  }

  readonly ask: AskPerson = (question, signal) => {
    this.answer(undefined);
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const stop = () => this.answer(undefined);
      signal.addEventListener("abort", stop, { once: true });
      this.#open = {
        question,
        answer: (action) => {
          signal.removeEventListener("abort", stop);
          resolve(action);
        },
      };
      this.#changed();
    });
  };

  /** False when nothing asks, or not for this. */
  answer(action: ProblemAction | undefined): boolean {
    const open = this.#open;
    if (open === undefined) return false;
    if (action !== undefined && !open.question.actions.includes(action)) return false;
    this.#open = undefined;
    open.answer(action);
    this.#changed();
    return true;
  }
}
