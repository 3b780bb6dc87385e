// Work that takes too long for the thread of the editor is done in one beside it (src/main/worker.ts). A task is a pure,
// synchronous function under a name that both threads know. What it is given and what it returns is copied between
// them, so both are plain data.
import { createYieldPoint } from "./concurrency.ts";
import type { Disposable } from "./disposables.ts";

export interface Task<Input, Result> {
  readonly name: string;
  run(input: Input): Result;
}

export interface TaskThread {
  /** Tasks are done one after another, in the order in which they were given. */
  run<Result>(name: string, input: unknown): Promise<Result>;
}

/** One for the process, as there is one event loop that it relieves. */
let thread: TaskThread | undefined;

/** Long work is done there from now on. Without a thread, as in most tests, it is done where it is asked for. */
export function useThread(used: TaskThread): Disposable {
  thread = used;
  return {
    dispose() {
      if (thread === used) thread = undefined;
    },
  };
}

/** In characters. Work on less takes a few milliseconds, not much more than copying it to the thread and back. */
export const longText = 64 * 1024;

/** In characters: what goes to the thread at once, enough to be worth the way and little enough to copy in a moment. */
const longBatch = 4 * longText;

/** A task for many inputs in one. */
export const forEach = <Input, Result>(
  task: Task<Input, Result>,
): Task<readonly Input[], readonly Result[]> => ({
  name: `${task.name} each`,
  run: (inputs) => inputs.map((input) => task.run(input)),
});

/** Does work on many texts together: a thousand short ones are as much to work on as a long one. */
export class TaskBatches<Input, Result> {
  readonly #task: Task<readonly Input[], readonly Result[]>;
  readonly #sent: Promise<readonly Result[]>[] = [];
  #batch: Input[] = [];
  #size = 0;

  /** `task`: made by `forEach`. */
  constructor(task: Task<readonly Input[], readonly Result[]>) {
    this.#task = task;
  }

  /** `size`: how many characters there are to work on. */
  add(input: Input, size: number): void {
    this.#batch.push(input);
    this.#size += size;
    if (this.#size >= longBatch) this.#send();
  }

  /** In the order in which they were added. */
  async results(): Promise<readonly Result[]> {
    if (this.#batch.length > 0) this.#send();
    return (await Promise.all(this.#sent)).flat();
  }

  #send(): void {
    const sent = runTask(this.#task, this.#batch, this.#size);
    // Whoever asks for the results hears of a failure.
    sent.catch(() => {});
    this.#sent.push(sent);
    [this.#batch, this.#size] = [[], 0];
  }
}

/** One for all tasks: many short ones in a row together take as long as a long one. */
const letOthersGoFirst = createYieldPoint();

/** `size`: how many characters there are to work on. */
export async function runTask<Input, Result>(
  task: Task<Input, Result>,
  input: Input,
  size: number,
): Promise<Result> {
  if (thread !== undefined && size >= longText) return thread.run(task.name, input);
  await letOthersGoFirst();
  return task.run(input);
}
