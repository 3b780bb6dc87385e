// A turn on the chat completions operation. Same promises as responses-turn.ts; no tools, no cache figures:
// the interface shows neither for this operation.
import type { ConversationEvent } from "../conversation/events.ts";
import type { Replay } from "../conversation/record.ts";
import { assistantItem, toMessages, userItem } from "./history.ts";
import { toConversationEvents, toEnded } from "./reply-events.ts";
import type { TurnNeeds, TurnRequest } from "./responses-turn.ts";

export async function* chatTurn(
  request: TurnRequest,
  { client, now }: TurnNeeds,
  signal: AbortSignal,
): AsyncGenerator<ConversationEvent | Replay, void> {
  const { turn, model, prompt, instructions, history } = request;
  yield { type: "started", turn, at: now(), model, route: "chat", prompt };
  const asked = userItem(prompt);
  yield { type: "replay", turn, items: [asked] };
  const messages = toMessages(instructions, [...history, asked]);
  for await (const event of client.chat({ model, messages }, signal)) {
    if (event.type !== "ended") {
      yield* toConversationEvents(turn, 0, event, now());
      continue;
    }
    const { reply } = event;
    if (reply.usage !== undefined) yield { type: "usage", turn, usage: reply.usage };
    if (reply.text.trim() !== "") yield { type: "replay", turn, items: [assistantItem(reply.text)] };
    yield toEnded(turn, reply, now());
  }
}
