// Runs jobs side by side: most of them wait most of the time, for a browser or for VS Code, and another one can use
// the processor then. Knows nothing of what a job does.
import { availableParallelism } from "node:os";

/** As many as there are cores: a third window of VS Code on two of them makes all three slow, and the whole no faster. */
const slots = availableParallelism();

/**
 * @typedef {object} Result
 * @property {number} passed
 * @property {number} failed
 * @property {string} output
 *
 * @typedef {object} Job
 * @property {string} name
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
  const running = new Set();
  while (waiting.length > 0 || running.size > 0) {
    const next = running.size < slots ? waiting.findIndex(({ isReady }) => isReady) : -1;
    if (next >= 0) {
      const [{ job }] = waiting.splice(next, 1);
      const run = runJob(job, onEnd).finally(() => running.delete(run));
      running.add(run);
    } else {
      const arrivals = running.size < slots ? waiting.map(({ changed }) => changed) : [];
      await Promise.race([...running, ...arrivals]);
    }
  }
}

async function runJob(job, onEnd) {
  const started = Date.now();
  const result = await job.ready.then(job.work).catch((error) => ({
    passed: 0,
    failed: 1,
    output: `${error.message}\n`,
  }));
  onEnd(job, result, (Date.now() - started) / 1000);
}
