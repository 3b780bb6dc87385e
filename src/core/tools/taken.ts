// Which part of a plan a person took: hunk by hunk, by the names under which the card shows them. Hunks that changed
// the same lines together are taken together or not at all, so what a person chose and what is applied may differ;
// everything here tells what is applied. Pure.
import type { Decision } from "../conversation/decision.ts";
import type { FileChange, FileName, Plan } from "../patch/model.ts";
import { takeHunks } from "../patch/take.ts";
import { hasHunks, hunkName } from "./patch-view.ts";

export interface Taken {
  /** What is carried out, in the plan's order. */
  readonly changes: readonly FileChange[];
  /** The whole plan. */
  readonly isAll: boolean;
  /** Of a change as a whole, or of one of its hunks. */
  has(change: FileChange, hunk?: number): boolean;
  /** Of a hunk by its name. */
  hasNamed(name: string): boolean;
}

export function takePart(
  { changes }: Plan,
  decision: Exclude<Decision, { kind: "reject" }>,
  nameOf: (file: FileName) => string,
): Taken {
  const chosen = decision.kind === "accept" ? undefined : new Set(decision.hunks);
  const isChosen = (change: FileChange, hunk?: number) =>
    chosen?.has(hunkName(nameOf(change.file), hunk)) ?? true;
  const has = (change: FileChange, hunk?: number): boolean => {
    if (!hasHunks(change)) return isChosen(change);
    if (hunk === undefined) return change.hunks.some((_, number) => has(change, number));
    const together = change.edits.filter(({ hunks }) => hunks.includes(hunk)).flatMap(({ hunks }) => hunks);
    return isChosen(change, hunk) && together.every((other) => isChosen(change, other));
  };
  const names = changes.flatMap((change) => {
    const path = nameOf(change.file);
    if (!hasHunks(change)) return has(change) ? [hunkName(path)] : [];
    return change.hunks.flatMap((_, hunk) => (has(change, hunk) ? [hunkName(path, hunk)] : []));
  });
  const named = new Set(names);
  const count = changes.reduce((sum, change) => sum + (hasHunks(change) ? change.hunks.length : 1), 0);
  return {
    changes: changes.flatMap((change) => {
      if (!has(change)) return [];
      return [hasHunks(change) ? takeHunks(change, (hunk) => has(change, hunk)) : change];
    }),
    isAll: named.size === count,
    has,
    hasNamed: (name) => named.has(name),
  };
}
