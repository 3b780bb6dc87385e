// Builds all outgoing bodies and checks every key against the interface. Bodies are joined from raw pieces, so that
// what was received goes back byte for byte.

import { type Message, message } from "../../conversation/messages.ts";
import { maxOutputLimit } from "../../conversation/models.ts";
import { asObject, asString, isObject, parseJson } from "../../util/json.ts";
import { present } from "../../util/present.ts";
import { type Capabilities, isRefusedValue } from "../capabilities.ts";
import type { ChatMessage, ChatRequest, EstimateRequest, ResponsesRequest } from "../request.ts";
import { type BodySettings, type Fields, isOwnField } from "../settings.ts";
import {
  extraFields,
  type FieldValue,
  featureRows,
  formsInUse,
  mayBeOmitted,
  noRequestFeatures,
  preciousFields,
  type RequestFeatures,
  refusable,
  type Shape,
} from "./dialect.ts";
import {
  hasTool,
  holdsPicture,
  refuseTools,
  shapeInput,
  shapeTools,
  toWellFormedJson,
  withoutImages,
  withoutPictures,
} from "./request-shapes.ts";

// Checks for what no body may contain, each with a message that is shown before anything is sent. Independent of the
// encoding.

/** The names under which the two identifiers are sent, and the one whose value is the same in all requests. */
interface Identifiers {
  readonly cacheKeyField: string;
  readonly userIdField: string;
  readonly userId: string | undefined;
}

/** The first of the allowed models is the one that the interface names. */
function refuseModel(model: string | undefined, allowed: readonly string[]): Message | undefined {
  if (model === undefined || allowed.includes(model)) return undefined;
  return message("requestModel", { model: allowed[0] ?? "", other: model });
}

/** Interface, `include`: "Allowed values". */
const includes = new Set<string>(["web_search_call.action.sources", "web_search_call.results"]);

function refuseInclude(include: readonly string[] = []): Message | undefined {
  const foreign = include.find((value) => !includes.has(value));
  return foreign === undefined ? undefined : message("requestInclude", { value: foreign });
}

/** The same name for both would duplicate a key. */
function refuseIdentifiers(
  cacheId: string | undefined,
  { cacheKeyField, userIdField, userId }: Identifiers,
): Message | undefined {
  if (!cacheId || !userId || cacheKeyField !== userIdField || !isOwnField(userIdField)) return undefined;
  return message("problemOneName", { name: userIdField });
}

function refuseLimit(limit: number | undefined): Message | undefined {
  const [least, most] = [1, maxOutputLimit];
  if (limit === undefined || (Number.isInteger(limit) && limit >= least && limit <= most)) return undefined;
  return message("problemOutput", { least, most });
}

function refuseInput(input: readonly string[]): Message | undefined {
  if (input.length === 0) return message("problemNothingToSend");
  // Interface, "Chat message": content "Must not be empty". Only our own messages are checked; the service's go back
  // unchanged.
  const empty = input.some((raw) => raw.includes('"role":"user"') && /"content":(""|\[\])/.test(raw));
  return empty ? message("problemEmptyMessage") : undefined;
}

function refuseMessages(messages: readonly ChatMessage[]): Message | undefined {
  if (messages.length === 0) return message("problemNothingToSend");
  const empty = messages.some(({ content }) =>
    typeof content === "string"
      ? content.trim() === ""
      : content.length === 0 || content.some((part) => part.type === "text" && part.text === ""),
  );
  return empty ? message("problemEmptyMessage") : undefined;
}

export type Body =
  | {
      readonly ok: true;
      readonly json: string;
      readonly offered: RequestFeatures;
      readonly stream: boolean;
      readonly echoed: Echoed;
      /** The cache lifetime that it requests. */
      readonly askedTtl?: "5m" | "1h";
    }
  /** Part of it cannot be sent; the message is for people. */
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

