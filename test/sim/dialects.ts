// The vocabularies of Responses streams seen in the wild, as functions from the standard events.
import type { Dialect } from "./form.ts";
import { isObject, type JsonObject, stringAt } from "./json.ts";

type Change = (event: JsonObject) => readonly JsonObject[];

export function speak(events: readonly JsonObject[], dialect: Dialect): readonly JsonObject[] {
  return events.flatMap(dialects[dialect]);
}

const same: Change = (event) => [event];

const dialects: Record<Dialect, Change> = {
  standard: same,
  // Raw reasoning without "_text", types with a slug, and events of its own.
  "open-responses": (event) => {
    const type = stringAt(event, "type") ?? "";
    const renamed = {
      ...slugged(event),
      type: type.replace("response.reasoning_text.", "response.reasoning."),
    };
    return type === "response.in_progress" ? [renamed, { type: "vendor:trace", span: "1" }] : [renamed];
  },
  // Parts of reasoning items have events of their own.
  vllm: (event) => {
    const type = stringAt(event, "type") ?? "";
    const isReasoning = isObject(event["part"]) && event["part"]["type"] === "reasoning_text";
    return [isReasoning ? { ...event, type: type.replace("content_part", "reasoning_part") } : event];
  },
  // Reasoning under other names, without indices, a state between the first two, repetitions, and comments as events.
  gateway: (event) => {
    const type = stringAt(event, "type") ?? "";
    if (type === "response.reasoning_text.delta")
      return [{ ...event, type: "response.reasoning_content.delta" }];
    if (type === "response.reasoning_summary_text.delta") {
      const { summary_index: _, ...rest } = event;
      return [{ ...rest, type: "response.reasoning_summary.delta" }];
    }
    if (type !== "response.in_progress" || !isObject(event["response"])) return [event];
    const queued = {
      ...event,
      type: "response.queued",
      response: { ...event["response"], status: "queued" },
    };
    return [queued, event, { type: "keepalive" }, event];
  },
  // Nothing between the first and the last snapshot.
  "snapshot-only": (event) => (isObject(event["response"]) || event["type"] === "error" ? [event] : []),
  // Only finished items and the end.
  "items-only": (event) => {
    const type = stringAt(event, "type") ?? "";
    return isObject(event["response"]) || type === "error" || type === "response.output_item.done"
      ? [event]
      : [];
  },
  // No `*.done` and no output in the last snapshot: what the deltas said is all there is.
  "deltas-only": (event) => {
    const type = stringAt(event, "type") ?? "";
    if (isObject(event["response"])) return [{ ...event, response: { ...event["response"], output: [] } }];
    return type.endsWith(".done") && type !== "response.output_item.done" ? [] : [event];
  },
  // The interface names the kind "`custom` tool call"; a service might call the item just so.
  "custom-short": (event) => [renameItems(event, (type) => (type === "custom_tool_call" ? "custom" : type))],
};

function slugged(event: JsonObject): JsonObject {
  return renameItems(event, (type) => (type === "web_search_call" ? `vendor:${type}` : type));
}

function renameItems(event: JsonObject, rename: (type: string) => string): JsonObject {
  const renamed = (item: unknown) =>
    isObject(item) && typeof item["type"] === "string" ? { ...item, type: rename(item["type"]) } : item;
  const { response } = event;
  return {
    ...event,
    ...(event["item"] === undefined ? {} : { item: renamed(event["item"]) }),
    ...(isObject(response) && Array.isArray(response["output"])
      ? { response: { ...response, output: response["output"].map(renamed) } }
      : {}),
  };
}
