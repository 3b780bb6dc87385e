// Which files were changed as one, by hash before and after: so that what the editor's own Undo and Redo have turned round is
// known from the files alone. Pure.
import type { FileChange, FileName } from "../patch/model.ts";
import type { Step } from "./kept-changes.ts";
import type { Stands } from "./plan-undo.ts";
import { isSameFile, stateAfter } from "./proposal.ts";
import { hashOf } from "./text-store.ts";

/** That the editor's own Undo may still reach. */
const maxSteps = 100;

export const withStep = (steps: readonly Step[], step: Step): readonly Step[] =>
  [...steps, step].slice(-maxSteps);

export const filesOf = (changes: readonly FileChange[]): Step["files"] => changes.flatMap(hashesOf);

export const stepsNear = (steps: readonly Step[], file: FileName): readonly Step[] =>
  steps.filter(({ files }) => files.some((each) => isSameFile(each.file, file)));

/** Those that one of them has turned round, with what it has touched in this file. */
export function turnedRound(
  steps: readonly Step[],
  file: FileName,
  by: "undo" | "redo" | undefined,
  stands: Stands,
): readonly Step[] {
  const near = stepsNear(steps, file);
  const done = near.filter(({ isDone }) => isDone).toReversed();
  // Undo begins with the newest: while that is in the files, none was undone, whatever else the texts look like.
  const back = by === "redo" ? [] : turnedTo("before", done, stands);
  const undone = near.filter(({ isDone }) => !isDone);
  const again = by === "undo" || back.length > 0 ? [] : turnedTo("after", undone, stands);
  return [...back, ...again];
}

/** The first of these, up to the one whose side the files hold: several may have gone at once. */
function turnedTo(side: "before" | "after", steps: readonly Step[], stands: Stands): readonly Step[] {
  const [first] = steps;
  const other = side === "before" ? "after" : "before";
  if (first === undefined || holds(first.files, other, stands)) return [];
  const files = new Map<string, Step["files"][number]>();
  for (const [at, step] of steps.entries()) {
    for (const each of step.files) files.set(JSON.stringify(each.file), each);
    if (holds([...files.values()], side, stands)) return steps.slice(0, at + 1);
  }
  return [];
}

function holds(files: Step["files"], side: "before" | "after", stands: Stands): boolean {
  return files.every(({ file, ...hashes }) => {
    const { live } = stands(file);
    if (live.kind === "other") return false;
    return (live.kind === "text" ? hashOf(live.text) : undefined) === hashes[side];
  });
}

function hashesOf(change: FileChange): Step["files"] {
  const after = stateAfter(change);
  const from = { file: change.file, ...("base" in change && { before: hashOf(change.base.text) }) };
  if (change.kind === "move" && after) return [from, { file: after.file, after: hashOf(after.text) }];
  return [{ ...from, ...(after && { after: hashOf(after.text) }) }];
}
