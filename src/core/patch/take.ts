// A part of a change: only the edits of the hunks that a person took. Edits that several hunks made together are
// taken with all of them or not at all.
import type { LineEdit, MoveChange, UpdateChange } from "./model.ts";

export function takeHunks<C extends UpdateChange | MoveChange>(
  change: C,
  taken: (hunk: number) => boolean,
): C {
  const edits: readonly LineEdit[] = change.edits.filter((edit) => edit.hunks.every(taken));
  return { ...change, edits };
}
