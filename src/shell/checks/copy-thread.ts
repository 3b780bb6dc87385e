// What runs in the thread of a copy (shadow-copy.ts): it brings a copy of a folder up to date, file by file, and never writes
// into the folder itself. The functions of the three subjects become text, because a bundle has no second file to load: they
// know nothing but each other and what they are given.
import type * as nodeCrypto from "node:crypto";
import type * as nodeFs from "node:fs";
import type * as nodePath from "node:path";
import type { MessagePort } from "node:worker_threads";
import { changedSince, dependencyFunctions } from "./copy-dependencies.ts";
import { type Copy, type CopyData, fileFunctions, type Texts } from "./copy-files.ts";
import {
  listAt,
  lookAtCopy,
  readManifest,
  restoreAll,
  sourceFunctions,
  type Updated,
  type UpdateTask,
  updateAll,
} from "./copy-sources.ts";

export interface CopyTasks {
  /** Looks through the copy while somebody else still lists the folder. */
  readonly look: (task: object) => void;
  /** All files at these places of the folder that look like sources; "" is the folder itself. */
  readonly list: (task: { readonly places: readonly string[] }) => readonly string[];
  /** Everything as it is now. */
  readonly update: (task: UpdateTask) => Updated;
  /** What was done to the copy is undone, and it has these texts. */
  readonly restore: (task: { readonly texts: Texts }) => number;
  /** What was written into the shared folders since then. */
  readonly writtenSince: (task: { readonly time: number }) => readonly string[];
}

type ThreadPort = Pick<MessagePort, "on" | "postMessage">;

function serve(require: (name: string) => unknown): void {
  const { parentPort, workerData } = require("node:worker_threads") as {
    parentPort: ThreadPort;
    workerData: CopyData;
  };
  const copy: Copy = {
    ...workerData,
    fs: require("node:fs") as typeof nodeFs,
    path: require("node:path") as typeof nodePath,
    crypto: require("node:crypto") as typeof nodeCrypto,
    tick: (done, all) => parentPort.postMessage({ done, all }),
    known: new Map(),
    texts: new Map(),
    textSignatures: new Map(),
    dependencies: new Map(),
    linked: new Set(),
    realFolders: new Set(),
    intact: undefined,
    state: undefined,
    leftOut: 0,
  };
  readManifest(copy);
  const tasks: CopyTasks = {
    look: () => lookAtCopy(copy),
    list: ({ places }) => listAt(copy, places),
    update: (task) => updateAll(copy, task),
    restore: ({ texts }) => restoreAll(copy, new Map(texts)),
    writtenSince: ({ time }) => changedSince(copy, time),
  };
  parentPort.on("message", ([kind, task]: [keyof CopyTasks, never]) => {
    try {
      parentPort.postMessage({ answer: tasks[kind](task) });
    } catch (error) {
      parentPort.postMessage({ failed: error instanceof Error ? error.message : String(error) });
    }
  });
}

const parts = [...fileFunctions, ...dependencyFunctions, ...sourceFunctions];

/** For `new Worker`. */
export const threadSource = `${parts.join("\n")}\n(${serve})(require);`;
