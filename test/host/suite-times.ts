// What each file of suites takes: of the whole VS Code, since a suite makes the window around it work, too.
import { addTime, type FileTime } from "../support/file-times.mjs";
import { processorTime, startedBy } from "../support/processor-time.mjs";

/** `starter` is the process that started VS Code. */
export function addUpSuites(starter: number): {
  /** One test has just ended. */
  ended(file: string, name: string, milliseconds: number): void;
  all(): FileTime[];
} {
  const pid = startedBy(starter);
  const files = new Map<string, FileTime>();
  let used = processorTime(pid) ?? 0;
  return {
    ended(file, name, milliseconds) {
      const now = processorTime(pid) ?? 0;
      addTime(files, file, name, { seconds: milliseconds / 1000, processor: now - used });
      used = now;
    },
    all: () => [...files.values()],
  };
}
