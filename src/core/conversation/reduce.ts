// The only place where a conversation changes. Pure and total: an event that does not fit (unknown turn, a turn
// that has ended) changes nothing, so a late byte can never alter what a person has been told is finished.
import type { ConversationEvent } from "./events.ts";
import { isExcludable } from "./sent-again.ts";
import type { Conversation, Part, Turn } from "./state.ts";
import type { PatchState } from "./tool-use.ts";

type Event<Type extends ConversationEvent["type"]> = Extract<ConversationEvent, { type: Type }>;

export const emptyConversation = (id: string): Conversation => ({ id, turns: [] });

export const runningTurn = (conversation: Conversation): Turn | undefined => {
  const last = conversation.turns.at(-1);
  return last?.status === "running" ? last : undefined;
};

export function reduce(conversation: Conversation, event: ConversationEvent): Conversation {
  if (event.type === "started") return start(conversation, event);
  if (event.type === "cut") return cut(conversation, event.turn);
  if (isLate(event)) return takeLate(conversation, event);
  // Only the last turn can be running, so it is the only one an event can reach.
  const last = conversation.turns.at(-1);
  if (last === undefined || last.id !== event.turn || last.status !== "running") return conversation;
  const next = step(last.waiting === undefined ? last : awake(last), event);
  return { ...conversation, turns: [...conversation.turns.slice(0, -1), next] };
}

function awake({ waiting: _, ...turn }: Turn): Turn {
  return turn;
}

function start(conversation: Conversation, event: Event<"started">): Conversation {
  const known = conversation.turns.some((turn) => turn.id === event.turn);
  if (known || conversation.turns.at(-1)?.status === "running") return conversation;
  const { turn: id, at, model, route, prompt, attachments = [], continues = false } = event;
  const asked = { id, at, model, route, prompt, attachments, continues };
  const kind = { ...(event.compacts && { compacts: true }), ...(event.json && { json: true }) };
  const turn: Turn = { ...asked, ...kind, parts: [], status: "running", usage: [], receipts: [] };
  return { ...conversation, turns: [...conversation.turns, turn] };
}

function cut(conversation: Conversation, turn: string): Conversation {
  const index = conversation.turns.findIndex(({ id }) => id === turn);
  if (index < 0 || conversation.turns.at(-1)?.status === "running") return conversation;
  return { ...conversation, turns: conversation.turns.slice(0, index) };
}

/** A patch that a person makes of an answer. */
export const isPersons = (event: { readonly type: string; readonly by?: unknown }): boolean =>
  event.type === "patch" && event.by === "person";

export type LateEvent = Event<"patch" | "patch-state" | "excluded">;

/** What a person decides reaches any turn, whenever they do. */
export const isLate = (event: ConversationEvent): event is LateEvent =>
  event.type === "excluded" || event.type === "patch-state" || isPersons(event);

function takeLate(conversation: Conversation, event: LateEvent): Conversation {
  if (event.type === "excluded") return exclude(conversation, event.turn);
  const at = conversation.turns.findIndex(({ id }) => id === event.turn);
  const turn = conversation.turns[at];
  if (turn === undefined) return conversation;
  const parts = event.type === "patch" ? put(turn.parts, partOf(event)) : restated(turn.parts, event);
  return parts === turn.parts
    ? conversation
    : { ...conversation, turns: conversation.turns.with(at, { ...turn, parts }) };
}

function exclude(conversation: Conversation, id: string): Conversation {
  const at = conversation.turns.findIndex((turn) => turn.id === id);
  const turn = conversation.turns[at];
  if (turn === undefined || !isExcludable(turn)) return conversation;
  return { ...conversation, turns: conversation.turns.with(at, { ...turn, excluded: true }) };
}

function restated(parts: Part[], { id, status, message, hunks }: PatchState): Part[] {
  const at = parts.findIndex((part) => part.id === id);
  const part = parts[at];
  if (part?.type !== "patch") return parts;
  const now = new Map(hunks.map((hunk) => [hunk.id, hunk.status]));
  const files = part.files.map((file) =>
    file.hunks.some((hunk) => now.has(hunk.id))
      ? { ...file, hunks: file.hunks.map((hunk) => ({ ...hunk, status: now.get(hunk.id) ?? hunk.status })) }
      : file,
  );
  const { message: _, ...rest } = part;
  return parts.with(at, { ...rest, status, files, ...(message && { message }) });
}

function step(
  turn: Turn,
  event: Exclude<ConversationEvent, { type: "started" | "cut" | "excluded" | "patch-state" }>,
): Turn {
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
    case "cited": {
      const { part: id, citations } = event;
      const cite = (part: Part) => (part.id === id && part.type === "text" ? { ...part, citations } : part);
      return { ...turn, parts: turn.parts.map(cite) };
    }
    case "search":
    case "other":
    case "tool": {
      const { turn: _, ...part } = event;
      return { ...turn, parts: put(turn.parts, part) };
    }
    case "patch":
      return { ...turn, parts: put(turn.parts, partOf(event, turn.parts)) };
    case "usage": {
      const { type: _, turn: __, usage, ...facts } = event;
      return { ...turn, usage: [...turn.usage, { ...usage, ...facts }] };
    }
    case "receipt":
      return { ...turn, receipts: [...turn.receipts, event.receipt] };
    case "waiting":
      return { ...turn, waiting: { until: event.until, reason: event.reason } };
    case "note":
      return {
        ...turn,
        parts: [...turn.parts, { type: "note", id: `note-${turn.parts.length}`, notes: event.notes }],
      };
    case "ended":
      return end(turn, event);
    default:
      event satisfies never;
      return turn;
  }
}

function end(turn: Turn, { at, ending, reason, problem }: Event<"ended">): Turn {
  return {
    ...turn,
    parts: turn.parts.map(closed),
    status: ending,
    endedAt: at,
    ...(reason !== undefined && { reason }),
    ...(problem !== undefined && { problem }),
  };
}

/** Nothing waits or runs in a turn that has ended, whatever its last word was. */
function closed(part: Part): Part {
  const isOpen =
    (part.type === "tool" && (part.status === "asked" || part.status === "running")) ||
    (part.type === "patch" && part.status === "arriving");
  return isOpen ? { ...part, status: "stopped" } : part;
}

type Growing = Extract<Part, { type: "text" | "refusal" | "reasoning" }>;

const isGrowing = (part: Part): part is Growing =>
  part.type === "text" || part.type === "refusal" || part.type === "reasoning";

function append(parts: readonly Part[], event: Event<Growing["type"]>): Part[] {
  const index = parts.findLastIndex((part) => part.id === event.part);
  const old = parts[index] ?? { type: event.type, id: event.part, text: "" };
  if (!isGrowing(old)) return [...parts];
  const took = event.type === "reasoning" && event.took !== undefined ? { took: event.took } : {};
  const next = { ...old, ...took, text: old.text + event.delta };
  return index < 0 ? [...parts, next] : parts.with(index, next);
}

const replaced = (part: Part, text: string): Part => (isGrowing(part) ? { ...part, text } : part);

/** What arrives goes on from what has arrived. */
function partOf({ turn: _, from, ...part }: Event<"patch">, parts: readonly Part[] = []): Part {
  const old = from === undefined ? undefined : parts.find(({ id }) => id === part.id);
  return old?.type === "patch" ? { ...part, files: [...old.files.slice(0, from), ...part.files] } : part;
}

function put(parts: readonly Part[], part: Part): Part[] {
  const index = parts.findIndex((old) => old.id === part.id);
  return index < 0 ? [...parts, part] : parts.with(index, part);
}
