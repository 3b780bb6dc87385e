// A reply outside every conversation: what it cost and what was signed about it is written down under a turn of its own.
import type { ReplyEvent } from "../api/reply.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import { factsOf } from "../tokens/usage-rows.ts";
import { present } from "../util/present.ts";

export interface NoteDeps {
  /** Told figures and receipts. */
  take(event: ConversationEvent): void;
  now(): number;
  newId(): string;
}

/** What stands in the ledger where a conversation would. */
export const outside = { check: "connection-check", languageModel: "language-model" } as const;

/** The same events. */
export async function* noteReply(
  events: AsyncGenerator<ReplyEvent, void>,
  { take, now, newId }: NoteDeps,
): AsyncGenerator<ReplyEvent, void> {
  const turn = newId();
  for await (const event of events) {
    if (event.type === "receipt") take({ type: "receipt", turn, receipt: event.receipt });
    if (event.type === "ended") {
      const { reply } = event;
      for (const fact of factsOf(turn, reply, now(), present({ askedTtl: reply.askedTtl }))) take(fact);
      take({ type: "ended", turn, at: now(), ending: "done" });
    }
    yield event;
  }
}
