// Token counts: a deterministic function of the messages, the same for an estimate and for usage.
// It is not the tokenizer of any model; it only behaves like one.
import { createHash } from "node:crypto";
import { isList, isObject, type JsonObject, listAt, stringAt } from "./json.ts";

const imageTokens = 1024;

export function tokensOf(text: string): readonly string[] {
  return text.match(/\s?\p{L}{1,6}|\s?\p{N}{1,3}|\s?[^\s\p{L}\p{N}]|\s+/gu) ?? [];
}

export function countTokens(text: string): number {
  return tokensOf(text).length;
}

/** Every message costs its role and its end besides its text. */
export function messageTokens(role: string, content: unknown): readonly string[] {
  return [`<${role}>`, ...contentTokens(content), "<end>"];
}

function contentTokens(content: unknown): readonly string[] {
  if (typeof content === "string") return tokensOf(content);
  if (!isList(content))
    return content === undefined || content === null ? [] : tokensOf(JSON.stringify(content));
  return content.flatMap((part) => {
    const text = stringAt(part, "text") ?? stringAt(part, "refusal");
    return text === undefined ? pictureTokens(part) : tokensOf(text);
  });
}

function pictureTokens(part: unknown): readonly string[] {
  const digest = createHash("sha256").update(JSON.stringify(part)).digest("hex").slice(0, 8);
  return Array.from({ length: imageTokens }, (_, index) => `<image ${digest} ${index}>`);
}

export function chatTokens(messages: readonly unknown[]): readonly string[] {
  return messages.flatMap((message) => {
    const calls = listAt(message, "tool_calls");
    return [
      ...messageTokens(stringAt(message, "role") ?? "user", isObject(message) ? message["content"] : ""),
      ...(calls.length > 0 ? tokensOf(JSON.stringify(calls)) : []),
    ];
  });
}

export function chatRequestTokens(body: JsonObject): readonly string[] {
  return [...toolTokens(body), ...chatTokens(listAt(body, "messages"))];
}

function toolTokens(body: JsonObject): readonly string[] {
  const tools = listAt(body, "tools");
  return tools.length > 0 ? tokensOf(JSON.stringify(tools)) : [];
}

/** Tools come first, then instructions, then the items: the order in which a prefix is cached. */
export function responsesTokens(body: JsonObject): readonly string[] {
  const input = body["input"];
  const instructions = stringAt(body, "instructions");
  return [
    ...toolTokens(body),
    ...(instructions === undefined ? [] : messageTokens("system", instructions)),
    ...(typeof input === "string" ? messageTokens("user", input) : listAt(body, "input").flatMap(itemTokens)),
  ];
}

function itemTokens(item: unknown): readonly string[] {
  const type = stringAt(item, "type") ?? "message";
  if (type === "message" && isObject(item))
    return messageTokens(stringAt(item, "role") ?? "user", item["content"]);
  const said = ["name", "arguments", "input", "output"].map((key) => stringAt(item, key) ?? "");
  const summary = listAt(item, "summary").map((part) => stringAt(part, "text") ?? "");
  return messageTokens(type, [...said, ...summary].filter((text) => text !== "").join("\n"));
}
