// What accepting does to a change set: which changes are meant, in as many rounds as the files move. The intention is
// saved before anything is written, and what was written is noted after it.

import { message } from "../../conversation/messages.ts";
import type { ApplyOutcome } from "../../files/workspace.ts";
import { nameAfter } from "../../patch/edits.ts";
import { createYieldPoint } from "../../util/concurrency.ts";
import type { Intention } from "../change-store.ts";
import type { AcceptOutcome, Proposal } from "../proposal.ts";
import {
  acceptFiles,
  type ChosenChange,
  chooseHunks,
  filesOfCalls,
  maxRounds,
  noteRefused,
  refusedInRows,
  type ShownProposal,
} from "./accept-files.ts";
import type { ChangeSetCore } from "./change-set-core.ts";
import { editedByPerson } from "./proposal-views.ts";

/** Accepts all of these hunks or none. `seen`: the revision of the set as a person saw it. */
export async function acceptHunks(
  set: ChangeSetCore,
  hunks: readonly string[],
  seen: number,
): Promise<AcceptOutcome> {
  const { refusals } = set.state;
  let parts: readonly ChosenChange[] | undefined;
  for (let round = 0; round < maxRounds; round++) {
    parts = chooseHunks(hunks, await set.lookAgain());
    if (parts === undefined || parts.length === 0) return { outcome: noteMissed(set, hunks, seen) };
    for (const { file } of parts) refusals.forget(file.id);
    const done = await write(set, parts);
    if (done.outcome === "applied") return { outcome: "done" };
    if (done.outcome === "declined") return done;
    if (done.outcome === "stale") continue;
    const { why } = done;
    if (done.halfDone === true) {
      return refusedInRows(parts, set.state.open, why, refusals);
    }
    if (noteRefused(parts, done.files ?? [], refusals).length === parts.length)
      for (const { file } of parts) refusals.note(file.id, why);
    return { outcome: "refused", why, isInRows: true };
  }
  for (const { file } of parts ?? []) refusals.note(file.id, message("changeMoving"));
  return { outcome: "refused", why: message("changeMoving"), isInRows: true };
}

/** Accepts of these files what fits. A file that was revised since it was `shown` stays pending with the reason. */
export async function acceptAsShown(
  set: ChangeSetCore,
  shown: ReadonlyMap<string, number>,
  only?: readonly string[],
): Promise<AcceptOutcome> {
  const wanted = new Set(shown.keys());
  const isRevised = ({ id, revision }: Proposal) => shown.has(id) && shown.get(id) !== revision;
  const revised = set.state.open.filter(isRevised);
  for (const { id } of revised) {
    wanted.delete(id);
    set.state.refusals.note(id, message("changeRevised"));
  }
  const accepted = await acceptFitting(set, wanted, only && new Set(only));
  return accepted.outcome === "unfit" && revised.length > 0 ? { outcome: "revised" } : accepted;
}

/** Finishes the write that a closed window left unfinished, as far as it fits. */
export async function finishWrite(set: ChangeSetCore): Promise<AcceptOutcome> {
  const only = new Set(set.state.halfWritten?.hunks);
  if (only.size === 0) return { outcome: "revised" };
  const isOwn = ({ file }: ShownProposal) => file.hunks.some(({ id }) => only.has(id));
  return acceptFitting(set, new Set(set.shown.filter(isOwn).map(({ file }) => file.id)), only);
}

function acceptFitting(
  set: ChangeSetCore,
  wanted: ReadonlySet<string>,
  only?: ReadonlySet<string>,
): Promise<AcceptOutcome> {
  const writing = {
    look: () => set.lookAgain(),
    write: (parts: readonly ChosenChange[]) => write(set, parts),
    nameOf: ({ file }: ShownProposal) => set.deps.nameOf(file.change.file),
  };
  return acceptFiles(wanted, set.state.refusals, writing, only);
}

/** The hunks to decide are no longer there as shown: either they were revised, or the files have changed. */
export function noteMissed(set: ChangeSetCore, hunks: readonly string[], seen: number): "revised" | "unfit" {
  const isRevised = set.revision !== seen;
  const why = message(isRevised ? "changeRevised" : "changeConflict");
  for (const { file } of set.shown) {
    const isMeant = hunks.some((id) => id === file.id || id.startsWith(`${file.id}:`));
    if (isMeant && file.problem === undefined) set.state.refusals.note(file.id, why);
  }
  return isRevised ? "revised" : "unfit";
}

async function write(set: ChangeSetCore, parts: readonly ChosenChange[]): Promise<ApplyOutcome> {
  const { deps, state } = set;
  const files: Intention["files"][number][] = [];
  const nextStep = createYieldPoint();
  for (const part of parts) {
    await nextStep();
    files.push(state.intending(part));
  }
  state.intention = { files };
  try {
    await set.save();
  } catch (error) {
    // Otherwise each later state would name its texts, for which there is no room.
    state.intention = undefined;
    throw error;
  }
  const acceptance = deps.acceptance?.(new Set(parts.flatMap(({ ids }) => [...ids])));
  // Worked out file by file before anything is written, so that it is marked at once afterwards; and after the intention
  // is saved, as saving drops texts that the saved state does not refer to.
  const accepting: ReturnType<typeof state.accepting>[] = [];
  for (const part of parts) {
    await nextStep();
    accepting.push(state.accepting(part, acceptance));
  }
  const names = parts.map(({ change }) => deps.nameOf(nameAfter(change))).join(", ");
  const written = filesOfCalls(parts);
  const applied = deps.applying?.(parts.map(({ change }) => change));
  const done = await set.apply(
    parts.map(({ change }) => change),
    `Patchbay: ${names}`,
  );
  const { intention } = state;
  if (done.outcome === "refused" && done.halfDone === true && intention !== undefined) {
    await set.settle(intention);
    return done;
  }
  state.intention = undefined;
  if (done.outcome !== "applied") {
    await set.save();
    return done;
  }
  const calls = state.accepted(accepting);
  for (const part of parts) {
    const edited = await editedByPerson(part, deps);
    if (edited !== undefined) state.note(edited.call, { edited: edited.difference });
  }
  set.noteUnsaved(calls, done);
  await set.tell(calls);
  applied?.(written);
  return done;
}
