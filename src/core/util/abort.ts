// Waiting that ends when a signal says so, also for work that does not listen.

/** Rejects with the signal's reason as soon as it is aborted; what comes of the work later is nobody's business. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
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

/** Aborted so many milliseconds after another: for what a stop does not end at once. */
export function abortedAfter(signal: AbortSignal, milliseconds: number): AbortSignal {
  const late = new AbortController();
  const wait = () => setTimeout(() => late.abort(signal.reason), milliseconds).unref();
  if (signal.aborted) wait();
  else signal.addEventListener("abort", wait, { once: true });
  return late.signal;
}
