// One request outside every conversation: what it cost and what was signed about it is written down like all other.
import type { Composable } from "../api/compose.ts";
import type { Reply } from "../api/reply.ts";
import type { ServiceClient } from "../api/service-client.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import { factsOf } from "../turn/reply-events.ts";

export interface SendOnceNeeds {
  readonly client: Pick<ServiceClient, "respond" | "chat">;
  /** Told figures and receipts under a turn of their own. */
  take(event: ConversationEvent): void;
  now(): number;
  newId(): string;
}

export async function sendOnce(
  asked: Composable,
  { client, take, now, newId }: SendOnceNeeds,
  signal: AbortSignal,
): Promise<Reply> {
  const turn = newId();
  const events =
    asked.route === "responses" ? client.respond(asked.request, signal) : client.chat(asked.request, signal);
  for await (const event of events) {
    if (event.type === "receipt") take({ type: "receipt", turn, receipt: event.receipt });
    if (event.type !== "ended") continue;
    for (const fact of factsOf(turn, event.reply, now())) take(fact);
    return event.reply;
  }
  throw new Error("The client ended without telling how.");
}