export function responsesBody(
  request: ResponsesRequest,
  settings: BodySettings,
  learned: Capabilities,
): Body {
  const { patchTool } = settings;
  const found = { ...learned, ...formsInUse(settings, learned) };
  const tools = (request.tools ?? []).filter((raw) => patchTool !== "off" || !hasTool([raw], "custom"));
  const refusal =
    refuseModel(request.model, [responsesModel, ...settings.responsesModels]) ??
    refuseLimit(request.maxOutputTokens) ??
    refuseTools(tools) ??
    refuseInclude(request.include) ??
    refuseIdentifiers(request.cacheId, settings) ??
    refuseInput(request.input);
  if (refusal !== undefined) return { ok: false, message: refusal };
  const input = request.input.map((raw) => withoutPictures(shapeInput(raw, found), found));
  const shaped = shapeTools(tools, found);
  const fields = taken(optionalFields(request, settings, tools), found);
  const optional: Piece[] = [
    ...Object.entries(fields).map(([key, value]): Piece => [key, toWellFormedJson(value)]),
    ...streamPiece(request, settings, found),
  ];
  const named = new Set([
    settings.cacheKeyField,
    settings.userIdField,
    ...extraFields(settings, "responses"),
  ]);
  const names = optional.map(([key]) => key).filter((key) => mayBeOmitted(key, settings));
  const shapes = shapesIn({ tools: shaped, input }, settings);
  const hasPictures = refusable.pictures.isSent({ tools: shaped, input });
  const pieces: Piece[] = [
    ["model", toWellFormedJson(request.model ?? responsesModel)],
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
    ...(asObject(fields["prompt_cache_options"])?.["ttl"] !== undefined &&
      request.cacheTtl && { askedTtl: request.cacheTtl }),
    offered: {
      optional: names,
      values: Object.entries(fields).flatMap(([key, value]) =>
        preciousFields.has(key) || named.has(key) ? [] : valuesIn(key, value),
      ),
      tools: shaped.map((raw) => asString(asObject(parseJson(raw))?.["type"]) ?? ""),
      shapes: hasPictures ? [...shapes, "picture"] : shapes,
      unshown: [...names.filter((key) => !responsesKeys.has(key)), ...shapes],
    },
  };
}

/** The features of which another form could be tried. */
const shapesIn = (
  sent: { readonly tools: readonly string[]; readonly input: readonly string[] },
  settings: BodySettings,
): Shape[] =>
  featureRows.flatMap(([, { shape, fixed, isSent }]) =>
    fixed?.(settings) === undefined && isSent(sent) ? [shape] : [],
  );

/** The fields without what an origin refuses: whole fields, parts of them, or values. */
function taken(fields: Fields, found: Capabilities): Fields {
  const kept = Object.entries(fields).flatMap(([key, value]) => {
    const rest = takenOf(key, value, found);
    return rest === undefined ? [] : [[key, rest] as const];
  });
  return Object.fromEntries(kept);
}

