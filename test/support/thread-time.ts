// How long this thread has computed, in milliseconds: its own processor time where the system tells it, which other
// work on the machine does not lengthen as it does the time of a clock.
import { readFileSync } from "node:fs";

const ownThread = "/proc/thread-self/schedstat";

function ofThread(): number | undefined {
  try {
    const [nanoseconds] = readFileSync(ownThread, "latin1").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    return undefined;
  }
}

const isTold = ofThread() !== undefined;

export function threadTime(): number {
  const told = isTold ? ofThread() : undefined;
  if (told !== undefined) return told;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * What a piece of work costs: the least of several runs, since a collection of garbage may fall into any of them. By the
 * time of the process, which is told to the microsecond; that of a thread comes in steps of milliseconds.
 */
export function leastTime(runs: number, work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
