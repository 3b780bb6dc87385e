// DeferredWork that may wait: highlighting and formulas in idle time, the rest of a long text in the next task. Knows when there
// is none left, and forgets all of it when the text goes.

export interface DeferredWork {
  whenIdle(job: () => void): void;
  /** In another task, this many milliseconds from now at the earliest. */
  soon(job: () => void, delay: number): void;
  /** When the browser has shown what there is by now. */
  afterFrame(job: () => void): void;
  /** `start` after `ready`; a failure leaves things as they are. */
  after(ready: Promise<unknown>, start: () => void): void;
  settled(): Promise<void>;
  dispose(): void;
}

/** Idle time may never come while text streams; then the job is done anyway. */
const idleOptions = { timeout: 1_000 };
/** Milliseconds. A page that nobody sees has no frames. */
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
      // Whoever waits for what will not come any more.
      for (const listener of listeners.splice(0)) listener();
    },
  };
}
