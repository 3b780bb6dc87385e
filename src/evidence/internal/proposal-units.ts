// The changes of a proposal that can be accepted, as the units of a search: which of them require another one, and where
// they are.
import { acceptableHunks, type PendingFile } from "../../changes/pending-changes.ts";
import { nameAfter } from "../../patch/edits.ts";
import type { FileName } from "../../patch/model.ts";
import type { BreakingPlace } from "../what-breaks.ts";
import type { RequiringUnit } from "./requiring-groups.ts";

/** New files come first, since others are likely to need them; files that go come last. */
const order = ["add", "move", "update", "delete"] as const;

export function unitsOf(pending: readonly PendingFile[]): readonly RequiringUnit[] {
  const byId = new Map(pending.map((file) => [file.id, file]));
  const isStuck = (file: PendingFile): boolean =>
    file.problem !== undefined || file.requires.some((id) => byId.get(id)?.problem !== undefined);
  const place = ({ change: { kind } }: PendingFile) => order.indexOf(kind);
  return pending
    .filter((file) => !isStuck(file))
    .toSorted((one, other) => place(one) - place(other))
    .flatMap((file) => {
      const required = file.requires.flatMap((id) => wholeFileOf(byId.get(id)));
      const own = wholeFileOf(file);
      return acceptableHunks(file).map(({ id, number }) => ({
        id,
        requires: [...required, ...(number === undefined ? [] : own)],
      }));
    });
}

/** A file that is added, deleted or moved is one change, which those of its lines require. */
const wholeFileOf = (file: PendingFile | undefined): readonly string[] =>
  (file?.hunks ?? []).filter(({ number }) => number === undefined).map(({ id }) => id);

export function placeOf(
  pending: readonly PendingFile[],
  hunk: string,
  nameOf: (file: FileName) => string,
): BreakingPlace {
  const file = pending.find(({ hunks }) => hunks.some(({ id }) => id === hunk));
  if (file === undefined) return { path: "" };
  const line = file.hunks.find(({ id }) => id === hunk)?.line;
  const path = nameOf(file.change.kind === "delete" ? file.change.file : nameAfter(file.change));
  return line === undefined || file.change.kind === "add" ? { path } : { path, line };
}
