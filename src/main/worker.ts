// Entry point of the thread for long work (dist/worker.js). Each task is a plain function of the room it belongs to.
import { parentPort } from "node:worker_threads";
import { attesting, placing } from "../changes/line-origins.ts";
import { reversing } from "../changes/plan-undo.ts";
import { findingUnseen, judgeRuns } from "../checks/judge.ts";
import { cleaning } from "../files/privacy.ts";
import { locating } from "../findings/follow-lines.ts";
import { comparing, mergingTexts } from "../patch/edits.ts";
import { readingNotebook } from "../patch/notebook.ts";
import { naming, planning } from "../patch/plan.ts";
import { ratingEach } from "../risk/file-risk.ts";
import type { Task } from "../util/background.ts";

export interface WorkerTask {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

export interface WorkerAnswer {
  readonly id: number;
  readonly result?: unknown;
  /** For the log. */
  readonly failed?: string;
}

const judging = { name: "judge", run: judgeRuns };

const all: readonly Task<never, unknown>[] = [
  judging,
  cleaning,
  naming,
  planning,
  readingNotebook,
  comparing,
  mergingTexts,
  ratingEach,
  reversing,
  locating,
  findingUnseen,
  attesting,
  placing,
];

const tasks = new Map(all.map((task) => [task.name, task]));

function answer({ id, name, input }: WorkerTask): WorkerAnswer {
  try {
    return { id, result: tasks.get(name)?.run(input as never) };
  } catch (error) {
    return { id, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on("message", (task: WorkerTask) => parentPort?.postMessage(answer(task)));
