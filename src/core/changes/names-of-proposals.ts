// The names that proposals take and free: one may wait for another one that moves or deletes what has its name. What is seen
// of a proposal depends on that. Pure.

import type { FileName } from "../patch/model.ts";
import { permit } from "../patch/paths.ts";
import type { Stands } from "./plan-undo.ts";
import { isSameFile, type Proposal, type Seen, seenOf } from "./proposal.ts";

/** Those in which something may wait for a decision. */
export interface OpenProposals {
  readonly open: readonly Proposal[];
  /** Those of them that were built on what stands at this name. */
  openOn(file: FileName): readonly Proposal[];
}

/** Names whose standing decides what is seen of a proposal: where it was, and where it would be. */
export function namesOf({ base, proposed }: Proposal): readonly FileName[] {
  if (base === undefined) return proposed === undefined ? [] : [proposed.file];
  const stays = proposed === undefined || isSameFile(base.file, proposed.file);
  return stays ? [base.file] : [base.file, proposed.file];
}

/** Which of them would give a file another name. */
export function movesIn(
  proposals: readonly Proposal[],
): { readonly file: FileName; readonly to: FileName }[] {
  return proposals.flatMap(({ base, proposed }) => {
    const isMove = base !== undefined && proposed !== undefined && !isSameFile(base.file, proposed.file);
    return isMove ? [{ file: base.file, to: proposed.file }] : [];
  });
}

/** With the files whose change has to come first, because it frees the name. */
export function see(
  proposal: Proposal,
  among: OpenProposals,
  stands: Stands,
): { readonly seen: Seen; readonly requires: readonly string[] } {
  const { base, proposed } = proposal;
  const nobody = { kind: "nothing" } as const;
  const live = base === undefined ? nobody : stands(base.file).live;
  if (proposed === undefined) return { seen: seenOf(proposal, live, nobody), requires: [] };
  const frees = freeing(proposal, among, stands);
  return frees === undefined
    ? { seen: seenOf(proposal, live, stands(proposed.file).live), requires: [] }
    : { seen: seenOf(proposal, live, nobody), requires: [frees.id] };
}

/**
 * Whose change has to come first, because it frees the name of this one. `asking`: for which of them that is being looked
 * for. In a ring each is let in: the patch that closes it is refused as a whole.
 */
export function freeing(
  proposal: Proposal,
  among: OpenProposals,
  stands: Stands,
  asking: Set<string> = new Set(),
): Proposal | undefined {
  const { id, base, proposed } = proposal;
  if (proposed === undefined || (base !== undefined && isSameFile(base.file, proposed.file)))
    return undefined;
  if (stands(proposed.file).live.kind === "nothing") return undefined;
  asking.add(id);
  return among.openOn(proposed.file).find((each) => each.id !== id && isLetIn(each, among, stands, asking));
}

/** It takes its file away from where it is, and nothing is in its way. */
function isLetIn(proposal: Proposal, among: OpenProposals, stands: Stands, asking: Set<string>): boolean {
  const { id, base, proposed } = proposal;
  if (base === undefined || (proposed !== undefined && isSameFile(proposed.file, base.file))) return false;
  const isDenied = (file: FileName) => permit(file, stands(file).standing).verdict === "deny";
  if (namesOf(proposal).some(isDenied)) return false;
  const { live } = stands(base.file);
  if (live.kind !== "text") return false;
  // A deletion that the file does not let in frees nothing.
  if (proposed === undefined) return live.text === base.text;
  const isFree = stands(proposed.file).live.kind === "nothing";
  return isFree || asking.has(id) || freeing(proposal, among, stands, asking) !== undefined;
}
