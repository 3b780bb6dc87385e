// Estimate token count: how many tokens a chat-style input has. A failure is an answer without a number; it is
// asked again at most once in the same form, and never stands in the way of sending. A Responses request is counted as a chat:
// the interface calls its input "almost identical".
import * as z from "zod/mini";
import type { Problem } from "../conversation/problem.ts";
import { asArray, asObject, asString, isObject, type JsonObject, parseJson } from "../util/json.ts";
import { present } from "../util/present.ts";
import { estimateBody } from "./body.ts";
import type { Call } from "./call.ts";
import type { Capabilities } from "./capabilities.ts";
import { localProblem, toProblem } from "./fault-to-problem.ts";
import { callJson } from "./json-call.ts";
import type { Receipt } from "./reply.ts";
import type { ChatMessage, ContentPart, EstimateRequest, ResponsesRequest } from "./request.ts";
import { itemKind, itemType } from "./response-items.ts";
import { readServiceError, type ServiceError } from "./service-error.ts";

export type EstimateOutcome =
  | { readonly tokens: number; readonly receipt?: Receipt }
  | { readonly problem: Problem; readonly receipt?: Receipt };

const Result = z.object({ data: z.object({ total_tokens: z.int().check(z.minimum(0)) }) });

type Read = { readonly tokens: number } | { readonly error: ServiceError };

/** Origins that refuse a tool's result as the interface shows it, as long as the client lives. */
const textOnly = new WeakMap<Capabilities, Set<string>>();

/** The interface shows no field that ties a tool's result to its call; where one is wanted, the same text is counted. */
export async function estimate(
  call: Call,
  request: EstimateRequest,
  signal: AbortSignal,
): Promise<EstimateOutcome> {
  const { capabilities, address } = call;
  const asText = toolsAsText(request);
  if (asText === undefined) return count(call, request, signal);
  const known = textOnly.get(capabilities);
  if (known?.has(address.origin)) return count(call, asText, signal);
  const outcome = await count(call, request, signal);
  if (!("problem" in outcome) || outcome.problem.kind !== "bad-request") return outcome;
  const again = await count(call, asText, signal);
  if ("problem" in again) return outcome;
  textOnly.set(capabilities, new Set([...(known ?? []), address.origin]));
  return again;
}

/** `undefined` where no tool has said anything. */
function toolsAsText(request: EstimateRequest): EstimateRequest | undefined {
  const { messages } = request;
  if (!messages.some(({ role }) => role === "tool")) return undefined;
  const asText = messages.map((each) => (each.role === "tool" ? { ...each, role: "user" as const } : each));
  return { ...request, messages: asText };
}

async function count(call: Call, request: EstimateRequest, signal: AbortSignal): Promise<EstimateOutcome> {
  const body = estimateBody(request);
  if (!body.ok) return { problem: localProblem("refused-locally", body.message) };
  const outcome = await callJson(
    call,
    {
      method: "POST",
      path: "/tokenizers/estimate-token-count",
      body: Buffer.from(body.json),
      requests: 2,
      model: request.model,
      read,
    },
    signal,
  );
  const { receipt } = outcome;
  const context = { mask: call.mask, visible: false, host: new URL(call.address.url).host };
  if (!outcome.ok) {
    return present({ problem: toProblem(outcome.fault, { ...context, retryAt: outcome.retryAt }), receipt });
  }
  const { value } = outcome;
  if ("tokens" in value) return present({ tokens: value.tokens, receipt });
  return present({ problem: toProblem({ at: "service", by: "body", error: value.error }, context), receipt });
}

/** Interface: "When the body has no `error` field, `data.total_tokens` is the result", whatever the status. */
function read(status: number, text: string): Read | undefined {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  if ("error" in value) return status < 300 ? { error: readServiceError(value) } : undefined;
  const result = Result.safeParse(value);
  return result.success ? { tokens: result.data.data.total_tokens } : undefined;
}

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
  if (type.endsWith("_output")) return chatMessage("tool", asString(item["output"]) ?? "");
  switch (itemKind(type)) {
    case "message":
      return chatMessage(roleOf(item), contentOf(item["content"]));
    case "call": {
      const input = asString(item["arguments"]) ?? asString(item["input"]) ?? "";
      return chatMessage("assistant", `${asString(item["name"]) ?? ""}\n${input}`.trim());
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
const chatMessage = (role: ChatMessage["role"], content: ChatMessage["content"]): ChatMessage[] =>
  content.length === 0 ? [] : [{ role, content }];
