// A conversation's history in the form that is sent: Responses items as raw JSON, append-only, byte for byte.
// "Output items are passed back unchanged" (interface, "Input items"): a parsed copy would lose unknown fields
// and move bytes, and with them the cached prefix. Chat messages are derived from the same items, so a
// conversation can change its model at any time. Pure.
import type { OutputItem, Reply } from "../api/reply.ts";
import type { ChatMessage, ContentPart } from "../api/request.ts";
import { itemType, messageParts, viewItem } from "../api/response-items.ts";
import { identityOf } from "../api/tool-calls.ts";
import { type CleanContent, verbatim } from "../conversation/content.ts";
import { asArray, asString, isObject, type JsonObject, parseJson } from "../util/json.ts";

/** A plain string unless there is a picture: that is the form the interface shows (requirements B4). */
export function userItem(content: readonly CleanContent[]): string {
  if (content.every((part) => part.kind === "text"))
    return JSON.stringify({
      type: "message",
      role: "user",
      content: content.map(({ text }) => text).join("\n\n"),
    });
  const parts = content.map((part) =>
    part.kind === "text"
      ? { type: "input_text", text: part.text }
      : { type: "input_image", image_url: part.url, detail: "auto" },
  );
  return JSON.stringify({ type: "message", role: "user", content: parts });
}

/** What tools have answered besides text. */
export const imagesItem = (urls: readonly string[]): string =>
  userItem([
    { kind: "text", text: verbatim("[Images that the tools answered with:]") },
    ...urls.map((url) => ({ kind: "image" as const, url })),
  ]);

/** What a chat model answered, for a model that reads items. */
export const assistantItem = (text: string): string =>
  JSON.stringify({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });

/**
 * Text that was shown, but whose item never came to its end. No item is made up for it (requirements G5); the
 * model is told, in our voice, what the person has seen.
 */
export const cutOffItem = (text: string): string =>
  userItem([
    {
      kind: "text",
      text: verbatim(
        `[Patchbay: your last reply was cut off before its end. The user has seen this much of it:]\n${text}`,
      ),
    },
  ]);

/** What the person's checks have found in what the model has proposed. */
export const findingsItem = (report: string): string =>
  userItem([
    {
      kind: "text",
      text: verbatim(
        `[Patchbay: ${report}\nThe findings marked as new weren't there without your changes. Mend them, or say why they stay.]`,
      ),
    },
  ]);

/** The items of a reply that can be sent back so that the service accepts the whole; `known` are the calls before it. */
export function itemsToKeep(reply: Reply, known: ReadonlySet<string>): readonly OutputItem[] {
  const seen = new Set<string>();
  const whole = reply.status === "completed";
  const kept = reply.items.filter(({ view }) => {
    if (view.kind !== "call") return true;
    // Faults, row 57: a call that comes twice is one call.
    if (view.callId === "" || seen.has(view.callId) || known.has(identityOf({ ...view, item: view.id })))
      return false;
    seen.add(view.callId);
    return whole || view.call === "custom" || parseJson(view.input) !== undefined;
  });
  if (whole) return kept;
  // What the model thought is only taken back together with what it led to.
  const last = kept.findLastIndex(({ view }) => view.kind !== "reasoning" && view.kind !== "search");
  return kept.slice(0, last + 1);
}

/** The part of a reply's text that no kept item holds. */
export function textWithoutItem(reply: Reply, kept: readonly OutputItem[]): string {
  const held = kept.map(({ view }) => textOfView(view)).join("");
  return reply.text.startsWith(held) ? reply.text.slice(held.length) : reply.text;
}

const textOfView = (view: OutputItem["view"]): string =>
  view.kind !== "message" ? "" : view.parts.map(({ type, text }) => (type === "text" ? text : "")).join("");

/** The full history on each call (interface, chat completions); content that is empty is left out. */
export function toMessages(instructions: string, items: readonly string[]): ChatMessage[] {
  const messages: ChatMessage[] = instructions === "" ? [] : [{ role: "system", content: instructions }];
  for (const raw of items) {
    const item = parseJson(raw);
    const message = isObject(item) ? toMessage(item, raw) : undefined;
    if (message === undefined || isEmpty(message.content)) continue;
    const last = messages.at(-1);
    if (last?.role === message.role) messages[messages.length - 1] = joined(last, message);
    else messages.push(message);
  }
  return messages;
}

/** Reasoning stays behind: it means something only to the model that wrote it. */
function toMessage(item: JsonObject, raw: string): ChatMessage | undefined {
  const type = itemType(item);
  if (type === "message") {
    const role = item["role"] === "assistant" ? "assistant" : "user";
    return { role, content: role === "assistant" ? textOf(item) : contentOf(item) };
  }
  const view = viewItem(item, raw);
  // This route is not shown to take tools, so what they did is told in words (requirements J2, J9).
  if (view.kind === "call") return { role: "assistant", content: `[I called ${view.name}:]\n${view.input}` };
  if (type.endsWith("_output"))
    return { role: "user", content: `[The tool answered:]\n${asString(item["output"]) ?? ""}` };
  return undefined;
}

const textOf = (item: JsonObject): string =>
  messageParts(item)
    .map(({ text }) => text)
    .join("");

function contentOf(item: JsonObject): ChatMessage["content"] {
  const parts = asArray(item["content"]).filter(isObject);
  if (!parts.some(({ image_url: url }) => typeof url === "string")) return textOf(item);
  return parts.flatMap((part): ContentPart[] => {
    const { text, image_url: url } = part;
    if (typeof url === "string") return [{ type: "image_url", image_url: { url } }];
    return typeof text === "string" && text.trim() !== "" ? [{ type: "text", text }] : [];
  });
}

const isEmpty = (content: ChatMessage["content"]): boolean =>
  typeof content === "string" ? content.trim() === "" : content.length === 0;

function joined(first: ChatMessage, second: ChatMessage): ChatMessage {
  const { role } = first;
  if (typeof first.content === "string" && typeof second.content === "string")
    return { role, content: `${first.content}\n\n${second.content}` };
  return { role, content: [...partsOf(first.content), ...partsOf(second.content)] };
}

const partsOf = (content: ChatMessage["content"]): readonly ContentPart[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;
