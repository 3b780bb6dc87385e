// How much waits for a decision, with one meaning for every count: undecided changes; and what of it deserves a look. Pure.
import type { Message } from "../messages/message.ts";
import type { FileName } from "../patch/model.ts";
import { countMessages, flagMessages } from "../risk/flag-messages.ts";
import type { ChangeSet } from "./change-set.ts";
import type { PendingFile } from "./pending-file.ts";

/** A file of which something deserves a look. */
export interface FlaggedFile {
  readonly path: string;
  /** Those that made it. */
  readonly calls: string[];
  /** Why, the heaviest first. */
  readonly flags: Message[];
}

export interface Waiting {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** Undecided changes that can be accepted. */
  readonly hunks: number;
  readonly conflicts: number;
  /** Calls that have such a place. */
  readonly inConflict: string[];
  /** What deserves a look, counted; the heaviest first. */
  readonly risks: Message[];
  readonly flagged: FlaggedFile[];
  /** Which state of it this is. */
  readonly shown: number;
}

/** More are counted, and named where they are reviewed. */
const maxFlagged = 100;

/** Nothing where nothing waits. `nameOf`: how a file is called. */
export function waitingIn(
  { pending, revision }: Pick<ChangeSet, "pending" | "revision">,
  nameOf: (file: FileName) => string,
): Waiting | undefined {
  if (pending.length === 0) return undefined;
  const hunks = pending.flatMap((file) => file.hunks);
  const free = pending.filter(({ problem }) => problem === undefined).flatMap((file) => file.hunks);
  const sum = (of: "added" | "removed") => hunks.reduce((total, hunk) => total + hunk[of], 0);
  const stuck = pending.filter((file) => conflictCount(file) > 0);
  const inConflict = [...new Set(stuck.flatMap(({ calls }) => calls))];
  return {
    files: pending.length,
    added: sum("added"),
    removed: sum("removed"),
    hunks: free.length,
    conflicts: stuck.reduce((total, file) => total + conflictCount(file), 0),
    inConflict,
    risks: [...countMessages(hunks.map(({ flags }) => flags))],
    flagged: pending.filter(isFlagged).slice(0, maxFlagged).map(flagged),
    shown: revision,
  };

  function flagged({ change, calls, hunks: own }: PendingFile): FlaggedFile {
    const flags = flagMessages(own.flatMap((hunk) => hunk.flags));
    return { path: nameOf(change.file), calls: [...calls], flags: [...flags] };
  }
}

/** Places where the file has changed as well; one where nothing of it can be accepted. */
export const conflictCount = ({ problem, conflicts }: Pick<PendingFile, "problem" | "conflicts">): number =>
  problem === undefined ? conflicts.length : Math.max(conflicts.length, 1);

const isFlagged = ({ hunks }: PendingFile): boolean => hunks.some(({ flags }) => flags.length > 0);
