// The page's copy of the conversation, updated by the reducer that the host runs. It may contain only the end of a long
// conversation; earlier turns arrive later and are inserted above.
import type { ToPage } from "../bridge/protocol.ts";
import { emptyConversation, reduce } from "../conversation/reduce.ts";
import type { Conversation } from "../conversation/state.ts";

export interface Projection {
  readonly conversation: Conversation;
  /** Number of turns above the first one that is loaded. */
  readonly above: number;
  /** Sequence number of the next event. */
  readonly next: number;
}

type Message<Type extends ToPage["type"]> = Extract<ToPage, { type: Type }>;

export const nothing: Projection = { conversation: emptyConversation(""), above: 0, next: 0 };

export const fromSnapshot = ({ conversation, above, seq }: Message<"snapshot">): Projection => ({
  conversation,
  above,
  next: seq,
});

/** Returns undefined when events were lost: then a new snapshot must be requested. */
export function withEvents(now: Projection, { seq, events }: Message<"events">): Projection | undefined {
  if (seq !== now.next) return undefined;
  // The conversation was cut above the loaded turns: only the host knows how many remain.
  if (now.above > 0 && events.some((event) => event.type === "cut" && !isHere(now, events, event.turn)))
    return undefined;
  return { ...now, conversation: events.reduce(reduce, now.conversation), next: seq + events.length };
}

const isHere = ({ conversation }: Projection, events: Message<"events">["events"], turn: string): boolean =>
  conversation.turns.some(({ id }) => id === turn) ||
  events.some((event) => event.type === "started" && event.turn === turn);

/** A reply that no longer matches the conversation changes nothing. */
export function withEarlier(
  now: Projection,
  { conversation: id, first, turns }: Message<"earlier">,
): Projection {
  const { conversation, above } = now;
  if (id !== conversation.id || first + turns.length !== above) return now;
  return {
    ...now,
    conversation: { ...conversation, turns: [...turns, ...conversation.turns] },
    above: first,
  };
}
