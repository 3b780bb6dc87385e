// One reply of the service, told as events of the turn it belongs to. The same for both operations: the client
// has already made one vocabulary of them.
import type { Reply, ReplyEvent } from "../api/reply.ts";
import type { ConversationEvent, Ending } from "../conversation/events.ts";

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
      const { status, query, sources } = event;
      return [{ type: "search", turn, part: part(event.item), status, query, sources: [...sources] }];
    }
    case "waiting":
      return [{ type: "waiting", turn, until: now + event.seconds * 1000, reason: event.reason }];
    case "adapted":
      return [{ type: "note", turn, message: event.message }];
    default:
      return [];
  }
}

export function toEnded(turn: string, reply: Reply, at: number): ConversationEvent {
  const { reason, problem } = reply;
  return { type: "ended", turn, at, ending: endings[reply.status], reason, problem };
}
