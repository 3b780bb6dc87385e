// How much waits for a decision, with one meaning for every count: undecided changes. Pure.
import type { ChangeSet } from "./change-set.ts";

export interface Waiting {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** Undecided changes. */
  readonly hunks: number;
  /** Places where the files have changed as well, and files that nothing can be accepted of. */
  readonly conflicts: number;
  /** Calls that have such a place. */
  readonly inConflict: string[];
  /** Which state of it this is. */
  readonly shown: number;
}

/** Nothing where nothing waits. */
export function waitingIn({
  pending,
  revision,
}: Pick<ChangeSet, "pending" | "revision">): Waiting | undefined {
  if (pending.length === 0) return undefined;
  const hunks = pending.flatMap((file) => file.hunks);
  const sum = (of: "added" | "removed") => hunks.reduce((total, hunk) => total + hunk[of], 0);
  const stuck = pending.filter(({ problem, conflicts }) => problem !== undefined || conflicts.length > 0);
  const conflicts = stuck.reduce((total, file) => total + Math.max(file.conflicts.length, 1), 0);
  const inConflict = [...new Set(stuck.flatMap(({ calls }) => calls))];
  return {
    files: pending.length,
    added: sum("added"),
    removed: sum("removed"),
    hunks: hunks.length,
    conflicts,
    inConflict,
    shown: revision,
  };
}
