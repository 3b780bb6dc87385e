// The thread for long work (worker.ts), seen from the host: it is started on demand and ends when idle. Independent of
// the editor.
import { Worker } from "node:worker_threads";
import { MessageError } from "../../conversation/english.ts";
import { message } from "../../conversation/messages.ts";
import type { TaskThread } from "../../util/background.ts";
import type { WorkerAnswer, WorkerTask } from "../worker.ts";

/** In milliseconds. */
interface Times {
  /** The thread ends after this time without work. */
  readonly idle: number;
  /** No task takes this long, since what it is given is limited. */
  readonly longest: number;
}

const usual: Times = { idle: 60_000, longest: 30_000 };

interface Job {
  readonly task: WorkerTask;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
  isRepeated: boolean;
}

export class WorkerThread implements TaskThread {
  readonly #file: string;
  readonly #times: Times;
  /** The first one is in the thread. The others wait here, so that it is known of which job a thread has died. */
  #jobs: Job[] = [];
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #longest: NodeJS.Timeout | undefined;
  #last = 0;

  /** `file`: path of the built src/main/worker.ts. */
  constructor(file: string, times: Times = usual) {
    this.#file = file;
    this.#times = times;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** A thread that dies is started again and its task repeated, once. @throws MessageError */
  run<Result>(name: string, input: unknown): Promise<Result> {
    return new Promise((resolve, reject) => {
      clearTimeout(this.#idle);
      this.#jobs.push({ task: { id: ++this.#last, name, input }, resolve, reject, isRepeated: false });
      if (this.#jobs.length === 1) this.#begin();
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    clearTimeout(this.#longest);
    const worker = this.#worker;
    this.#worker = undefined;
    for (const { reject } of this.#jobs.splice(0)) reject(failure());
    await worker?.terminate();
  }

  #begin(): void {
    const [job] = this.#jobs;
    if (job === undefined) {
      this.#endWhenIdle();
      return;
    }
    this.#worker ??= this.#start();
    const worker = this.#worker;
    worker.ref();
    this.#longest = setTimeout(() => void worker.terminate(), this.#times.longest).unref();
    try {
      worker.postMessage(job.task);
    } catch (error) {
      clearTimeout(this.#longest);
      this.#jobs.shift();
      job.reject(error);
      this.#begin();
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#file, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    worker.on("message", (answer: WorkerAnswer) => this.#hear(answer));
    // The `exit` event follows and is handled there.
    worker.on("error", () => {});
    worker.on("exit", () => {
      if (this.#worker === worker) this.#restart();
    });
    return worker;
  }

  #hear(answer: WorkerAnswer): void {
    const [job] = this.#jobs;
    if (job === undefined || job.task.id !== answer.id) return;
    clearTimeout(this.#longest);
    this.#jobs.shift();
    if (answer.failed === undefined) job.resolve(answer.result as never);
    else job.reject(failure(answer.failed));
    this.#begin();
  }

  #endWhenIdle(): void {
    // Do not keep the process alive for an idle thread.
    this.#worker?.unref();
    this.#idle = setTimeout(() => {
      const worker = this.#worker;
      this.#worker = undefined;
      void worker?.terminate();
    }, this.#times.idle).unref();
  }

  /** After the thread has died, the task that it had is tried once more, and not again. */
  #restart(): void {
    clearTimeout(this.#longest);
    this.#worker = undefined;
    const [job] = this.#jobs;
    if (job?.isRepeated === true) {
      this.#jobs.shift();
      job.reject(failure());
    } else if (job !== undefined) job.isRepeated = true;
    this.#begin();
  }
}

const failure = (cause?: string): MessageError => new MessageError(message("workFailed"), cause);
