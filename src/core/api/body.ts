// The one place where outgoing bodies are put together, and where every key of them is checked against the
// interface. Bodies are joined from raw pieces, so that what was received goes back byte for byte.
import type { Message } from "../messages/message.ts";
import { asObject } from "../util/json.ts";
import { present } from "../util/present.ts";
import { type Found, nothingOffered, type Offered } from "./capabilities.ts";
import { foreignAssistant, resultType, shapeInput } from "./input-shape.ts";
import { quote } from "./quote.ts";
import {
  refuseIdentifiers,
  refuseInclude,
  refuseInput,
  refuseLimit,
  refuseMessages,
  refuseModel,
} from "./refuse-body.ts";
import type { ChatMessage, ChatRequest, EstimateRequest, ResponsesRequest } from "./request.ts";
import { type Fields, isOwnField, type PatchTool, type StreamSetting } from "./service-profile.ts";
import { hasTool, type NamespaceShape, patchShape, refuseTools, shapeTools } from "./tool-shapes.ts";

/** Settings that reach a body. */
export interface BodySettings {
  readonly stream: StreamSetting;
  readonly namespaces: NamespaceShape | undefined;
  readonly patchTool: PatchTool;
  readonly streamUsage: boolean | undefined;
  readonly cacheKeyField: string;
  readonly userIdField: string;
  readonly userId: string | undefined;
  readonly extraBody: { readonly responses?: Fields; readonly chat?: Fields };
  /** Models besides the interface's own that the user insists on asking by Responses. */
  readonly responsesModels: readonly string[];
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
  | { readonly ok: false; readonly message: Message };

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

type Piece = readonly [key: string, raw: string];

export function responsesBody(request: ResponsesRequest, settings: BodySettings, learned: Found): Body {
  const { patchTool } = settings;
  const found = {
    ...learned,
    patch: patchShape(patchTool, learned.patch),
    namespaces: settings.namespaces ?? learned.namespaces,
  };
  const tools = (request.tools ?? []).filter((raw) => patchTool !== "off" || !hasTool([raw], "custom"));
  const refusal =
    refuseModel(request.model, [responsesModel, ...settings.responsesModels]) ??
    refuseLimit(request.maxOutputTokens) ??
    refuseTools(tools) ??
    refuseInclude(request.include) ??
    refuseIdentifiers(request.cacheId, settings) ??
    refuseInput(request.input);
  if (refusal !== undefined) return { ok: false, message: refusal };
  const input = request.input.map((raw) => shapeInput(raw, found));
  const shaped = shapeTools(tools, found);
  const optional = [
    ...optionalPieces(request, settings, tools).filter(([key]) => !found.refused.includes(key)),
    ...streamPiece(request, settings, found),
  ];
  const { reasoning: _, text: __, ...extra } = settings.extraBody.responses ?? {};
  const named = new Set([settings.cacheKeyField, settings.userIdField, ...Object.keys(extra)]);
  const pieces: Piece[] = [
    ["model", quote(request.model ?? responsesModel)],
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
      optional: optional.map(([key]) => key).filter((key) => givesWay(key, settings)),
      patch: hasTool(tools, "custom") && patchTool === "auto" ? found.patch : undefined,
      namespaces:
        hasTool(tools, "namespace") && found.namespaces === "namespace" && settings.namespaces === undefined,
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
  const { reasoning: given, text, ...extra } = settings.extraBody.responses ?? {};
  const reasoning = { ...asObject(given), ...(request.effort ? { effort: request.effort } : {}) };
  // Interface, `include`: "Effective only when the `web_search` tool is used."
  const include = hasTool(tools, "web_search") ? (request.include ?? []) : [];
  return [
    ...when("instructions", request.instructions || undefined, quote),
    ...when("tool_choice", tools.length === 0 ? undefined : "auto", quote),
    ...when("max_output_tokens", request.maxOutputTokens, String),
    ...when("reasoning", Object.keys(reasoning).length === 0 ? undefined : reasoning, quote),
    ...when("text", text, quote),
    ...when("include", include.length === 0 ? undefined : include, quote),
    ...when("prompt_cache_options", request.cacheTtl, (ttl) => quote({ mode: "implicit", ttl })),
    ...identifier(settings.cacheKeyField, request.cacheId),
    ...identifier(settings.userIdField, settings.userId),
    ...extraPieces(extra, [settings.cacheKeyField, settings.userIdField]),
  ];
}

/** An identifier goes under its name, and what a person sends there besides would be the same key twice. */
const extraPieces = (extra: Fields, taken: readonly string[]): Piece[] =>
  Object.entries(extra).flatMap(([key, value]) => (taken.includes(key) ? [] : when(key, value, quote)));

/** A stream that a person insists on is no field to give up. */
function streamPiece(
  { stream = true }: { readonly stream?: boolean },
  settings: Pick<BodySettings, "stream">,
  { refused }: Found,
): Piece[] {
  const takes = settings.stream === "on" || (settings.stream === "auto" && !refused.includes("stream"));
  return stream && takes ? [["stream", "true"]] : [];
}

const givesWay = (
  key: string,
  { stream, streamUsage }: Pick<BodySettings, "stream" | "streamUsage">,
): boolean => (key !== "stream" || stream !== "on") && (key !== "stream_options" || streamUsage !== true);

type ChatSettings = Pick<BodySettings, "stream" | "streamUsage" | "extraBody">;

export function chatBody(request: ChatRequest, settings: ChatSettings, found: Found): Body {
  const refusal = refuseMessages(request.messages);
  if (refusal !== undefined) return { ok: false, message: refusal };
  const stream = streamPiece(request, settings, found);
  const extra = settings.extraBody.chat ?? {};
  const asksUsage = stream.length > 0 && (settings.streamUsage ?? !found.refused.includes("stream_options"));
  const optional: Piece[] = [
    ...stream,
    ...(asksUsage ? [["stream_options", '{"include_usage":true}'] as const] : []),
    ...extraPieces(extra, []).filter(([key]) => !found.refused.includes(key)),
  ];
  const pieces: Piece[] = [
    ["model", quote(request.model)],
    ["messages", messagesJson(request.messages)],
    ...optional,
  ];
  const allowed = new Set(["model", "messages", "stream", "stream_options", ...Object.keys(extra)]);
  return {
    ok: true,
    json: join(pieces, (key) => allowed.has(key)),
    stream: stream.length > 0,
    echoed: {},
    offered: {
      ...nothingOffered,
      optional: optional
        .map(([key]) => key)
        .filter((key) => givesWay(key, settings))
        .reverse(),
    },
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

function identifier(field: string, value: string | undefined): Piece[] {
  return field === "" || !isOwnField(field) ? [] : when(field, value || undefined, quote);
}

function when<T>(key: string, value: T | undefined, toRaw: (value: T) => string): Piece[] {
  return value === undefined ? [] : [[key, toRaw(value)]];
}

function join(pieces: readonly Piece[], isAllowed: (key: string) => boolean): string {
  for (const [key] of pieces) {
    if (!isAllowed(key)) throw new Error(`The field ${key} is not part of the interface.`);
  }
  return `{${pieces.map(([key, raw]) => `${JSON.stringify(key)}:${raw}`).join(",")}}`;
}
