// Parses the output of checks in a worker thread (src/worker), which is started on demand and ends when idle.
// Independent of the editor.
import { Worker } from "node:worker_threads";
import type { JudgeInput, Verdict } from "../checks/judge.ts";
import { MessageError } from "../conversation/english.ts";
import { message } from "../conversation/messages.ts";
import type { WorkerAnswer, WorkerTask } from "./worker.ts";

/** In milliseconds. */
interface Times {
  /** The thread ends after this time without work. */
  readonly idle: number;
  /** Parsing never takes this long, since output is capped. */
  readonly longest: number;
}

const usual: Times = { idle: 60_000, longest: 30_000 };

interface Waiting {
  readonly task: WorkerTask;
  readonly resolve: (verdict: Verdict | undefined) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
  isRepeated: boolean;
}

export class OutputReader {
  readonly #file: string;
  readonly #times: Times;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last = 0;

  /** `file`: path of the built src/worker/worker.ts. */
  constructor(file: string, times: Times = usual) {
    this.#file = file;
    this.#times = times;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** `undefined` if the run without the proposal has to be known first. @throws MessageError */
  judge(judging: JudgeInput): Promise<Verdict | undefined> {
    return new Promise((resolve, reject) => {
      clearTimeout(this.#idle);
      const task = { id: ++this.#last, judging };
      const timer = setTimeout(() => void this.#worker?.terminate(), this.#times.longest);
      timer.unref();
      this.#waiting.set(task.id, { task, resolve, reject, timer, isRepeated: false });
      this.#send(task);
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#failAll([...this.#waiting.values()]);
    await worker?.terminate();
  }

  #send(task: WorkerTask): void {
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(task);
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

  #hear({ id, verdict, failed }: WorkerAnswer): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    if (failed === undefined) this.#end(waiting).resolve(verdict);
    else this.#failAll([waiting]);
    if (this.#waiting.size > 0) return;
    // Do not keep the process alive for an idle thread.
    this.#worker?.unref();
    this.#idle = setTimeout(() => {
      const worker = this.#worker;
      this.#worker = undefined;
      void worker?.terminate();
    }, this.#times.idle);
    this.#idle.unref();
  }

  /** After the thread has died, its current job is tried once more, and not again. */
  #restart(): void {
    this.#worker = undefined;
    const all = [...this.#waiting.values()];
    this.#failAll(all.filter(({ isRepeated }) => isRepeated));
    for (const waiting of all.filter(({ isRepeated }) => !isRepeated)) {
      waiting.isRepeated = true;
      waiting.timer.refresh();
      this.#send(waiting.task);
    }
  }

  #failAll(all: readonly Waiting[]): void {
    for (const each of all) this.#end(each).reject(new MessageError(message("checkUnread")));
  }

  #end(waiting: Waiting): Waiting {
    clearTimeout(waiting.timer);
    this.#waiting.delete(waiting.task.id);
    return waiting;
  }
}
