// Which conversations could go so that history stays within its bounds: those that nobody has touched for longer than
// the user keeps them, then the oldest until the rest fits. It only says which; a person is asked before any of them
// is deleted, and what is open stays whatever its age.
import type { ConversationSummary } from "./summary.ts";

export interface Bounds {
  /** 0: forever. */
  readonly keepDays: number;
  readonly maxBytes: number;
}

/** Faults, paragraph 5. */
export const historyLimit = 200 * 1024 * 1024;

export interface Prunable {
  readonly summary: ConversationSummary;
  readonly bytes: number;
  readonly why: "old" | "large";
}

const day = 24 * 60 * 60 * 1000;

/** Oldest first. `sizes` by id, with everything that would go along. */
export function whatToPrune(
  conversations: readonly ConversationSummary[],
  sizes: ReadonlyMap<string, number>,
  { keepDays, maxBytes }: Bounds,
  { now, open }: { readonly now: number; readonly open: ReadonlySet<string> },
): readonly Prunable[] {
  const before = keepDays > 0 ? now - keepDays * day : Number.NEGATIVE_INFINITY;
  const oldestFirst = conversations
    .map((summary) => ({ summary, bytes: sizes.get(summary.id) ?? 0 }))
    .toSorted((a, b) => a.summary.updatedAt - b.summary.updatedAt);
  let left = oldestFirst.reduce((sum, { bytes }) => sum + bytes, 0);
  return oldestFirst.flatMap(({ summary, bytes }): Prunable[] => {
    const old = summary.updatedAt < before;
    if (open.has(summary.id) || (!old && left <= maxBytes)) return [];
    left -= bytes;
    return [{ summary, bytes, why: old ? "old" : "large" }];
  });
}
