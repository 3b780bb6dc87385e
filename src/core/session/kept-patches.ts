// Patches that were carried out, kept with their conversation: what they changed and what the files were before, so
// that they can be taken back by a later window, too. What is kept is believed only where every hash still fits.
import type { FileChange } from "../patch/model.ts";
import { hashOf } from "../store/blobs.ts";
import type { Checkpoints, FileBytes } from "../store/checkpoints.ts";
import type { PatchKeeper } from "../tools/tool.ts";
import type { Log } from "../util/log.ts";

export interface KeptPatches extends PatchKeeper {
  /** Whether it was carried out, as far as is known, and not taken back. */
  has(call: string): boolean;
  /** What was carried out; `undefined` when it is not kept, or no longer in full. */
  changes(call: string): Promise<readonly FileChange[] | undefined>;
  tookBack(call: string): Promise<void>;
  putAgain(call: string): Promise<void>;
}

export type CheckpointStore = Pick<Checkpoints, "take" | "settle" | "find" | "bytes">;

/** The changes as they are written down: a text that they were planned on stands in its file's blob alone. */
interface Details {
  readonly version: number;
  readonly changes: readonly FileChange[];
}

const version = 1;

export function createKeptPatches(checkpoints: CheckpointStore, log: Log): KeptPatches {
  /** The patch itself is done or not done, whatever the disk says to a remark about it. */
  const settle = (checkpoint: string, outcome: "done" | "refused" | "taken-back") =>
    checkpoints
      .settle(checkpoint, outcome)
      .catch((error: unknown) => log.error("What became of a patch could not be saved.", error));

  async function textOf(blob: string | undefined): Promise<string | undefined> {
    const bytes = blob === undefined ? undefined : await checkpoints.bytes(blob);
    return bytes === undefined || bytes === "absent" ? undefined : Buffer.from(bytes).toString("utf8");
  }

  async function withText(change: FileChange, blob: string | undefined): Promise<FileChange | undefined> {
    if (!("base" in change)) return change;
    const text = await textOf(blob);
    if (text === undefined || hashOf(Buffer.from(text)) !== change.base.sha256) return undefined;
    return { ...change, base: { ...change.base, text, version: undefined } };
  }

  return {
    async keep({ turn, call, changes }) {
      const details: Details = { version, changes: changes.map(withoutText) };
      const taking = { turn, name: call, files: filesOf(changes) };
      const done = await checkpoints.take({ ...taking, details: Buffer.from(JSON.stringify(details)) });
      return done.kept ? done : { kept: false, reason: done.reason.said };
    },
    settle,
    has(call) {
      const found = checkpoints.find(call);
      return found !== undefined && (found.outcome === undefined || found.outcome === "done");
    },
    async changes(call) {
      const found = checkpoints.find(call);
      const text = await textOf(found?.details);
      if (found === undefined || text === undefined) return undefined;
      const details: Details = JSON.parse(text);
      if (details.version !== version) return undefined;
      const changes: FileChange[] = [];
      for (const each of details.changes) {
        const change = await withText(each, found.files.get(keyOf(each)));
        if (change === undefined) return undefined;
        changes.push(change);
      }
      return changes;
    },
    async tookBack(call) {
      const found = checkpoints.find(call);
      if (found !== undefined) await settle(found.id, "taken-back");
    },
    async putAgain(call) {
      const found = checkpoints.find(call);
      if (found !== undefined) await settle(found.id, "done");
    },
  };
}

const keyOf = ({ file }: FileChange): string => JSON.stringify([file.folder, file.path]);

/** A name that one change frees and another takes was a file before. */
function filesOf(changes: readonly FileChange[]): { file: string; bytes: FileBytes }[] {
  const files = new Map<string, FileBytes>();
  for (const change of changes) {
    if ("base" in change) files.set(keyOf(change), Buffer.from(change.base.text));
    else if (!files.has(keyOf(change))) files.set(keyOf(change), "absent");
  }
  return [...files].map(([file, bytes]) => ({ file, bytes }));
}

const withoutText = (change: FileChange): FileChange =>
  "base" in change ? { ...change, base: { ...change.base, text: "", version: undefined } } : change;
