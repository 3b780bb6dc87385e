// The one place where outgoing bodies are put together, and where every key of them is checked against the
// interface. Bodies are joined from raw pieces, so that what was received goes back byte for byte.
import { asObject, type JsonObject, parseJson } from "../util/json.ts";
import { present } from "../util/present.ts";
import { wellFormed } from "../util/well-formed.ts";
import { type Found, nothingOffered, type Offered } from "./capabilities.ts";
import type { ChatMessage, ChatRequest, EstimateRequest, ResponsesRequest } from "./request.ts";
import { messageParts } from "./response-items.ts";
import { hasTool, refuseTools, shapeTools } from "./tool-shapes.ts";

/** Settings that reach a body. */
export interface BodySettings {
  readonly cacheKeyField: string;
  readonly userIdField: string;
  readonly userId: string | undefined;
  readonly extraReasoning: Readonly<Record<string, unknown>> | undefined;
  readonly extraText: Readonly<Record<string, unknown>> | undefined;
}

export type Body =
  | {
      readonly ok: true;
      readonly json: string;
      readonly offered: Offered;
      readonly stream: boolean;
      readonly echoed: Echoed;
    }
  /** Something in it cannot be sent; the sentence is for people. */
  | { readonly ok: false; readonly message: string };

/** What a response repeats of its request. */
export interface Echoed {
  readonly instructions?: string;
  /** Raw JSON of each. */
  readonly tools?: readonly string[];
}

/** Interface, "POST /v1/responses": these and no others (requirements B9, B10). */
const responsesKeys = new Set([
  "model",
  "input",
  "instructions",
  "stream",
  "max_output_tokens",
  "reasoning",
  "text",
  "tools",
  "tool_choice",
  "include",
  "prompt_cache_options",
]);

/** "Only `svc-k3` is supported." */
export const responsesModel = "svc-k3";
const maxOutputTokens = { least: 1, most: 1_048_576 };

type Piece = readonly [key: string, raw: string];

export function responsesBody(request: ResponsesRequest, settings: BodySettings, found: Found): Body {
  const tools = request.tools ?? [];
  const refusal = refuseLimit(request.maxOutputTokens) ?? refuseTools(tools) ?? refuseInput(request.input);
  if (refusal !== undefined) return { ok: false, message: refusal };
  const input = request.input.map((raw) => shapeInput(raw, found));
  const shaped = shapeTools(tools, found);
  const optional = optionalPieces(request, settings, tools).filter(([key]) => !found.refused.includes(key));
  const named = new Set([settings.cacheKeyField, settings.userIdField]);
  const pieces: Piece[] = [
    ["model", quote(responsesModel)],
    ...optional.filter(([key]) => key === "instructions"),
    ...when("tools", shaped.length === 0 ? undefined : shaped, (raw) => `[${raw.join(",")}]`),
    ["input", `[${input.join(",")}]`],
    ...optional.filter(([key]) => key !== "instructions"),
  ];
  return {
    ok: true,
    json: join(pieces, (key) => responsesKeys.has(key) || (named.has(key) && isOwnField(key))),
    stream: optional.some(([key]) => key === "stream"),
    echoed: present({
      instructions: optional.some(([key]) => key === "instructions") ? request.instructions : undefined,
      tools: shaped.length === 0 ? undefined : shaped,
    }),
    offered: {
      optional: optional.map(([key]) => key),
      patch: hasTool(tools, "custom") ? found.patch : undefined,
      namespaces: hasTool(tools, "namespace") && found.namespaces === "namespace",
      customOutputs: input.some((raw) => raw.includes(resultType)),
      assistantMessages: input.some((raw) => foreignAssistant(raw) !== undefined),
    },
  };
}

function optionalPieces(
  request: ResponsesRequest,
  settings: BodySettings,
  tools: readonly string[],
): Piece[] {
  const reasoning = { ...settings.extraReasoning, ...(request.effort ? { effort: request.effort } : {}) };
  // Interface, `include`: "Effective only when the `web_search` tool is used."
  const include = hasTool(tools, "web_search") ? (request.include ?? []) : [];
  return [
    ...when("instructions", request.instructions || undefined, quote),
    ...when("tool_choice", tools.length === 0 ? undefined : "auto", quote),
    ...when("max_output_tokens", request.maxOutputTokens, String),
    ...when("reasoning", Object.keys(reasoning).length === 0 ? undefined : reasoning, quote),
    ...when("text", settings.extraText, quote),
    ...when("include", include.length === 0 ? undefined : include, quote),
    ...when("prompt_cache_options", request.cacheTtl, (ttl) => quote({ mode: "implicit", ttl })),
    ...identifier(settings.cacheKeyField, request.cacheId),
    ...identifier(settings.userIdField, settings.userId),
    ...when("stream", request.stream === false ? undefined : true, String),
  ];
}

export function chatBody(request: ChatRequest, found: Found): Body {
  const refusal = refuseMessages(request.messages);
  if (refusal !== undefined) return { ok: false, message: refusal };
  const keep = ([key]: Piece) => !found.refused.includes(key);
  const stream = [["stream", "true"] as const].filter((piece) => request.stream !== false && keep(piece));
  const usage = [["stream_options", '{"include_usage":true}'] as const].filter(keep);
  const optional: Piece[] = stream.length === 0 ? [] : [...stream, ...usage];
  const pieces: Piece[] = [
    ["model", quote(request.model)],
    ["messages", messagesJson(request.messages)],
    ...optional,
  ];
  const allowed = new Set(["model", "messages", "stream", "stream_options"]);
  return {
    ok: true,
    json: join(pieces, (key) => allowed.has(key)),
    stream: stream.length > 0,
    echoed: {},
    offered: { ...nothingOffered, optional: optional.map(([key]) => key).reverse() },
  };
}

