// The order of findings: first what is proven, then what the model itself is not sure about, last what is resolved. Within
// each group they stand as the model has named them.
import type { ReportedFinding } from "./read-findings.ts";

type Unsure = Pick<ReportedFinding, "isUnproven">;
interface Resolvable extends Unsure {
  /** An accepted change has replaced its lines. */
  readonly isResolved: boolean;
}

export const isUnproven = (finding: Unsure): boolean => finding.isUnproven === true;

/** Those that still ask for a decision. */
export const openOnes = <F extends Resolvable>(findings: readonly F[]): readonly F[] =>
  findings.filter(({ isResolved }) => !isResolved);

export const provenFirst = <F extends Unsure>(findings: readonly F[]): readonly F[] => [
  ...findings.filter((finding) => !isUnproven(finding)),
  ...findings.filter(isUnproven),
];

/** As the tree shows them, one group below the other. */
export function inGroups<F extends Resolvable>(findings: readonly F[]) {
  const open = openOnes(findings);
  return {
    proven: open.filter((finding) => !isUnproven(finding)),
    unproven: open.filter(isUnproven),
    resolved: findings.filter(({ isResolved }) => isResolved),
  };
}
