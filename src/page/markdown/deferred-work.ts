// Work that can wait: highlighting and formulas in idle time, the rest of a long text in the next task. Reports when
// none is left, and drops all of it when the text is disposed.

export interface DeferredWork {
  whenIdle(job: () => void): void;
  /** Runs the job in another task, after at least this many milliseconds. */
  soon(job: () => void, delay: number): void;
  /** Runs the job after the browser has painted the current state. */
  afterFrame(job: () => void): void;
  /** Runs `start` once `ready` is fulfilled; nothing happens if it is rejected. */
  after(ready: Promise<unknown>, start: () => void): void;
  settled(): Promise<void>;
  dispose(): void;
}

/** Idle time may never come while text streams; the job then runs anyway. */
const idleOptions = { timeout: 1_000 };
/** Milliseconds. A hidden page gets no animation frames. */
const unseen = 100;

export function createDeferredWork(): DeferredWork {
  let waiting = 0;
  let disposed = false;
  const listeners: (() => void)[] = [];

  const begin = () => {
    waiting += 1;
  };
  const finish = (job: () => void) => {
    try {
      if (!disposed) job();
    } finally {
      waiting -= 1;
      if (waiting === 0) for (const listener of listeners.splice(0)) listener();
    }
  };
  return {
    whenIdle(job) {
      begin();
      requestIdleCallback(() => finish(job), idleOptions);
    },
    soon(job, delay) {
      begin();
      setTimeout(() => finish(job), delay);
    },
    afterFrame(job) {
      begin();
      let isDone = false;
      const once = () => {
        if (isDone) return;
        isDone = true;
        finish(job);
      };
      requestAnimationFrame(() => setTimeout(once));
      setTimeout(once, unseen);
    },
    after(ready, start) {
      begin();
      ready.then(
        () => finish(start),
        () => finish(() => {}),
      );
    },
    settled: () =>
      waiting === 0 || disposed ? Promise.resolve() : new Promise((resolve) => listeners.push(resolve)),
    dispose() {
      disposed = true;
      // Release callers that wait for work which will not happen any more.
      for (const listener of listeners.splice(0)) listener();
    },
  };
}
