// Gathers items and hands them on together: at once when `flush` is called, else after a moment. What may be
// joined with its predecessor (two deltas of one part) is joined.
import type { Disposable } from "./disposables.ts";

export interface CoalesceOptions<T> {
  readonly milliseconds: number;
  /** The two as one, or undefined when they must stay two. */
  join(earlier: T, later: T): T | undefined;
  deliver(items: readonly T[]): void;
}

export class Coalesce<T> implements Disposable {
  readonly #options: CoalesceOptions<T>;
  #waiting: T[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: CoalesceOptions<T>) {
    this.#options = options;
  }

  push(item: T): void {
    const last = this.#waiting.at(-1);
    const joined = last === undefined ? undefined : this.#options.join(last, item);
    if (joined === undefined) this.#waiting.push(item);
    else this.#waiting[this.#waiting.length - 1] = joined;
    this.#timer ??= setTimeout(() => this.flush(), this.#options.milliseconds);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const items = this.#waiting;
    this.#waiting = [];
    if (items.length > 0) this.#options.deliver(items);
  }

  dispose(): void {
    this.flush();
  }
}
