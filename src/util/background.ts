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
