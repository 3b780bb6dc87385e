// How long a piece of asynchronous work holds the thread at a stretch, in processor time of this thread: what others on
// the machine take does not count.
import { threadTime } from "./thread-time.ts";

/** The longest stretch of one run, and all of it. */
export async function stretchesOf(work: () => Promise<unknown>): Promise<{ longest: number; total: number }> {
  let longest = 0;
  let isDone = false;
  const from = threadTime();
  let last = from;
  const look = () => {
    const now = threadTime();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isDone = true;
  look();
  return { longest, total: last - from };
}
