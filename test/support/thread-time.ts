// How long this thread has computed, in milliseconds: its own processor time where the system tells it, which other
// work on the machine does not lengthen as it does the time of a clock.
import { channel } from "node:diagnostics_channel";
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

/** Whoever watches for long stretches hears that the runs are no work of one piece. */
const measured = channel("patchbay.measured");

/**
 * What a piece of work costs: the least of several runs, since a collection of garbage may fall into any of them. By the
 * time of the process, which is told to the microsecond; that of a thread comes in steps of milliseconds.
 */
export function leastTime(runs: number, work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    measured.publish(undefined);
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
