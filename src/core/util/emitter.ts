// Tells listeners, in the order in which they came.
import type { Disposable } from "./disposables.ts";

export type Listener<T> = (value: T) => void;

export class Emitter<T> {
  readonly #listeners = new Set<Listener<T>>();

  readonly on = (listener: Listener<T>): Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }
}