function takenOf(path: string, value: unknown, found: Capabilities): unknown {
  if (found.refused.includes(path)) return undefined;
  if (Array.isArray(value)) {
    const rest = value.filter((each) => takenOf(path, each, found) !== undefined);
    return rest.length === 0 ? undefined : rest;
  }
  if (!isObject(value)) return isRefusedValue({ path, value: String(value) }, found) ? undefined : value;
  const rest = Object.entries(value).flatMap(([key, inner]) => {
    const kept = takenOf(`${path}.${key}`, inner, found);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return rest.length === 0 && Object.keys(value).length > 0 ? undefined : Object.fromEntries(rest);
}

function valuesIn(path: string, value: unknown): FieldValue[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesIn(path, each));
  if (isObject(value))
    return Object.entries(value).flatMap(([key, inner]) => valuesIn(`${path}.${key}`, inner));
  return [{ path, value: String(value) }];
}

function optionalFields(request: ResponsesRequest, settings: BodySettings, tools: readonly string[]): Fields {
  const { reasoning: given, text: own, ...extra } = settings.extraBody.responses ?? {};
  const { cacheKeyField, userIdField } = settings;
  const text = request.text === undefined ? own : { ...asObject(own), ...request.text };
  const reasoning = {
    ...asObject(given),
    ...request.reasoning,
    ...(request.effort ? { effort: request.effort } : {}),
  };
  // Interface, `include`: "Effective only when the `web_search` tool is used."
  const include = hasTool(tools, "web_search") ? (request.include ?? []) : [];
  return present({
    instructions: request.instructions || undefined,
    tool_choice: tools.length === 0 ? undefined : "auto",
    max_output_tokens: request.maxOutputTokens,
    reasoning: Object.keys(reasoning).length === 0 ? undefined : reasoning,
    text,
    include: include.length === 0 ? undefined : include,
    prompt_cache_options: request.cacheTtl && { mode: "implicit", ttl: request.cacheTtl },
    // An identifier is sent under its name; a person's extra field of that name would duplicate the key.
    ...extra,
    ...(isOwnField(cacheKeyField) && request.cacheId && { [cacheKeyField]: request.cacheId }),
    ...(isOwnField(userIdField) && settings.userId && { [userIdField]: settings.userId }),
  });
}

/** If a person insists on streaming, `stream` is not an optional field. */
function streamPiece(
  { stream = true }: { readonly stream?: boolean },
  settings: Pick<BodySettings, "stream">,
  { refused }: Capabilities,
): Piece[] {
  const takes = settings.stream === "on" || (settings.stream === "auto" && !refused.includes("stream"));
  return stream && takes ? [["stream", "true"]] : [];
}

type ChatSettings = Pick<BodySettings, "stream" | "streamUsage" | "extraBody">;

export function chatBody(request: ChatRequest, settings: ChatSettings, found: Capabilities): Body {
  const refusal = refuseMessages(request.messages);
  if (refusal !== undefined) return { ok: false, message: refusal };
  const stream = streamPiece(request, settings, found);
  const extra = settings.extraBody.chat ?? {};
  const asksUsage = stream.length > 0 && (settings.streamUsage ?? !found.refused.includes("stream_options"));
  const optional: Piece[] = [
    ...stream,
    ...(asksUsage ? [["stream_options", '{"include_usage":true}'] as const] : []),
    ...Object.entries(taken(extra, found)).map(([key, value]): Piece => [key, toWellFormedJson(value)]),
  ];
  const names = optional.map(([key]) => key).filter((key) => mayBeOmitted(key, settings));
  const messages = messagesJson(
    found.pictures === "omitted" ? request.messages.map(withoutImages) : request.messages,
  );
  const pieces: Piece[] = [["model", toWellFormedJson(request.model)], ["messages", messages], ...optional];
  const allowed = new Set(["model", "messages", "stream", "stream_options", ...Object.keys(extra)]);
  return {
    ok: true,
    json: join(pieces, (key) => allowed.has(key)),
    stream: stream.length > 0,
    echoed: {},
    offered: {
      ...noRequestFeatures,
      shapes: holdsPicture(messages) ? ["picture"] : [],
      optional: names.reverse(),
      values: Object.entries(taken(extra, found)).flatMap(([key, value]) => valuesIn(key, value)),
      unshown: names.filter((key) => key !== "stream"),
    },
  };
}

export function estimateBody(request: EstimateRequest): Body {
  const refusal = refuseMessages(request.messages);
  if (refusal !== undefined) return { ok: false, message: refusal };
  const pieces: Piece[] = [
    ["model", toWellFormedJson(request.model)],
    ["messages", messagesJson(request.messages)],
  ];
  const json = join(pieces, (key) => key === "model" || key === "messages");
  return { ok: true, json, offered: noRequestFeatures, stream: false, echoed: {} };
}

/** Only role, content and name: the meaning of `partial` is not shown, so it is never sent. */
const messagesJson = (messages: readonly ChatMessage[]): string =>
  toWellFormedJson(
    messages.map(({ role, content, name }) =>
      name === undefined ? { role, content } : { role, content, name },
    ),
  );

function when<T>(key: string, value: T | undefined, toRaw: (value: T) => string): Piece[] {
  return value === undefined ? [] : [[key, toRaw(value)]];
}

function join(pieces: readonly Piece[], isAllowed: (key: string) => boolean): string {
  for (const [key] of pieces) {
    if (!isAllowed(key)) throw new Error(`The field ${key} is not part of the interface.`);
  }
  return `{${pieces.map(([key, raw]) => `${JSON.stringify(key)}:${raw}`).join(",")}}`;
}
