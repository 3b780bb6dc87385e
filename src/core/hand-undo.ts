// The editor's own Undo and Redo know nothing of patches: whether one is in the files is seen in them, by hash. Looks
// only, at patches that touch a file in which something was undone or put in again.
import type { FileChange, FileName } from "./patch/model.ts";
import { reverseChanges } from "./patch/reverse.ts";
import { isBack } from "./tools/way-back.ts";
import type { Workspace } from "./workspace.ts";

/** A patch that was carried out, as the conversation has it. */
export interface DonePatch {
  readonly call: string;
  readonly status: "applied" | "undone";
  readonly changes: readonly FileChange[];
}

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
  workspace: Workspace,
): Promise<Turned> {
  const near = patches.filter(({ changes }) => changes.some((change) => touches(change, file)));
  const reverse = (patch: DonePatch): DonePatch => ({
    ...patch,
    changes: reverseChanges(patch.changes, workspace.sha256),
  });
  const areBack = async (patch: DonePatch | undefined) =>
    patch !== undefined &&
    (await Promise.all(patch.changes.map((change) => isBack(change, workspace)))).every(Boolean);

  const applied = near.filter(({ status }) => status === "applied");
  const inside = near
    .filter(({ status }) => status === "undone")
    .map(reverse)
    .toReversed();
  const [newest, oldest] = [applied.at(-1), inside.at(-1)];
  const isUndo = by !== "redo" && newest !== undefined && !(await areBack(reverse(newest)));
  const undone = isUndo ? await thoseBack(applied, workspace) : [];
  if (undone.length > 0) return { undone, again: [] };
  const isRedo = by !== "undo" && oldest !== undefined && !(await areBack(reverse(oldest)));
  return { undone, again: isRedo ? await thoseBack(inside, workspace) : [] };
}

/** Whose files all are as they were before; or as before an earlier one that they were made on, which took them along. */
async function thoseBack(patches: readonly DonePatch[], workspace: Workspace): Promise<string[]> {
  const found: string[] = [];
  const lost = new Set<string>();
  for (const { call, changes } of patches) {
    const back = await Promise.all(changes.map((change) => isBack(change, workspace)));
    if (!changes.every((change, at) => back[at] === true || lost.has(stateBefore(change)))) continue;
    found.push(call);
    for (const change of reverseChanges(changes, workspace.sha256)) lost.add(stateBefore(change));
  }
  return found;
}

const stateBefore = (change: FileChange): string =>
  `${change.file.folder}\0${change.file.path}\0${"base" in change ? change.base.sha256 : ""}`;

const touches = (change: FileChange, file: FileName): boolean =>
  isSame(change.file, file) || (change.kind === "move" && isSame(change.to, file));

const isSame = (one: FileName, other: FileName): boolean =>
  one.folder === other.folder && one.path === other.path;
