// One reply of the service, told as events of the turn it belongs to. The same for both operations: the client
// has already made one vocabulary of them.

import type { Reply, ReplyEvent } from "../api/reply.ts";
import type { ConversationEvent, Ending } from "../conversation/events.ts";
import type { Problem } from "../conversation/problem.ts";
import { type Message, message } from "../messages/message.ts";
import { plainText } from "../util/plain-text.ts";
import { present } from "../util/present.ts";

const endings: Record<Reply["status"], Ending> = {
  completed: "done",
  incomplete: "incomplete",
  failed: "failed",
  interrupted: "interrupted",
  stopped: "stopped",
};

/** `request` numbers the requests of a turn, so that parts of different replies never share a name. */
export function toConversationEvents(
  turn: string,
  request: number,
  event: Exclude<ReplyEvent, { type: "ended" }>,
  now: number,
): ConversationEvent[] {
  const part = (name: string) => `${request}/${name}`;
  switch (event.type) {
    case "text":
    case "refusal":
    case "reasoning":
      return [{ type: event.type, turn, part: part(event.part), delta: event.delta }];
    case "replace":
      return [{ type: "replaced", turn, part: part(event.part), text: event.text }];
    case "search": {
      const { status, query, sources, images } = event;
      const found = images.length === 0 ? {} : { images: [...images] };
      return [{ type: "search", turn, id: part(event.item), status, query, sources: [...sources], ...found }];
    }
    case "cited":
      return [{ type: "cited", turn, part: part(event.part), citations: [...event.citations] }];
    case "waiting":
      return [{ type: "waiting", turn, until: now + event.seconds * 1000, reason: event.reason }];
    case "adapted":
      return [{ type: "note", turn, notes: [event.note] }];
    case "receipt":
      return [{ type: "receipt", turn, receipt: event.receipt }];
    default:
      return [];
  }
}

export type Ended = Extract<ConversationEvent, { type: "ended" }>;

export function toEnded(turn: string, reply: Reply, at: number): Ended {
  const { reason } = reply;
  const problem = reply.problem ?? problemOf(reply);
  return { type: "ended", turn, at, ending: endings[reply.status], ...present({ reason, problem }) };
}

/** The interface shows one reason; any other is said as it came (requirements C5). */
function cutOffFor(reason: string | undefined): Message {
  const why = plainText((reason ?? "").replace(/\s+/g, " "), 200);
  return why === "" ? message("problemCutOff") : message("problemCutOffFor", { reason: why });
}

/** What an end that the service calls none still is. */
export function problemOf({ status, reason, items, calls, text, refusal }: Reply): Problem | undefined {
  if (status === "incomplete") {
    const limited = reason === "max_output_tokens" || reason === "length";
    const why = limited ? message("problemLimit") : cutOffFor(reason);
    return {
      kind: "limit",
      message: why,
      actions: limited ? ["continue", "raise-limit"] : ["continue", "retry"],
    };
  }
  // Requirements C12: a reply that completed with nothing in it is not an answer.
  const empty = items.length === 0 && calls.length === 0 && text.trim() === "" && refusal === undefined;
  if (status !== "completed" || !empty) return undefined;
  return { kind: "protocol", message: message("problemNothing"), actions: ["retry"] };
}
