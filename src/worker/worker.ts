// Entry point of a worker thread (dist/worker.js): reads the output of checks and determines what is new in it, which
// can take long for long outputs.
import { parentPort } from "node:worker_threads";
import { type JudgeInput, judgeRuns, type Verdict } from "../checks/judge.ts";

export interface WorkerTask {
  readonly id: number;
  readonly judging: JudgeInput;
}

export interface WorkerAnswer {
  readonly id: number;
  readonly verdict?: Verdict | undefined;
  readonly failed?: string;
}

function answer({ id, judging }: WorkerTask): WorkerAnswer {
  try {
    return { id, verdict: judgeRuns(judging) };
  } catch (error) {
    return { id, failed: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on("message", (task: WorkerTask) => parentPort?.postMessage(answer(task)));
