// The rules of a Responses request, field by field. Input items, tools and pairing have their own files.
import { firstRefusal } from "./checks.ts";
import { isObject, type JsonObject, listAt } from "./json.ts";
import type { Profile } from "./profiles.ts";
import { broken, declined, notFound, type Refusal } from "./refusal.ts";
import { type IsIssued, refuseInput } from "./validate-input.ts";
import { refuseTools } from "./validate-tools.ts";

/** Interface, "POST /v1/responses": the shown fields. The two identifiers exist, their names are ours to choose. */
const shownFields = [
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
  "prompt_cache_key",
  "safety_identifier",
];

const includable = ["web_search_call.action.sources", "web_search_call.results"];

export function refuseResponses(body: JsonObject, profile: Profile, isIssued: IsIssued): Refusal | undefined {
  return firstRefusal(
    () => refuseModel(body, ["svc-k3"], true),
    () => refuseFields(body, profile, shownFields),
    () => refuseTypes(body),
    () => refuseLimits(body),
    () => refuseCacheOptions(body, profile),
    () => refuseInclude(body, profile),
    () => refuseState(body, profile),
    () => refuseTools(body, profile),
    () => refuseInput(body, profile, isIssued),
  );
}

/** Where only one model is supported, asking for another breaks a rule; elsewhere it may have come or gone. */
export function refuseModel(
  body: JsonObject,
  known: readonly string[],
  breaksRule = false,
): Refusal | undefined {
  const model = body["model"];
  if (model === undefined) return broken("model is required.", "model", "missing_required_parameter");
  if (typeof model !== "string") return broken("model must be a string.", "model");
  if (known.includes(model)) return undefined;
  return notFound(
    `The model ${model} does not exist or is not supported here.`,
    "model_not_found",
    breaksRule,
  );
}

/** Fields this service refuses, and in a strict one every field that is not shown. */
export function refuseFields(
  body: JsonObject,
  profile: Profile,
  shown: readonly string[],
): Refusal | undefined {
  for (const path of profile.refusedFields) {
    const [first = "", second] = path.split(".");
    const value = body[first];
    const sent = second === undefined ? value !== undefined : isObject(value) && value[second] !== undefined;
    if (sent) return declined(`Unsupported parameter: ${path}.`, path);
  }
  for (const [path, value] of profile.refusedValues) {
    const held = path.split(".").reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), body);
    if (held === value)
      return declined(
        `Unsupported value: '${String(value)}' is not supported for ${path}.`,
        path,
        "unsupported_value",
      );
  }
  if (profile.unknown === "ignored") return undefined;
  const stranger = Object.keys(body).find((key) => !shown.includes(key));
  return stranger === undefined ? undefined : declined(`Unknown parameter: ${stranger}.`, stranger);
}

function refuseTypes(body: JsonObject): Refusal | undefined {
  const expected: Record<string, (value: unknown) => boolean> = {
    instructions: (value) => typeof value === "string",
    stream: (value) => typeof value === "boolean",
    reasoning: isObject,
    text: isObject,
    tool_choice: (value) => typeof value === "string" || isObject(value),
    prompt_cache_key: (value) => typeof value === "string",
    safety_identifier: (value) => typeof value === "string",
  };
  for (const [field, fits] of Object.entries(expected)) {
    const value = body[field];
    if (value !== undefined && value !== null && !fits(value))
      return broken(`${field} has the wrong type.`, field);
  }
  return undefined;
}

function refuseLimits(body: JsonObject): Refusal | undefined {
  const limit = body["max_output_tokens"];
  if (limit === undefined || limit === null) return undefined;
  // Interface, "Limits": the maximum is 1048576.
  if (Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= 1_048_576) return undefined;
  return broken("max_output_tokens must be an integer from 1 to 1048576.", "max_output_tokens");
}

function refuseCacheOptions(body: JsonObject, profile: Profile): Refusal | undefined {
  const options = body["prompt_cache_options"];
  const field = "prompt_cache_options";
  if (options === undefined) return undefined;
  if (!isObject(options)) return broken(`${field} must be an object.`, field);
  const { mode, ttl, ...rest } = options;
  // Interface, "Cache options object": `implicit` only; `5m` or `1h`.
  if (mode !== undefined && mode !== "implicit")
    return broken(`${field}.mode must be implicit.`, `${field}.mode`);
  if (ttl !== undefined && ttl !== "5m" && ttl !== "1h")
    return broken(`${field}.ttl must be 5m or 1h.`, `${field}.ttl`);
  const [stranger] = Object.keys(rest);
  if (stranger === undefined || profile.unknown === "ignored") return undefined;
  return declined(`Unknown parameter: ${field}.${stranger}.`, `${field}.${stranger}`);
}

function refuseInclude(body: JsonObject, profile: Profile): Refusal | undefined {
  const include = body["include"];
  if (include === undefined || include === null) return undefined;
  const values = listAt(body, "include");
  if (!Array.isArray(include) || values.some((value) => typeof value !== "string"))
    return broken("include must be an array of strings.", "include");
  const stranger = values.find((value) => !includable.includes(String(value)));
  if (stranger === undefined || profile.unknown === "ignored") return undefined;
  return broken(`include does not allow ${String(stranger)}.`, "include");
}

/** Nothing is stored, so nothing can be referred to; and a strict service knows one tool choice. */
function refuseState(body: JsonObject, profile: Profile): Refusal | undefined {
  const field = "previous_response_id";
  if (typeof body[field] === "string") return broken("Responses are not stored; send the history.", field);
  const choice = body["tool_choice"];
  if (choice !== undefined && choice !== "auto" && profile.unknown === "refused")
    return broken("tool_choice must be auto.", "tool_choice");
  return undefined;
}
