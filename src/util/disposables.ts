// Releasing what was acquired: disposables, steps that all run, and opening all or none.

export interface Disposable {
  dispose(): void;
}

/**
 * Disposes what was added, in reverse order, even if something fails. Anything added after disposal is disposed
 * immediately.
 */
export class Disposables implements Disposable {
  readonly #owned = new Set<Disposable>();
  #ended = false;

  add<T extends Disposable>(thing: T): T {
    if (this.#ended) thing.dispose();
    else this.#owned.add(thing);
    return thing;
  }

  /** @throws the first error, after everything was disposed. */
  dispose(): void {
    this.#ended = true;
    const owned = [...this.#owned].reverse();
    this.#owned.clear();
    const failures: unknown[] = [];
    for (const thing of owned)
      try {
        thing.dispose();
      } catch (error) {
        failures.push(error);
      }
    if (failures.length > 0) throw failures[0];
  }
}

/** Runs every step in order, even if earlier ones fail, and rejects with the first error after all have run. */
export async function runAll(steps: Iterable<() => unknown>): Promise<void> {
  const problems: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      problems.push(error);
    }
  }
  if (problems.length > 0) throw problems[0];
}

interface Closable {
  dispose(): unknown;
}

/** Registers a resource to be closed with the others, last first. */
export type Register = <T extends Closable>(thing: T) => T;

/**
 * Opens several resources step by step, all or none: if a step fails, those already opened are closed. `close` closes
 * each resource once, even if closing others fails.
 */
export async function withRollback<T>(
  open: (register: Register, close: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const opened: Closable[] = [];
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= runAll(opened.reverse().map((each) => () => each.dispose()));
    return closing;
  };
  try {
    return await open((thing) => {
      opened.push(thing);
      return thing;
    }, close);
  } catch (error) {
    // The original failure is the error to report.
    await close().catch(() => {});
    throw error;
  }
}
