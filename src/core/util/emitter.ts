// Tells listeners, in the order in which they came. One that fails keeps the news from nobody else.
import type { Disposable } from "./disposables.ts";

export type Listener<T> = (value: T) => void;

export class Emitter<T> {
  readonly #listeners = new Set<Listener<T>>();

  readonly on = (listener: Listener<T>): Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  /** @throws what the first listener threw that failed, once all of them have heard. */
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
