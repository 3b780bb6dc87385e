// What an item of a reply comes to: its view, its text, whether its call may be considered. Pure reading of what
// live-items.ts holds; nothing here changes it.
import type { JsonObject } from "../util/json.ts";
import { type LiveItem, partOf } from "./live-items.ts";
import { withMember } from "./raw-json.ts";
import type { ItemView, MessagePart, OutputItem } from "./reply.ts";
import { callInput, messageParts, viewItem } from "./response-items.ts";

/** `undefined` unless it was received whole. */
export function outputItem(item: LiveItem): OutputItem | undefined {
  if (item.whole === undefined) return undefined;
  const { value, raw } = item.whole;
  const view = viewOf(item, item.whole);
  // Roles from the service are limited to its own: a `system` message must not enter the history by this way.
  const foreign = view.kind === "message" && (value["role"] ?? "assistant") !== "assistant";
  if (foreign) return { raw: withMember(raw, "role", '"assistant"'), view };
  // A call that names no id could never be answered: it goes back with the one that we answer it under.
  const isNameless = view.kind === "call" && callIdOf(value) === "";
  return { raw: isNameless ? withMember(raw, "call_id", JSON.stringify(view.callId)) : raw, view };
}

function callIdOf(value: JsonObject): string {
  const view = viewItem(value, "");
  return view.kind === "call" ? view.callId : "";
}

function viewOf(item: LiveItem, { value, raw }: NonNullable<LiveItem["whole"]>): ItemView {
  const view = viewItem(value, raw);
  if (view.kind === "message") return view.parts.length > 0 ? view : { ...view, parts: messagePartsOf(item) };
  if (view.kind !== "call") return view;
  const own = callInput(value, view.call === "custom");
  const { name, callId } = item.call;
  return {
    ...view,
    callId: view.callId || callId || `call_${item.key.replace(/[^\w-]/g, "")}`,
    name: view.name || name,
    input: own ?? partOf(item, "input", 0).text.text,
  };
}

/** The item's own parts if it has any text, else what the deltas said. */
export function messagePartsOf(item: LiveItem): readonly MessagePart[] {
  const own = item.whole === undefined ? [] : messageParts(item.whole.value);
  if (own.length > 0) return own;
  return [...item.parts.values()]
    .sort((a, b) => a.index - b.index)
    .map(({ family, text }) => ({
      type: family === "refusal" ? "refusal" : "text",
      text: text.text,
      citations: [],
    }));
}

/** A call that is finished, with an input that can be read as it is. A missing status says nothing against it. */
export function isReadyCall(item: LiveItem): boolean {
  if (item.kind !== "call" || item.whole === undefined) return false;
  const { status = "completed", arguments: given = "" } = item.whole.value;
  // Interface: `arguments` is a "string holding JSON"; anything else is not guessed at.
  return status === "completed" && typeof given === "string";
}
