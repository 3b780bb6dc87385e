// Runs jobs side by side: those that open a window wait much of the time, and another one can use the processor then.
// Knows nothing else of what a job does.
import { availableParallelism } from "node:os";

/** Windows at once: a third one on two cores makes all three slow, and the whole no faster. */
const windows = availableParallelism();

/** One more than there are cores: it works while windows wait. */
const slots = windows + 1;

/**
 * @typedef {object} Result
 * @property {number} passed
 * @property {number} failed
 * @property {string} output
 * @property {readonly string[]} [unsteady] Tests that failed beside others and passed alone.
 * @property {() => Promise<Result>} [again] What is left to be done when no other job runs.
 *
 * @typedef {object} Job
 * @property {string} name
 * @property {boolean} opensWindow Whether it opens VS Code; such a job waits for no job of the other sort.
 * @property {Promise<unknown>} ready What has to be there before it can begin.
 * @property {() => Promise<Result>} work
 *
 * The first of the list that is ready begins first. `onEnd` hears of each job when it has ended, with its seconds. A job
 * that throws is one failure.
 * @param {readonly Job[]} jobs
 * @param {(job: Job, result: Result, seconds: number) => void} onEnd
 */
export async function runJobs(jobs, onEnd) {
  const waiting = jobs.map((job) => ({ job, isReady: false }));
  for (const one of waiting) {
    const ready = () => {
      one.isReady = true;
    };
    // What is not there is said by the job that needs it.
    one.changed = one.job.ready.then(ready, ready);
  }
  const running = new Map();
  /** @type {Job[]} */
  const left = [];
  const mayBegin = ({ opensWindow }) =>
    opensWindow
      ? [...running.values()].filter((job) => job.opensWindow).length < windows
      : running.size < slots;
  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.findIndex(({ job, isReady }) => isReady && mayBegin(job));
    if (next >= 0) {
      const [{ job }] = waiting.splice(next, 1);
      const run = runJob(job, onEnd).then(({ again }) => {
        running.delete(run);
        if (again !== undefined) left.push({ ...job, work: again });
      });
      running.set(run, job);
    } else {
      const arrivals = waiting.flatMap(({ job, isReady, changed }) =>
        !isReady && mayBegin(job) ? [changed] : [],
      );
      await Promise.race([...running.keys(), ...arrivals]);
    }
  }
  for (const job of left) await runJob(job, onEnd);
}

async function runJob(job, onEnd) {
  const started = Date.now();
  const result = await job.ready.then(job.work).catch((error) => ({
    passed: 0,
    failed: 1,
    output: `${error.message}\n`,
  }));
  onEnd(job, result, (Date.now() - started) / 1000);
  return result;
}
