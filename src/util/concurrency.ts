// Cooperative scheduling: loops over many items yield between them so that the thread stays responsive. Each turn of
// the event loop runs one loop for its time slice; otherwise two hundred started together would block the thread two
// hundred times as long. A single long computation is a task of the worker (background.ts).

const waiting: (() => void)[] = [];
/** The loop that owns this turn of the event loop, and since when. */
let working: { readonly worker: object; readonly since: number } | undefined;

/** Waiting callers resume in order, each in its own turn. */
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

/** Time slice in milliseconds, during which nothing else in this process runs. The last step may last beyond it. */
const atATime = 5;

/**
 * Call the returned function before each of many steps: it yields when the time slice is used up, and throws if
 * aborted.
 */
export function createYieldPoint(signal?: AbortSignal, milliseconds = atATime): () => Promise<void> {
  const worker = {};
  return async () => {
    if (isItsTurn(worker, milliseconds)) return;
    await untilItsTurn(worker, milliseconds);
    signal?.throwIfAborted();
  };
}

/** How many run at once: enough to keep a disk busy, few enough not to delay anything else. */
const atOnce = 25;

/** Returns the results in order. The next batch begins when the previous one has completed. */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += atOnce) {
    const batch = items.slice(from, from + atOnce).map((item, at) => work(item, from + at));
    results.push(...(await Promise.all(batch)));
  }
  return results;
}

/**
 * Runs tasks one after another. A failure affects only its own caller; the next task still runs. With a signal, a task
 * that still waits is given up as soon as it is aborted; one that has begun is not.
 */
export type Mutex = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work, signal) => {
    let hasBegun = false;
    const begin = () => {
      signal?.throwIfAborted();
      hasBegun = true;
      return work();
    };
    const done = last.then(begin);
    last = done.catch(() => {});
    if (signal === undefined) return done;
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        if (!hasBegun) reject(signal.reason);
      };
      if (signal.aborted) giveUp();
      signal.addEventListener("abort", giveUp, { once: true });
      done.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
    });
  };
}
