// What the rows of patches say: each is the patch as it arrived, with what has become of its changes since, as the change
// set has it. What is told of that is what is new. Pure.

import type { DecisionNote } from "../changes/kept-changes.ts";
import type { Fate } from "../changes/proposal.ts";
import type { PatchHunk, PatchPart, PatchState, PatchStatus } from "../conversation/tool-use.ts";
import type { Message } from "../messages/message.ts";
import { message } from "../messages/message.ts";

export interface CallState {
  readonly fates: ReadonlyMap<string, Fate>;
  readonly note: DecisionNote | undefined;
  /** The window went away in the middle of writing. */
  readonly halfWritten: { readonly written: number; readonly all: number } | undefined;
}

/** Nothing where its row says so already. */
export function rowNews(part: PatchPart, { fates, note, halfWritten }: CallState): PatchState | undefined {
  const { id, call } = part;
  const isLost = fates.size === 0;
  if (isLost && part.status !== "proposed") return undefined;
  const status = isLost ? "lost" : statusOf([...fates.values()]);
  const shown = isLost ? part.message : messageOf(part, note, halfWritten);
  const hunks = part.files.flatMap((file) => file.hunks.flatMap(newFate));
  const isKnown =
    status === part.status && hunks.length === 0 && JSON.stringify(shown) === JSON.stringify(part.message);
  return isKnown
    ? undefined
    : { type: "patch-state", id, call, status, hunks, ...(shown && { message: shown }) };

  function newFate(hunk: PatchHunk): PatchState["hunks"] {
    const fate = fates.get(hunk.id);
    return fate === undefined || fate === hunk.status ? [] : [{ id: hunk.id, status: fate }];
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

function messageOf(
  { files, message: known }: PatchPart,
  note: DecisionNote | undefined,
  halfWritten: CallState["halfWritten"],
): Message | undefined {
  if (halfWritten !== undefined)
    return message("changeHalfWritten", { count: halfWritten.written, all: halfWritten.all });
  if (note?.unsaved !== undefined && note.unsaved.length > 0)
    return message("patchUnsaved", { names: note.unsaved.join(", ") });
  if (note?.edited !== undefined)
    return message("patchEdited", { names: files.map(({ path }) => path).join(", ") });
  const isOver = known?.code === "patchUnsaved" || known?.code === "changeHalfWritten";
  return isOver ? undefined : known;
}
