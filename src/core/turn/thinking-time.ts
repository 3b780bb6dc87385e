// How long a model thought: from the first word of a thought to whatever came next. Nothing on the wire says it, and the page
// only sees deltas that were joined. Knows events, not what is in them.
import type { ReplyEvent } from "../api/reply.ts";
import type { ConversationEvent } from "../conversation/events.ts";

export class ThinkingTime {
  #thought: { readonly part: string; readonly since: number } | undefined;

  /** `request` numbers the requests of a turn, as in reply-events.ts. */
  take(turn: string, request: number, event: ReplyEvent, now: number): ConversationEvent[] {
    const part = event.type === "reasoning" ? `${request}/${event.part}` : undefined;
    const over = this.#thought;
    // What is said of the connection interrupts nobody.
    if (over?.part === part || event.type === "receipt") return [];
    this.#thought = part === undefined ? undefined : { part, since: now };
    if (over === undefined) return [];
    return [{ type: "reasoning", turn, part: over.part, delta: "", took: Math.max(0, now - over.since) }];
  }
}
