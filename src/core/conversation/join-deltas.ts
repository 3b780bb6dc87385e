// Two deltas of the same part are one longer delta: fewer lines in the journal, fewer messages to the page.
import type { ConversationEvent } from "./events.ts";

export function joinDeltas(
  earlier: ConversationEvent,
  later: ConversationEvent,
): ConversationEvent | undefined {
  if (earlier.type !== later.type || !("delta" in earlier) || !("delta" in later)) return undefined;
  if (earlier.turn !== later.turn || earlier.part !== later.part) return undefined;
  // How long a thought took is told with its last piece.
  return { ...earlier, ...later, delta: earlier.delta + later.delta } as ConversationEvent;
}
