// Which of the changes that are shown a person means: with the file itself and what they require, in an order in which they
// can be carried out. Pure.
import { nameAfter } from "../patch/edits.ts";
import type { FileChange, FileName } from "../patch/model.ts";
import { orderOfWork } from "../patch/ordered-changes.ts";
import type { PendingFile } from "./pending-file.ts";
import type { Proposal, Seen } from "./proposal.ts";

/** A proposal on the files as they stand, and what a review shows of it. */
export interface Shown {
  readonly proposal: Proposal;
  readonly seen: Seen;
  readonly file: PendingFile;
}

/** What is to be written of one file. */
export interface Part extends Shown {
  readonly ids: ReadonlySet<string>;
  readonly change: FileChange;
}

/** All of these with what they require, in an order that works; none where one of them is not there any more. */
export function choose(hunks: readonly string[], shown: readonly Shown[]): readonly Part[] | undefined {
  const wanted = new Set(hunks);
  const chosen = new Map<Shown, Set<string>>();
  for (const each of shown) {
    const own = each.file.hunks.filter(({ id }) => wanted.delete(id)).map(({ id }) => id);
    if (own.length === 0) continue;
    if (each.file.problem !== undefined) return undefined;
    chosen.set(each, new Set([...own, ...wholeOf(each.file)]));
  }
  if (wanted.size > 0) return undefined;
  // What is chosen for another one's sake may need a third: it is come to in its turn.
  for (const { file } of chosen.keys())
    for (const id of file.requires) {
      const needed = shown.find((each) => each.file.id === id);
      if (needed?.file.problem !== undefined) return undefined;
      if (needed !== undefined && !chosen.has(needed)) chosen.set(needed, new Set(wholeOf(needed.file)));
    }
  return inOrderOfWork([...chosen].map(([each, ids]) => ({ ...each, ids, change: taken(each.file, ids) })));
}

/** With only these of its hunks. */
function taken(file: PendingFile, ids: ReadonlySet<string>): FileChange {
  const { change } = file;
  if (!("edits" in change)) return change;
  return { ...change, edits: change.edits.filter((_, number) => hasHunk(file, ids, number)) };
}

function inOrderOfWork(parts: readonly Part[]): readonly Part[] {
  const partOf = new Map(parts.map((part) => [part.change, part]));
  return orderOfWork(parts.map(({ change }) => change)).flatMap((change) => partOf.get(change) ?? []);
}

export const hasHunk = ({ hunks }: PendingFile, ids: ReadonlySet<string>, number: number): boolean =>
  hunks.some((hunk) => hunk.number === number && ids.has(hunk.id));

/** New, deleted, moved: the file itself goes along with anything in it. */
export const wholeOf = ({ hunks }: PendingFile): readonly string[] =>
  hunks.filter(({ number }) => number === undefined).map(({ id }) => id);

/** The file itself is meant, or all that can be decided in it. */
export const isAllOf = (file: PendingFile, ids: ReadonlySet<string>): boolean =>
  wholeOf(file).some((id) => ids.has(id)) ||
  file.hunks.every(({ id, number }) => number === undefined || ids.has(id));

/** The files of each call that has written one last. */
export function filesOfCalls(parts: readonly Part[]): ReadonlyMap<string, readonly FileName[]> {
  const written = new Map<string, FileName[]>();
  for (const { proposal, change } of parts) {
    const call = proposal.shares.at(-1)?.call;
    if (call === undefined || change.kind === "delete") continue;
    written.set(call, [...(written.get(call) ?? []), nameAfter(change)]);
  }
  return written;
}
