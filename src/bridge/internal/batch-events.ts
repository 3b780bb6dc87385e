// Batches the events that a page is sent: streamed text waits for its frame, so that the page draws once per frame.
import type { ConversationEvent } from "../../conversation/events.ts";
import { joinDeltas } from "../../conversation/reduce.ts";
import type { Disposable } from "../../util/disposables.ts";
import { Coalesce } from "../../util/emitter.ts";

/** One frame: deltas that arrive within it are sent to the page together. */
const frame = 16;

interface EventBatches extends Disposable {
  /** Only streamed text may wait for its frame; all other events are sent at once, behind the text that waits. */
  push(event: ConversationEvent): void;
  /** Delivers what waits. */
  flush(): void;
}

export function batchEvents(deliver: (events: readonly ConversationEvent[]) => void): EventBatches {
  const waiting = new Coalesce<ConversationEvent>({ milliseconds: frame, join: joinDeltas, deliver });
  return {
    push(event) {
      waiting.push(event);
      if (!("delta" in event)) waiting.flush();
    },
    flush: () => waiting.flush(),
    dispose: () => waiting.dispose(),
  };
}
