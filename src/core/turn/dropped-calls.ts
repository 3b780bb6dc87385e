// Calls of a reply that neither run nor go back: said on a row of their own each, never silently. The model hears nothing of
// them, since for the service they have not been made.
import type { OutputItem, Reply } from "../api/reply.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import { type Message, message } from "../messages/message.ts";
import { few, longestSummary } from "./call-display.ts";

type Call = Extract<OutputItem["view"], { kind: "call" }>;

export function* droppedCalls(
  turn: string,
  request: number,
  { items, status }: Reply,
  kept: readonly OutputItem[],
): Generator<ConversationEvent, void> {
  const keptCalls = kept.flatMap(({ view }) => (view.kind === "call" ? [view] : []));
  for (const [index, item] of items.entries()) {
    const { view } = item;
    if (view.kind !== "call" || kept.includes(item)) continue;
    const why = reasonOf(view, keptCalls, status);
    const isOwnRow = view.id !== "" && keptCalls.every(({ id }) => id !== view.id);
    const id = `${request}/${isOwnRow ? view.id : `dropped-${index}`}`;
    const name = few(view.name, longestSummary);
    yield view.name === "apply_patch"
      ? { type: "patch", turn, id, call: "", status: "failed", files: [], message: why }
      : { type: "tool", turn, id, call: view.callId, name, status: "failed", summary: "", message: why };
  }
}

function reasonOf({ callId }: Call, kept: readonly Call[], status: Reply["status"]): Message {
  if (kept.some((each) => each.callId === callId)) return message("toolTwice");
  return status === "completed" ? message("toolReplayed") : message("toolCut");
}
