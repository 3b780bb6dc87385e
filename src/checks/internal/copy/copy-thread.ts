// Entry point of the thread that maintains a copy (dist/copies.js; shadow-copy.ts is the host's side): it updates the
// copy of a folder file by file and never writes into the folder itself.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { type DependencySize, measureDependencies, refillDependencies } from "./dependencies.ts";
import { below, type Copy, type CopyData, statAt, type Texts } from "./files-without-links.ts";
import {
  listAt,
  lookAtCopy,
  markRunning,
  readManifest,
  restoreAll,
  type Updated,
  type UpdateTask,
  updateAll,
} from "./sources.ts";

/**
 * Finds what changed in the original folder while a program ran on its copy: the program has the user's rights, so such
 * changes are reported. Returns the first changed paths; inside `.git` only what Git executes or is configured by.
 */
function changedSince(copy: Copy, time: number): string[] {
  const most = 50;
  const found: string[] = [];
  for (const path of copy.known.keys()) if (statAt(below(copy.root, path)) === undefined) found.push(path);
  const open = ["", ".git/hooks"];
  for (let folder = open.pop(); folder !== undefined && found.length < most; folder = open.pop()) {
    const before = found.length;
    for (const name of namesIn(copy, folder)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      const stats = statAt(below(copy.root, path));
      if (stats === undefined || path === ".git") continue;
      if (stats.isDirectory()) open.push(path);
      else if (stats.ctimeMs >= time) found.push(path);
    }
    // An entry was removed, or a folder created.
    const own = statAt(below(copy.root, folder));
    const isOther = folder !== "" && own !== undefined && own.mtimeMs >= time && found.length === before;
    if (isOther && !found.some((path) => path.startsWith(`${folder}/`))) found.push(`${folder}/`);
  }
  const config = statAt(below(copy.root, ".git/config"));
  if (config !== undefined && config.ctimeMs >= time) found.push(".git/config");
  return found.slice(0, most);
}

function namesIn(copy: Copy, folder: string): string[] {
  try {
    return readdirSync(join(copy.root, folder));
  } catch {
    // It is gone or unreadable.
    return [];
  }
}

interface RestoreTask {
  readonly texts: Texts;
  /** When the program on the proposal was started. */
  readonly since: number | undefined;
}

export interface CopyTasks {
  /** Checks the copy while the folder is still being listed elsewhere. */
  readonly look: (task: object) => void;
  /** Lists all files at these places of the folder that look like sources; "" is the folder itself. */
  readonly list: (task: { readonly places: readonly string[] }) => readonly string[];
  /** Brings the copy up to date. */
  readonly update: (task: UpdateTask) => Updated;
  /** Undoes what was done to the copy and writes these texts. */
  readonly restore: (task: RestoreTask) => number;
  /** Marks the start of a program on a proposal; returns the time from which writes are its own. */
  readonly begin: (task: object) => number;
  /** Paths changed since then in the original folder. */
  readonly changedSince: (task: { readonly time: number }) => readonly string[];
  /** Size of the dependencies to copy; `undefined` if it is small or they are copied already. */
  readonly measure: (task: { readonly paths: readonly string[] }) => DependencySize | undefined;
}

const copy: Copy = {
  ...(workerData as CopyData),
  tick: (done, all) => parentPort?.postMessage({ done, all }),
  known: new Map(),
  texts: new Map(),
  textSignatures: new Map(),
  dependencies: new Map(),
  installed: new Map(),
  linked: new Set(),
  foldersBefore: new Map(),
  realFolders: new Set(),
  refill: (folder) => refillDependencies(copy, folder),
  listed: new Set(),
  intact: undefined,
  state: undefined,
  leftOut: 0,
};

const tasks: CopyTasks = {
  look: () => lookAtCopy(copy),
  list: ({ places }) => listAt(copy, places),
  update: (task) => updateAll(copy, task),
  restore: ({ texts, since }) => restoreAll(copy, new Map(texts), since),
  begin: () => markRunning(copy),
  changedSince: ({ time }) => changedSince(copy, time),
  measure: ({ paths }) => measureDependencies(copy, paths),
};

readManifest(copy);
parentPort?.on("message", ([kind, task]: [keyof CopyTasks, never]) => {
  try {
    parentPort?.postMessage({ answer: tasks[kind](task) });
  } catch (error) {
    parentPort?.postMessage({ failed: error instanceof Error ? error.message : String(error) });
  }
});
