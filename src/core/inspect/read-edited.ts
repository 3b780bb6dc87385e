// A body that a person has edited, back in the client's words. It goes out through the same builder as everything else:
// what that would not send is refused here by its name.

import { isDeepStrictEqual } from "node:util";
import type {
  ChatMessage,
  Composable,
  ContentPart,
  ResponsesRequest,
  WebSearchInclude,
} from "../api/request.ts";
import type { ProfileSettings } from "../api/settings.ts";
import { jsonFormat } from "../api/undocumented-names.ts";
import { type Message, message } from "../messages/message.ts";
import { asArray, asObject, asString, isObject, type JsonObject, parseJson } from "../util/json.ts";
import { present } from "../util/present.ts";

export type ReadEdited = { readonly ok: true; readonly asked: Composable } | Refused;
interface Refused {
  readonly ok: false;
  readonly message: Message;
}

const responsesKeys = new Set([
  "model",
  "input",
  "instructions",
  "tools",
  "tool_choice",
  "max_output_tokens",
  "reasoning",
  "text",
  "include",
  "prompt_cache_options",
  "stream",
]);
const tiers = ["5m", "1h"] as const;
const chatKeys = new Set(["model", "messages", "stream", "stream_options"]);

/** What the settings put into every request: it can be changed there, and not here. */
export interface EditedSettings {
  readonly cacheKeyField: string;
  readonly userIdField: string;
  readonly extraBody?: ProfileSettings["extraBody"];
}

/** Comment lines are passed over; the identifier of this installation is put in by the client again. */
export function readEdited(text: string, settings: EditedSettings): ReadEdited {
  const body = asObject(parseJson(withoutComments(text)));
  if (body === undefined) return refused(message("requestNoObject"));
  const model = asString(body["model"]);
  if (model === undefined || model === "") return refused(message("requestNoModel"));
  return "messages" in body ? readChat(body, model, settings) : readResponses(body, settings);
}

function readResponses(body: JsonObject, settings: EditedSettings): ReadEdited {
  const { cacheKeyField, userIdField, extraBody } = settings;
  const own = new Set([cacheKeyField, userIdField, ...Object.keys(extraBody?.responses ?? {})]);
  const foreign = Object.keys(body).find((key) => !responsesKeys.has(key) && !own.has(key));
  if (foreign !== undefined) return refused(message("requestField", { name: foreign }));
  const { input } = body;
  if (!Array.isArray(input) && typeof input !== "string") return refused(message("requestNoInput"));
  const other = otherwiseSet(body, settings);
  if (other !== undefined) return refused(message("requestFixed", { name: other }));
  const items = Array.isArray(input) ? input : [{ type: "message", role: "user", content: input }];
  const ttl = asObject(body["prompt_cache_options"])?.["ttl"];
  const limit = body["max_output_tokens"];
  const request: ResponsesRequest = present({
    model: asString(body["model"]),
    input: items.map((item) => JSON.stringify(item)),
    instructions: asString(body["instructions"]),
    tools: asArray(body["tools"]).map((tool) => JSON.stringify(tool)),
    // Refused with its sentence where everything is checked, as what is no number.
    maxOutputTokens: limit === undefined ? undefined : typeof limit === "number" ? limit : Number.NaN,
    effort: asString(asObject(body["reasoning"])?.["effort"]),
    text: asksJson(body) ? { format: jsonFormat } : undefined,
    include: asArray(body["include"]).map(String) as readonly WebSearchInclude[],
    cacheTtl: tiers.find((tier) => tier === ttl),
    cacheId: asString(body[cacheKeyField]),
    stream: body["stream"] === false ? false : undefined,
  });
  return { ok: true, asked: { route: "responses", request } };
}

/** A field whose new content would be passed over in silence. */
function otherwiseSet(body: JsonObject, settings: EditedSettings): string | undefined {
  const { reasoning: given = {}, text, ...extra } = settings.extraBody?.responses ?? {};
  const { reasoning = given } = body;
  const wanted = asksJson(body) ? { ...asObject(text), format: jsonFormat } : text;
  const changed = changedOf({ ...extra, text: wanted }, body);
  if (changed !== undefined) return changed;
  const { effort: _, ...others } = asObject(reasoning) ?? {};
  const { effort: __, ...allowed } = asObject(given) ?? {};
  if (!isObject(reasoning) || !isDeepStrictEqual(others, allowed)) return "reasoning";
  const { tool_choice: choice = "auto", prompt_cache_options: cache } = body;
  if (choice !== "auto") return "tool_choice";
  const isKnown =
    cache === undefined || tiers.some((ttl) => isDeepStrictEqual(cache, { mode: "implicit", ttl }));
  return isKnown ? undefined : "prompt_cache_options";
}

const asksJson = (body: JsonObject): boolean =>
  isDeepStrictEqual(asObject(body["text"])?.["format"], jsonFormat);

/** What the settings add may be left out, and says what they say. */
const changedOf = (extra: JsonObject, body: JsonObject): string | undefined =>
  Object.keys(extra).find((key) => body[key] !== undefined && !isDeepStrictEqual(body[key], extra[key]));

function readChat(body: JsonObject, model: string, { extraBody }: EditedSettings): ReadEdited {
  const extra = extraBody?.chat ?? {};
  const foreign = Object.keys(body).find((key) => !chatKeys.has(key) && !Object.hasOwn(extra, key));
  if (foreign !== undefined) return refused(message("requestField", { name: foreign }));
  const changed = changedOf(extra, body);
  if (changed !== undefined) return refused(message("requestFixed", { name: changed }));
  const messages = asArray(body["messages"]).map(readMessage);
  if (messages.length === 0 || messages.includes(undefined)) return refused(message("requestMessages"));
  return {
    ok: true,
    asked: { route: "chat", request: { model, messages: messages.filter((each) => each !== undefined) } },
  };
}

function readMessage(value: unknown): ChatMessage | undefined {
  if (!isObject(value)) return undefined;
  const { role, content } = value;
  const known = (["system", "user", "assistant", "tool"] as const).find((each) => each === role);
  if (known === undefined) return undefined;
  if (typeof content === "string") return { role: known, content };
  return Array.isArray(content) ? { role: known, content: content as readonly ContentPart[] } : undefined;
}

/** Whole lines only: `//` inside a string is text. */
const withoutComments = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !/^\s*\/\//.test(line))
    .join("\n");

const refused = (message: Message): Refused => ({ ok: false, message });
