// Two deltas of the same part are one longer delta: fewer lines in the journal, fewer messages to the page.
import type { ConversationEvent } from "./events.ts";

export function joinDeltas(
  earlier: ConversationEvent,
  later: ConversationEvent,
): ConversationEvent | undefined {
  if (earlier.type !== later.type || !("delta" in earlier) || !("delta" in later)) return undefined;
  if (earlier.turn !== later.turn || earlier.part !== later.part) return undefined;
  return { ...earlier, delta: earlier.delta + later.delta };
}
