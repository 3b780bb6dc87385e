// The only place where a conversation changes. Pure and total: an event that does not fit (unknown turn, a turn
// that has ended) changes nothing, so a late byte can never alter what a person has been told is finished.
import type { ConversationEvent } from "./events.ts";
import type { Conversation, Part, Turn } from "./state.ts";

export const emptyConversation = (id: string): Conversation => ({ id, turns: [] });

export const runningTurn = (conversation: Conversation): Turn | undefined => {
  const last = conversation.turns.at(-1);
  return last?.status === "running" ? last : undefined;
};

export function reduce(conversation: Conversation, event: ConversationEvent): Conversation {
  if (event.type === "started") return start(conversation, event);
  // Only the last turn can be running, so it is the only one an event can reach.
  const last = conversation.turns.at(-1);
  if (last === undefined || last.id !== event.turn || last.status !== "running") return conversation;
  const { waiting: _, ...awake } = last;
  const next = step(awake, event);
  return { ...conversation, turns: [...conversation.turns.slice(0, -1), next] };
}

function start(conversation: Conversation, event: ConversationEvent & { type: "started" }): Conversation {
  const known = conversation.turns.some((turn) => turn.id === event.turn);
  if (known || conversation.turns.at(-1)?.status === "running") return conversation;
  const { turn: id, at, model, route, prompt } = event;
  const turn: Turn = { id, at, model, route, prompt, parts: [], status: "running", usage: [] };
  return { ...conversation, turns: [...conversation.turns, turn] };
}

function step(turn: Turn, event: Exclude<ConversationEvent, { type: "started" }>): Turn {
  switch (event.type) {
    case "text":
    case "refusal":
    case "reasoning":
      return { ...turn, parts: append(turn.parts, event) };
    case "replaced":
      return {
        ...turn,
        parts: turn.parts.map((part) => (part.id === event.part ? replaced(part, event.text) : part)),
      };
    case "search": {
      const { type, part: id, status, query, sources } = event;
      return {
        ...turn,
        parts: put(turn.parts, { type, id, status, sources, ...(query !== undefined && { query }) }),
      };
    }
    case "usage":
      return { ...turn, usage: [...turn.usage, event.usage] };
    case "waiting":
      return { ...turn, waiting: { until: event.until, reason: event.reason } };
    case "note":
      return {
        ...turn,
        parts: [...turn.parts, { type: "note", id: `note-${turn.parts.length}`, text: event.message }],
      };
    case "ended": {
      const { at, ending, reason, problem } = event;
      return {
        ...turn,
        status: ending,
        endedAt: at,
        ...(reason !== undefined && { reason }),
        ...(problem !== undefined && { problem }),
      };
    }
    default:
      event satisfies never;
      return turn;
  }
}

type Growing = Extract<Part, { type: "text" | "refusal" | "reasoning" }>;

function append(
  parts: readonly Part[],
  event: { type: Growing["type"]; part: string; delta: string },
): Part[] {
  const index = parts.findLastIndex((part) => part.id === event.part);
  const old = parts[index];
  if (old === undefined) return [...parts, { type: event.type, id: event.part, text: event.delta }];
  if (old.type === "search" || old.type === "note") return [...parts];
  return parts.with(index, { ...old, text: old.text + event.delta });
}

function replaced(part: Part, text: string): Part {
  return part.type === "search" || part.type === "note" ? part : { ...part, text };
}

function put(parts: readonly Part[], part: Part): Part[] {
  const index = parts.findIndex((old) => old.id === part.id);
  return index < 0 ? [...parts, part] : parts.with(index, part);
}
