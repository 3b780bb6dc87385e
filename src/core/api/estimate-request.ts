// A Responses request as the estimate operation counts one: its input is "almost identical to chat completions"
// (interface), so instructions become a system message and tool results tool messages. Says what it leaves out.
import { asArray, asObject, asString, isObject, type JsonObject, parseJson } from "../util/json.ts";
import type { ChatMessage, ContentPart, EstimateRequest, ResponsesRequest } from "./request.ts";
import { itemKind, itemType } from "./response-items.ts";

export interface EstimateOf {
  readonly request: EstimateRequest;
  readonly leftOut: readonly LeftOut[];
}

export type LeftOut = "tools" | "reasoning" | "search" | "other";

export function estimateOf(model: string, request: ResponsesRequest): EstimateOf {
  const leftOut = new Set<LeftOut>();
  if ((request.tools ?? []).length > 0) leftOut.add("tools");
  const messages = request.input.flatMap((raw) => messagesOf(asObject(parseJson(raw)) ?? {}, leftOut));
  const system: ChatMessage[] = request.instructions
    ? [{ role: "system", content: request.instructions }]
    : [];
  return { request: { model, messages: [...system, ...messages] }, leftOut: [...leftOut] };
}

function messagesOf(item: JsonObject, leftOut: Set<LeftOut>): ChatMessage[] {
  const type = itemType(item);
  if (type.endsWith("_output")) return message("tool", asString(item["output"]) ?? "");
  switch (itemKind(type)) {
    case "message":
      return message(roleOf(item), contentOf(item["content"]));
    case "call": {
      const input = asString(item["arguments"]) ?? asString(item["input"]) ?? "";
      return message("assistant", `${asString(item["name"]) ?? ""}\n${input}`.trim());
    }
    case "reasoning":
      leftOut.add("reasoning");
      return [];
    case "search":
      leftOut.add("search");
      return [];
    case "other":
      leftOut.add("other");
      return [];
  }
}

function roleOf(item: JsonObject): ChatMessage["role"] {
  const role = item["role"];
  if (role === "assistant" || role === "user") return role;
  return role === "system" || role === "developer" ? "system" : "assistant";
}

function contentOf(content: unknown): string | readonly ContentPart[] {
  if (typeof content === "string") return content;
  const parts = asArray(content).filter(isObject).flatMap(partOf);
  // Without a picture it is one text.
  return parts.some((part) => part.type === "image_url")
    ? parts
    : parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

function partOf(part: JsonObject): ContentPart[] {
  const url = asString(part["image_url"]);
  if (url !== undefined) return [{ type: "image_url", image_url: { url } }];
  const text = asString(part["text"]) ?? asString(part["refusal"]);
  return text === undefined || text === "" ? [] : [{ type: "text", text }];
}

/** Interface, "Chat message": content "Must not be empty". */
const message = (role: ChatMessage["role"], content: ChatMessage["content"]): ChatMessage[] =>
  content.length === 0 ? [] : [{ role, content }];
