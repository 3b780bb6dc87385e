// The evidence of pending changes as a page shows it. A conversation may wait with hundreds of changes: the page gets as
// many lines as anybody reads there, and the review has all of them.
import type { EvidenceState } from "../../bridge/view-state.ts";
import type { Turn } from "../../conversation/state.ts";
import {
  contradictions,
  evidenceLine,
  evidenceOfSet,
  otherClaims,
  type SetEvidence,
} from "../../evidence/change-evidence.ts";

const maxClaims = 10;
const maxChanges = 20;

export function evidenceState(
  known: SetEvidence | undefined,
  turns: readonly Turn[],
): EvidenceState | undefined {
  const call = lastProposed(turns);
  if (known === undefined || call === undefined) return undefined;
  const contradicted = contradictions(known).slice(0, maxClaims);
  const others = otherClaims(known).slice(0, maxClaims);
  // Without a claim, the card has its flags and checks, and the review the rest.
  if (contradicted.length + others.length === 0) return undefined;
  const details = [...others, ...known.changes.slice(0, maxChanges).map(evidenceLine)];
  return { call, contradicted: [...contradicted], line: [...evidenceOfSet(known)], details };
}

function lastProposed(turns: readonly Turn[]): string | undefined {
  for (const { parts } of turns.toReversed()) {
    const patch = parts.findLast((part) => part.type === "patch" && part.status === "proposed");
    if (patch?.type === "patch") return patch.call;
  }
  return undefined;
}
