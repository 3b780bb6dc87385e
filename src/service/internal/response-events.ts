// Interprets the records of a Responses stream. The interface shows no event names, so shape counts before name: names
// only distinguish families of text, and added from done. Keeps no state about the reply.
import { asCount, asObject, asString, isObject, type JsonObject } from "../../util/json.ts";
import { present } from "../../util/present.ts";
import { messagePart } from "../response-items.ts";
import type { TextFamily } from "./reply-output.ts";
import { type Authority, authority } from "./text-part.ts";

/** The position of something in the reply. Any of these may be missing or wrong. */
export interface ReplyPosition {
  readonly itemId: string | undefined;
  readonly index: number | undefined;
  /** content_index or summary_index. */
  readonly part: number | undefined;
}

export type ResponseEvent =
  | {
      readonly kind: "delta";
      readonly family: TextFamily | undefined;
      readonly at: ReplyPosition;
      readonly delta: string;
    }
  | {
      /** A whole text, or the part that holds it. */
      readonly kind: "text" | "part";
      readonly family: TextFamily;
      readonly at: ReplyPosition;
      readonly text: string;
      readonly level: Authority;
      /** The name of the tool, if the event that ends its arguments contains it. */
      readonly name?: string;
    }
  | {
      readonly kind: "item";
      readonly done: boolean;
      readonly index: number | undefined;
      readonly item: JsonObject;
    }
  | { readonly kind: "search"; readonly at: ReplyPosition; readonly status: string }
  | {
      readonly kind: "snapshot";
      /** The status implied by the event's name, if any. */
      readonly named: string | undefined;
      /** The key that holds the snapshot; undefined when the record is the snapshot. */
      readonly key: "response" | undefined;
      readonly response: JsonObject;
    }
  | { readonly kind: "error"; readonly error: unknown }
  | { readonly kind: "ignored"; readonly known: boolean };

export function readResponseEvent(record: JsonObject, eventName: string | undefined): ResponseEvent {
  // "message" is the default name of an SSE event.
  const name = asString(record["type"]) ?? (eventName === "message" ? undefined : eventName);
  if (name === "response.output_text.delta") return readDelta(record, "text");
  const named = name === undefined ? undefined : families.get(name);
  if (named !== undefined) return readNamed(record, named);
  if (name !== undefined && names.has(name)) return readKnown(record, name);
  // Extensions of the interface have a slug, "vendor:event"; their meaning is not guessed.
  if (name?.includes(":") === true) return ignored;
  return readShape(record, name);
}

const ignored: ResponseEvent = { kind: "ignored", known: false };
const expected: ResponseEvent = { kind: "ignored", known: true };

interface NamedText {
  readonly family: TextFamily;
  /** The field of a done event; undefined for a delta. */
  readonly field?: string;
}

const families = new Map<string, NamedText>(
  (
    [
      ["response.output_text", "text", "text"],
      ["response.refusal", "refusal", "refusal"],
      ["response.reasoning_summary_text", "summary", "text"],
      ["response.reasoning_summary", "summary", "text"],
      ["response.reasoning_text", "raw", "text"],
      ["response.reasoning", "raw", "text"],
      ["response.reasoning_content", "raw", "text"],
      ["response.function_call_arguments", "input", "arguments"],
      ["response.custom_tool_call_input", "input", "input"],
    ] as const
  ).flatMap(([stem, family, field]) => [
    [`${stem}.delta`, { family }],
    [`${stem}.done`, { family, field }],
  ]),
);

const names = new Map<string, (record: JsonObject, name: string) => ResponseEvent>([
  ...["created", "queued", "in_progress", "completed", "incomplete", "failed", "cancelled"].map(
    (status) => [`response.${status}`, readSnapshot] as const,
  ),
  ...["content_part", "reasoning_part", "reasoning_summary_part"].flatMap(
    (stem) =>
      [
        [`response.${stem}.added`, readPart],
        [`response.${stem}.done`, readPart],
      ] as const,
  ),
  ["response.output_item.added", readItem],
  ["response.output_item.done", readItem],
  ...["in_progress", "searching", "completed", "failed"].map(
    (status) => [`response.web_search_call.${status}`, readSearch] as const,
  ),
  ["response.output_text.annotation.added", () => expected],
  ["keepalive", () => expected],
  ["ping", () => expected],
  ["error", readError],
  ["response.error", readError],
]);

function readKnown(record: JsonObject, name: string): ResponseEvent {
  return names.get(name)?.(record, name) ?? ignored;
}

function readNamed(record: JsonObject, { family, field }: NamedText): ResponseEvent {
  if (field === undefined) return readDelta(record, family);
  const text = asString(record[field]) ?? asString(record["text"]);
  if (text === undefined) return expected;
  return present({
    kind: "text" as const,
    family,
    at: replyPositionOf(record),
    text,
    level: authority.textDone,
    name: asString(record["name"]),
  });
}

