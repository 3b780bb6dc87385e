// Waits and time limits that end with an abort signal, and a limit that leaves out the time a machine sleeps.

/** Resolves after this time, or as soon as the signal is aborted. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", over);
      resolve();
    };
    const timer = setTimeout(over, milliseconds);
    signal.addEventListener("abort", over, { once: true });
  });
}

/**
 * Rejects with the signal's reason as soon as it is aborted, even if the work ignores the signal; the result of the
 * work is then ignored.
 */
export async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
    work.catch(() => {});
  }
}

/** Aborts the given time after `signal`, for work that a stop should not end immediately. */
export function abortedAfter(signal: AbortSignal, milliseconds: number): AbortSignal {
  const late = new AbortController();
  const wait = () => setTimeout(() => late.abort(signal.reason), milliseconds).unref();
  if (signal.aborted) wait();
  else signal.addEventListener("abort", wait, { once: true });
  return late.signal;
}

/** Short enough to be accurate to a tenth of the shortest limit. */
const step = 250;

/**
 * Aborts after this many milliseconds in which the process could run; the delay of a late tick is not counted. A plain
 * timer keeps running on some systems while the lid is closed, and would abort work that had no time to run. Time in
 * which the thread was blocked is not counted either, so the limit is a minimum. Does not keep the process alive.
 */
export function awakeTimeout(milliseconds: number): AbortSignal {
  const limit = new AbortController();
  let left = milliseconds;
  const wait = () => {
    const next = Math.min(step, left);
    setTimeout(() => {
      left -= next;
      if (left > 0) wait();
      else limit.abort(new DOMException(undefined, "TimeoutError"));
    }, next).unref();
  };
  wait();
  return limit.signal;
}
