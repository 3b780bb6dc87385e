// Lets whatever waits for this thread go first. Between the steps of something long, so that none of them is felt. In
// each turn of the event loop one piece of work goes on, for its share of time: two hundred that began together would
// else hold the thread two hundred times as long.
import { performance } from "node:perf_hooks";

const waiting: (() => void)[] = [];
/** Whose turn of the event loop this is, and since when. */
let working: { readonly worker: object; readonly since: number } | undefined;

/** Whoever waits goes on in a turn of its own, in the order of coming. */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(wakeNext);
  });

function wakeNext(): void {
  working = undefined;
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(wakeNext);
}

async function untilItsTurn(worker: object, milliseconds: number): Promise<void> {
  do await yieldToEventLoop();
  while (!isItsTurn(worker, milliseconds));
}

function isItsTurn(worker: object, milliseconds: number): boolean {
  if (working !== undefined)
    return working.worker === worker && performance.now() - working.since < milliseconds;
  working = { worker, since: performance.now() };
  setImmediate(() => {
    working = undefined;
  });
  return true;
}

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
  const worker = {};
  return async (steps) => {
    for (;;) {
      if (!isItsTurn(worker, milliseconds)) await untilItsTurn(worker, milliseconds);
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  };
}

/** To be called before each of many steps: a breath where it is time for one. A stop is heard there. */
export function inSteps(signal?: AbortSignal, milliseconds = atATime): () => Promise<void> {
  const worker = {};
  return async () => {
    if (isItsTurn(worker, milliseconds)) return;
    await untilItsTurn(worker, milliseconds);
    signal?.throwIfAborted();
  };
}