function readDelta(record: JsonObject, family: TextFamily | undefined): ResponseEvent {
  const delta = record["delta"];
  return typeof delta === "string" ? { kind: "delta", family, at: replyPositionOf(record), delta } : expected;
}

function readSnapshot(record: JsonObject, name: string): ResponseEvent {
  const named = name.slice("response.".length);
  const response = asObject(record["response"]);
  if (response !== undefined) {
    const usage = response["usage"] ?? record["usage"];
    return { kind: "snapshot", named, key: "response", response: { ...response, usage } };
  }
  const isItself = record["object"] === "response" || Array.isArray(record["output"]);
  return { kind: "snapshot", named, key: undefined, response: isItself ? record : {} };
}

function readError(record: JsonObject): ResponseEvent {
  return { kind: "error", error: record["error"] ?? record };
}

function readPart(record: JsonObject, name: string): ResponseEvent {
  const part = asObject(record["part"]);
  if (part === undefined) return expected;
  const text = textOf(part, name.includes("summary"));
  if (text === undefined) return expected;
  const level = name.endsWith(".done") ? authority.partDone : authority.hint;
  return { kind: "part", ...text, at: replyPositionOf(record), level };
}

function textOf(
  part: JsonObject,
  isSummary: boolean,
): { readonly family: TextFamily; readonly text: string } | undefined {
  if (isSummary || part["type"] === "reasoning_text") {
    const text = asString(part["text"]);
    return text === undefined ? undefined : { family: isSummary ? "summary" : "raw", text };
  }
  const read = messagePart(part);
  return read && { family: read.type, text: read.text };
}

function readItem(record: JsonObject, name: string): ResponseEvent {
  const item = asObject(record["item"]);
  if (item === undefined) return expected;
  return { kind: "item", done: name.endsWith(".done"), index: asCount(record["output_index"]), item };
}

function readSearch(record: JsonObject, name: string): ResponseEvent {
  return {
    kind: "search",
    at: replyPositionOf(record),
    status: name.slice("response.web_search_call.".length),
  };
}

function replyPositionOf(record: JsonObject): ReplyPosition {
  return {
    itemId: asString(record["item_id"]),
    index: asCount(record["output_index"]),
    part: asCount(record["content_index"]) ?? asCount(record["summary_index"]),
  };
}

/** The name is unknown, so the shape of the record decides. */
function readShape(record: JsonObject, name: string | undefined): ResponseEvent {
  const response = asObject(record["response"]);
  if (response !== undefined && looksLikeSnapshot(response)) {
    return { kind: "snapshot", named: undefined, key: "response", response };
  }
  if (record["object"] === "response" || looksLikeSnapshot(record)) {
    return { kind: "snapshot", named: undefined, key: undefined, response: record };
  }
  const item = asObject(record["item"]);
  if (item !== undefined) {
    const done = name === undefined ? item["status"] === "completed" : /(done|completed)$/.test(name);
    return { kind: "item", done, index: asCount(record["output_index"]), item };
  }
  if (isFailure(record, name)) return { kind: "error", error: record["error"] ?? record };
  if (isObject(record["usage"]))
    return { kind: "snapshot", named: undefined, key: undefined, response: { usage: record["usage"] } };
  if (typeof record["delta"] !== "string") return ignored;
  const family = name === undefined ? undefined : familyByWords(name);
  return name === undefined || family !== undefined ? readDelta(record, family) : ignored;
}

const looksLikeSnapshot = (response: JsonObject): boolean =>
  response["object"] === "response" || Array.isArray(response["output"]);

/** Gateways send bare error objects in the middle of a stream. */
function isFailure(record: JsonObject, name: string | undefined): boolean {
  const error = record["error"];
  if (isObject(error) || (typeof error === "string" && error !== "") || record["object"] === "error")
    return true;
  return name === undefined && typeof record["message"] === "string";
}

/**
 * "message.delta", "text.delta", "reasoning_summary.delta": the segment before "delta" must be a known word for text.
 */
function familyByWords(name: string): TextFamily | undefined {
  const segments = name.split(".");
  if (segments.pop() !== "delta") return undefined;
  const last = segments.pop() ?? "";
  if (/^(output_text|text|content|message|answer)$/.test(last)) return "text";
  if (/^refusal$/.test(last)) return "refusal";
  if (/^(reasoning_)?(summary|summary_text)$/.test(last)) return "summary";
  if (/^(reasoning|reasoning_text|reasoning_content|thinking)$/.test(last)) return "raw";
  return /^(function_call_|tool_call_|custom_tool_call_)?(arguments|input)$/.test(last) ? "input" : undefined;
}
