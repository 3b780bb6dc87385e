// Lets whatever waits for this thread go first. Between the steps of something long, so that none of them is felt.
import { performance } from "node:perf_hooks";

export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** For so many milliseconds at a time nothing else in this process moves. */
const atATime = 20;

/** To be called before each of many steps: a breath where it is time for one. A stop is heard there. */
export function inBreaths(signal: AbortSignal): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < atATime) return;
    await breathe();
    signal.throwIfAborted();
    began = performance.now();
  };
}
