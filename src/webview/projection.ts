// The page's copy of the conversation, kept true by the same reducer the host runs. It may hold only the end of a
// long conversation; the turns above arrive later and are put where they belong.
import type { ToPage } from "../bridge/protocol.ts";
import { emptyConversation, reduce } from "../core/conversation/reduce.ts";
import type { Conversation } from "../core/conversation/state.ts";

export interface Projection {
  readonly conversation: Conversation;
  /** How many turns stand above the first one here. */
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

/** Undefined when something was lost on the way: then the whole truth must be asked for again. */
export function withEvents(now: Projection, { seq, events }: Message<"events">): Projection | undefined {
  if (seq !== now.next) return undefined;
  // A cut further up than what is here: how much remains is only known to the host.
  if (now.above > 0 && events.some((event) => event.type === "cut" && !isHere(now, events, event.turn)))
    return undefined;
  return { ...now, conversation: events.reduce(reduce, now.conversation), next: seq + events.length };
}

const isHere = ({ conversation }: Projection, events: Message<"events">["events"], turn: string): boolean =>
  conversation.turns.some(({ id }) => id === turn) ||
  events.some((event) => event.type === "started" && event.turn === turn);

/** An answer to a question that has become pointless changes nothing. */
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