export function estimateBody(request: EstimateRequest): Body {
  const refusal = refuseMessages(request.messages);
  if (refusal !== undefined) return { ok: false, message: refusal };
  const pieces: Piece[] = [
    ["model", quote(request.model)],
    ["messages", messagesJson(request.messages)],
  ];
  const json = join(pieces, (key) => key === "model" || key === "messages");
  return { ok: true, json, offered: nothingOffered, stream: false, echoed: {} };
}

/** Only role, content and name: `partial` is shown without a meaning, so it is never sent. */
const messagesJson = (messages: readonly ChatMessage[]): string =>
  quote(
    messages.map(({ role, content, name }) =>
      name === undefined ? { role, content } : { role, content, name },
    ),
  );

/** A name of the user's choosing for an identifier: a plain one, and none that the interface gives a meaning. */
export function isOwnField(name: string): boolean {
  const taken =
    /^(model|input|instructions|stream|max_output_tokens|reasoning|text|tools|tool_choice|include|prompt_cache_options|prompt_cache_breakpoint|previous_response_id|store|background|conversation|metadata|service_tier|temperature|top_p|parallel_tool_calls)$/;
  return /^[A-Za-z_][\w-]{0,63}$/.test(name) && name !== "__proto__" && !taken.test(name);
}

function identifier(field: string, value: string | undefined): Piece[] {
  return field === "" || !isOwnField(field) ? [] : when(field, value || undefined, quote);
}

function when<T>(key: string, value: T | undefined, toRaw: (value: T) => string): Piece[] {
  return value === undefined ? [] : [[key, toRaw(value)]];
}

/** JSON of our own making; half a surrogate pair cannot be sent and becomes U+FFFD. */
function quote(value: unknown): string {
  return JSON.stringify(value, (_, held: unknown) => (typeof held === "string" ? wellFormed(held) : held));
}

function join(pieces: readonly Piece[], isAllowed: (key: string) => boolean): string {
  for (const [key] of pieces) {
    if (!isAllowed(key)) throw new Error(`The field ${key} is not part of the interface.`);
  }
  return `{${pieces.map(([key, raw]) => `${JSON.stringify(key)}:${raw}`).join(",")}}`;
}

function refuseLimit(limit: number | undefined): string | undefined {
  const { least, most } = maxOutputTokens;
  if (limit === undefined || (Number.isInteger(limit) && limit >= least && limit <= most)) return undefined;
  return `The output limit must be a whole number of tokens from ${least} to ${most}.`;
}

function refuseInput(input: readonly string[]): string | undefined {
  if (input.length === 0) return "There is nothing to send.";
  // Interface, "Chat message": content "Must not be empty". Of our own messages; the service's go back unchanged.
  const empty = input.some((raw) => raw.includes('"role":"user"') && /"content":(""|\[\])/.test(raw));
  return empty ? "A message without content cannot be sent." : undefined;
}

function refuseMessages(messages: readonly ChatMessage[]): string | undefined {
  if (messages.length === 0) return "There is nothing to send.";
  const empty = messages.some(({ content }) =>
    typeof content === "string"
      ? content.trim() === ""
      : content.length === 0 || content.some((part) => part.type === "text" && part.text === ""),
  );
  return empty ? "A message without content cannot be sent." : undefined;
}

const resultType = '"type":"custom_tool_call_output"';

function shapeInput(raw: string, { customOutput, assistantText }: Found): string {
  const foreign = assistantText === "recap" ? foreignAssistant(raw) : undefined;
  if (foreign !== undefined) return recap(foreign);
  const shaped = customOutput === "function" ? raw.replace(resultType, '"type":"function_call_output"') : raw;
  const ours = shaped.includes('"role":"user"') || shaped.includes('_output"');
  return ours && /\\u[dD][89a-fA-F]/.test(shaped) ? joinSurrogates(shaped) : shaped;
}

/** A message in the assistant's role that is no item of the service's: another model said it (requirements B4). */
function foreignAssistant(raw: string): JsonObject | undefined {
  if (!raw.includes('"assistant"')) return undefined;
  const item = asObject(parseJson(raw));
  const isForeign = item?.["type"] === "message" && item["role"] === "assistant" && item["id"] === undefined;
  return isForeign ? item : undefined;
}

function recap(item: JsonObject): string {
  const text = messageParts(item)
    .map((part) => part.text)
    .join("");
  return quote({ type: "message", role: "user", content: `[The assistant answered:]\n${text}` });
}

/** Escapes of half pairs in JSON that we wrote ourselves. */
function joinSurrogates(json: string): string {
  return json.replace(
    /\\\\|\\u[dD][89abAB]\w{2}(\\u[dD][c-fC-F]\w{2})?|\\u[dD][c-fC-F]\w{2}/g,
    (found, low) => (found === "\\\\" || low !== undefined ? found : "\\ufffd"),
  );
}
