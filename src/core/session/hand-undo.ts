// The editor's own Undo and Redo know nothing of patches: whether one is in the files is seen in them, by hash. Looks
// only, at patches that touch a file in which something was undone or put in again.
import type { FileChange, FileName } from "../patch/model.ts";
import { isBack } from "../tools/way-back.ts";
import type { Workspace } from "../workspace.ts";

/** A patch that was carried out, as the conversation has it. */
export interface DonePatch {
  readonly call: string;
  readonly status: "applied" | "undone";
  readonly changes: readonly FileChange[];
  /** Their way back. */
  readonly reversed: readonly FileChange[];
}

type World = Pick<Workspace, "look" | "read" | "sha256">;

/** Which of the two is not always known. */
export interface Happened {
  readonly file: FileName;
  readonly by?: "undo" | "redo" | undefined;
}

export interface Turned {
  readonly undone: readonly string[];
  readonly again: readonly string[];
}

/**
 * The calls of those that are not any more what the conversation says; `patches` from the oldest. Undo begins with the
 * newest: while that is in the files, none was undone, whatever else the texts look like. Redo begins with the oldest.
 */
export async function findTurned(
  patches: readonly DonePatch[],
  { file, by }: Happened,
  workspace: World,
): Promise<Turned> {
  const near = patches.filter(({ changes }) => changes.some((change) => touches(change, file)));
  const world = readOnce(workspace);
  const applied = near.filter(({ status }) => status === "applied");
  const undone = near.filter(({ status }) => status === "undone");
  const [newest, oldest] = [applied.at(-1), undone[0]];
  const isUndo = by !== "redo" && newest !== undefined && !(await areBack(newest.reversed, world));
  const out = isUndo ? await thoseBack(applied, world) : [];
  if (out.length > 0) return { undone: out, again: [] };
  const isRedo = by !== "undo" && oldest !== undefined && !(await areBack(oldest.changes, world));
  return { undone: [], again: isRedo ? await thoseBack(undone.map(turnedRound).toReversed(), world) : [] };
}

const turnedRound = (patch: DonePatch): DonePatch => ({
  ...patch,
  changes: patch.reversed,
  reversed: patch.changes,
});

async function areBack(changes: readonly FileChange[], world: World): Promise<boolean> {
  for (const change of changes) if (!(await isBack(change, world))) return false;
  return true;
}

/** Whose files all are as they were before; or as before an earlier one that they were made on, which took them along. */
async function thoseBack(patches: readonly DonePatch[], world: World): Promise<string[]> {
  const found: string[] = [];
  const lost = new Set<string>();
  for (const { call, changes, reversed } of patches) {
    const left = changes.filter((change) => !lost.has(stateBefore(change)));
    if (!(await areBack(left, world))) continue;
    found.push(call);
    for (const change of reversed) lost.add(stateBefore(change));
  }
  return found;
}

/** Undo is pressed often and files can be long: each is read and hashed once for all patches. */
function readOnce({ look, read, sha256 }: World): World {
  const readings = new Map<string, ReturnType<World["read"]>>();
  const hashes = new Map<string, string>();
  return {
    look,
    read(file) {
      const key = JSON.stringify(file);
      const known = readings.get(key) ?? read(file);
      readings.set(key, known);
      return known;
    },
    sha256(text) {
      const hash = hashes.get(text) ?? sha256(text);
      hashes.set(text, hash);
      return hash;
    },
  };
}

const stateBefore = (change: FileChange): string =>
  `${change.file.folder}\0${change.file.path}\0${"base" in change ? change.base.sha256 : ""}`;

const touches = (change: FileChange, file: FileName): boolean =>
  isSame(change.file, file) || (change.kind === "move" && isSame(change.to, file));

const isSame = (one: FileName, other: FileName): boolean =>
  one.folder === other.folder && one.path === other.path;
