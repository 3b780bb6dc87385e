// Lets whatever waits for this thread go first. Between the steps of something long, so that none of them is felt.
import { performance } from "node:perf_hooks";

export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** For so many milliseconds at a time nothing else in this process moves. */
const atATime = 20;

/** A long piece of work that stops for a moment wherever others may go first. */
export type Steps<T> = Generator<undefined, T, undefined>;

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Carries out one such piece of work after another, and breathes between their steps where it is time. */
export function inSlices(milliseconds = atATime): <T>(steps: Steps<T>) => Promise<T> {
  let began = performance.now();
  return async (steps) => {
    for (;;) {
      if (performance.now() - began >= milliseconds) {
        await breathe();
        began = performance.now();
      }
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  };
}

/** To be called before each of many steps: a breath where it is time for one. A stop is heard there. */
export function inBreaths(signal: AbortSignal, milliseconds = atATime): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < milliseconds) return;
    await breathe();
    signal.throwIfAborted();
    began = performance.now();
  };
}
