// How long a process and all that it started have computed. Other work on the machine makes a test wait longer, but
// lengthens this little, so it is what files of tests are compared by. On Linux only; elsewhere it is not known.
import { readdirSync, readFileSync } from "node:fs";

/** The system counts in hundredths of a second, whatever its clock does. */
const ticksPerSecond = 100;

/**
 * In seconds, with the children that are there and those that have ended.
 * @param {number} pid
 * @returns {number | undefined}
 */
export function processorTime(pid) {
  const fields = statOf(pid);
  if (fields === undefined) return undefined;
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
  return childrenOf(pid).reduce((sum, child) => sum + (processorTime(child) ?? 0), own);
}

/**
 * The ancestor of this process that was started by another one, or this process itself where there is none.
 * @param {number} starter
 */
export function startedBy(starter) {
  for (let pid = process.pid; pid > 1; ) {
    const parent = Number(statOf(pid)?.[1] ?? 0);
    if (parent === starter) return pid;
    pid = parent;
  }
  return process.pid;
}

/** What stands behind the name of the program, which may have any letters in it. */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return undefined;
  }
}

/** Each thread has its own. */
function childrenOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}
