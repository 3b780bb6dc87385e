// A turn on the chat completions operation. Same promises as responses-turn.ts; no tools, no cache figures:
// the interface shows neither for this operation.
import { present } from "../util/present.ts";
import { assistantItem } from "./history.ts";
import { keepPromises, type TurnOutput } from "./keep-promises.ts";
import { factsOf, toConversationEvents, toEnded } from "./reply-events.ts";
import { beginning } from "./responses-turn.ts";
import { chatRequest } from "./service-request.ts";
import type { TurnNeeds, TurnRequest } from "./turn-request.ts";
import { unreadOf } from "./unseen-items.ts";
import { withWaysOut } from "./ways-out.ts";

export const chatTurn = (
  request: TurnRequest,
  needs: TurnNeeds,
  signal: AbortSignal,
): AsyncGenerator<TurnOutput, void> =>
  keepPromises(request.turn, reply(request, needs, signal), needs, signal);

async function* reply(
  request: TurnRequest,
  { client, now, exchanged, counted }: TurnNeeds,
  signal: AbortSignal,
): AsyncGenerator<TurnOutput, void> {
  const { turn, items, model } = request;
  const body = chatRequest(request);
  yield* beginning(request, "chat", now());
  yield { type: "replay", turn, items };
  const began = now();
  for await (const event of client.chat(body, signal)) {
    if (event.type !== "ended") {
      yield* toConversationEvents(turn, 0, event, now());
      continue;
    }
    const { reply, sent } = event;
    exchanged({ route: "chat", request: body, began, ended: now(), sent, reply });
    yield* unreadOf(turn, 0, reply);
    const estimate = counted({ route: "chat", model, request: body }, reply.usage);
    yield* factsOf(turn, reply, now(), present({ estimate }));
    // Interface: "an `assistant` message carrying the previous result is appended". Without text there is none.
    if (reply.text.trim() !== "") yield { type: "replay", turn, items: [assistantItem(reply.text)] };
    yield withWaysOut(toEnded(turn, reply, now()), request, []);
  }
}
