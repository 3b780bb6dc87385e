// What the rows of patches say: each is the patch as it arrived, with what has become of its changes since, as the change
// set has it. Pure.

import type { DecisionNote } from "../changes/kept-changes.ts";
import type { Fate } from "../changes/proposal.ts";
import type { PatchFile, PatchHunk, PatchPart, PatchStatus } from "../conversation/tool-use.ts";
import type { Message } from "../messages/message.ts";
import { message } from "../messages/message.ts";

export interface CallState {
  readonly fates: ReadonlyMap<string, Fate>;
  readonly note: DecisionNote | undefined;
  /** The window went away in the middle of writing. */
  readonly halfWritten: { readonly written: number; readonly all: number } | undefined;
}

/** The same where nothing has become of it. */
export function rowOf(part: PatchPart, { fates, note, halfWritten }: CallState): PatchPart {
  if (fates.size === 0) return part.status === "proposed" ? { ...part, status: "lost" } : part;
  const { message: _, ...rest } = part;
  const isHalf = [...fates.values()].includes("pending") && [...fates.values()].includes("applied");
  const said = saidOf(part, note, halfWritten, isHalf);
  const files = part.files.map((file): PatchFile => ({ ...file, hunks: file.hunks.map(hunkOf) }));
  return { ...rest, status: statusOf([...fates.values()]), files, ...(said && { message: said }) };

  function hunkOf(hunk: PatchHunk): PatchHunk {
    const fate = fates.get(hunk.id);
    return fate === undefined ? hunk : { ...hunk, status: fate };
  }
}

/** What deserves to be known first. */
const order = ["pending", "applied", "undone", "conflict", "rejected", "replaced"] as const;
const statuses: Readonly<Record<Fate, PatchStatus>> = {
  pending: "proposed",
  applied: "applied",
  undone: "undone",
  conflict: "conflict",
  rejected: "rejected",
  replaced: "replaced",
};

function statusOf(fates: readonly Fate[]): PatchStatus {
  return statuses[order.find((fate) => fates.includes(fate)) ?? "pending"];
}

function saidOf(
  { files, message: known }: PatchPart,
  note: DecisionNote | undefined,
  halfWritten: CallState["halfWritten"],
  isHalf: boolean,
): Message | undefined {
  if (halfWritten !== undefined)
    return message("changeHalfWritten", { count: halfWritten.written, all: halfWritten.all });
  if (note?.unsaved !== undefined && note.unsaved.length > 0)
    return message("patchUnsaved", { names: note.unsaved.join(", ") });
  if (note?.edited === undefined) {
    const isOver = known?.code === "patchUnsaved" || (known?.code === "changeHalfWritten" && !isHalf);
    return isOver ? undefined : known;
  }
  return message("patchEdited", { names: files.map(({ path }) => path).join(", ") });
}
