// A turn on the Responses operation, as an async generator of events. It never throws: whatever goes wrong
// becomes the one `ended` that comes last. Leaving it early closes the socket (the client's generator does).
import type { ServiceClient } from "../api/service-client.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import type { Replay } from "../conversation/record.ts";
import { userItem } from "./history.ts";
import { toConversationEvents, toEnded } from "./reply-events.ts";

export interface TurnRequest {
  readonly turn: string;
  readonly model: string;
  readonly prompt: string;
  readonly instructions: string;
  /** Everything said before, as it was sent and received. */
  readonly history: readonly string[];
  /** One value for a whole conversation improves the cache hit rate. */
  readonly cacheId: string;
}

export interface TurnNeeds {
  readonly client: ServiceClient;
  now(): number;
}

export async function* responsesTurn(
  request: TurnRequest,
  { client, now }: TurnNeeds,
  signal: AbortSignal,
): AsyncGenerator<ConversationEvent | Replay, void> {
  const { turn, model, prompt, instructions, history, cacheId } = request;
  yield { type: "started", turn, at: now(), model, route: "responses", prompt };
  const asked = userItem(prompt);
  yield { type: "replay", turn, items: [asked] };
  for await (const event of client.respond({ input: [...history, asked], instructions, cacheId }, signal)) {
    if (event.type !== "ended") {
      yield* toConversationEvents(turn, 0, event, now());
      continue;
    }
    const { reply } = event;
    if (reply.usage !== undefined) yield { type: "usage", turn, usage: reply.usage };
    yield { type: "replay", turn, items: reply.items.map((item) => item.raw) };
    yield toEnded(turn, reply, now());
  }
}
