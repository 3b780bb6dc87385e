// Notifies listeners: at once, or of many items together.
import type { Disposable } from "./disposables.ts";

export type Listener<T> = (value: T) => void;

/** Calls listeners in the order of registration. A throwing listener does not prevent the others from running. */
export class Emitter<T> {
  readonly #listeners = new Set<Listener<T>>();

  readonly on = (listener: Listener<T>): Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  /** @throws the first error of a listener, after all of them have run. */
  fire(value: T): void {
    const failures: unknown[] = [];
    for (const listener of [...this.#listeners])
      try {
        listener(value);
      } catch (error) {
        failures.push(error);
      }
    if (failures.length > 0) throw failures[0];
  }
}

interface CoalesceOptions<T> {
  readonly milliseconds: number;
  /** Returns the two as one item, or undefined when they must stay separate. */
  join(earlier: T, later: T): T | undefined;
  deliver(items: readonly T[]): void;
}

/**
 * Collects items and delivers them together, after a delay or when `flush` is called. An item is joined with its
 * predecessor where possible, such as two deltas of one part.
 */
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
