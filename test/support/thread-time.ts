// How long this thread has computed, in milliseconds: its own processor time where the system tells it, which other
// work on the machine does not lengthen as it does the time of a clock.
import { channel } from "node:diagnostics_channel";
import { openSync, readSync } from "node:fs";

/** Opened once, because whoever watches for long stretches asks a thousand times in a second. */
const ownThread = opened("/proc/thread-self/schedstat");
const room = Buffer.alloc(80);

function opened(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch {
    return undefined;
  }
}

export function threadTime(): number {
  if (ownThread === undefined) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
  const length = readSync(ownThread, room, 0, room.length, 0);
  return Number.parseInt(room.toString("latin1", 0, length), 10) / 1e6;
}

/** What this process computes until the work has ended, for work that waits between. Other programs do not lengthen it. */
export async function timeComputed(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
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

/**
 * By the clock: no less than what the work costs, so that what seems to take no time takes none. For hundreds of thousands of
 * short runs, for which asking the system twice each would take longer than they do.
 */
export function clockTime(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}
