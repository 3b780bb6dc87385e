// Events of several tools at work, in the order in which they happen, for one reader. A sender that waits knows
// that its event was taken – and with it, that it was saved.

export class EventQueue<T> {
  readonly #waiting: { readonly value: T; readonly taken: () => void }[] = [];
  #closed = false;
  #wake = () => {};

  /** Resolves when the reader has dealt with it; never, once the reader has gone. */
  send(value: T): Promise<void> {
    return new Promise((taken) => {
      this.#waiting.push({ value, taken });
      this.#wake();
    });
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  async *read(): AsyncGenerator<T, void> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        yield next.value;
        next.taken();
      } else if (this.#closed) return;
      else
        await new Promise<void>((wake) => {
          this.#wake = wake;
        });
    }
  }
}
