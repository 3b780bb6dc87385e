// The rules of input items in a Responses request: kinds, content, breakpoints, and that calls and outputs pair up.
import { firstRefusal } from "./checks.ts";
import { isList, isObject, type JsonObject, listAt, stringAt } from "./json.ts";
import { refusePairing } from "./pairing.ts";
import type { Profile } from "./profiles.ts";
import { broken, declined, type Refusal } from "./refusal.ts";

const roles = ["user", "assistant", "system", "developer"];

/** Items this service has sent itself come back whatever their type. */
export type IsIssued = (item: unknown) => boolean;

export function refuseInput(body: JsonObject, profile: Profile, isIssued: IsIssued): Refusal | undefined {
  const input = body["input"];
  if (input === undefined || input === null)
    return broken("input is required.", "input", "missing_required_parameter");
  if (typeof input === "string")
    return firstRefusal(
      () => refuseEmpty(input, "input", profile),
      () => refuseBreakpoint(input, "input", profile),
    );
  if (!isList(input)) return broken("input must be a string or an array.", "input");
  if (input.length === 0) return broken("input must not be empty.", "input");
  return firstRefusal(
    ...input.map((item, index) => () => refuseItem(item, `input[${index}]`, profile, isIssued)),
    () => refusePairing(input, profile),
  );
}

function refuseItem(item: unknown, at: string, profile: Profile, isIssued: IsIssued): Refusal | undefined {
  if (!isObject(item)) return broken(`${at} must be an object.`, at);
  // Clients of the de-facto standard leave the type of messages out; the interface always shows it.
  const type = item["type"] ?? (profile.unknown === "ignored" && "role" in item ? "message" : undefined);
  const documented = ["message", "function_call", "function_call_output"];
  if (profile.replay === "documented" && !documented.includes(String(type)))
    return declined(`Items of the type ${String(type)} are not accepted.`, `${at}.type`, "unsupported_value");
  if (profile.replay === "no-search" && type === "web_search_call")
    return declined("Items of the type web_search_call are not accepted.", `${at}.type`, "unsupported_value");
  switch (type) {
    case "message":
      return refuseMessage(item, at, profile);
    case "function_call":
      return firstRefusal(
        () => refuseCall(item, at, "arguments", profile),
        () => refuseArguments(item, `${at}.arguments`),
      );
    case "custom_tool_call":
      return refuseCall(item, at, "input", profile);
    case "function_call_output":
      return refuseOutput(item, at, profile);
    case "custom_tool_call_output":
      if (!profile.customOutput)
        return declined(
          "Items of the type custom_tool_call_output are not accepted.",
          `${at}.type`,
          "unsupported_value",
        );
      return refuseOutput(item, at, profile);
    case "reasoning":
      return isList(item["summary"]) ? undefined : broken(`${at}.summary must be an array.`, `${at}.summary`);
    case "web_search_call":
      return refuseStrings(item, at, ["id"]);
    default:
      return isIssued(item) ? undefined : broken(`Unknown item type: ${String(type)}.`, `${at}.type`);
  }
}

/** An id that the client made up itself is short and plain; one of the service comes back as it was. */
function refuseCall(item: JsonObject, at: string, content: string, profile: Profile): Refusal | undefined {
  const plain = typeof item["id"] === "string" || /^[A-Za-z0-9_-]{1,64}$/.test(String(item["call_id"]));
  const words = ["call_id", "name", content];
  return firstRefusal(
    () => refuseStrings(item, at, words),
    () =>
      plain ? undefined : broken(`${at}.call_id must be 1 to 64 letters, digits, - or _.`, `${at}.call_id`),
    () => refuseStrangers(item, at, ["type", ...words], profile),
  );
}

/** Interface, "Output items": a string holding JSON. What the service has sent itself comes back as it was. */
function refuseArguments(item: JsonObject, at: string): Refusal | undefined {
  if (typeof item["id"] === "string") return undefined;
  try {
    JSON.parse(String(item["arguments"]));
    return undefined;
  } catch {
    return broken(`${at} must hold JSON.`, at);
  }
}

function refuseStrings(item: JsonObject, at: string, keys: readonly string[]): Refusal | undefined {
  const missing = keys.find((key) => typeof item[key] !== "string");
  return missing === undefined ? undefined : broken(`${at}.${missing} must be a string.`, `${at}.${missing}`);
}

function refuseMessage(item: JsonObject, at: string, profile: Profile): Refusal | undefined {
  const { role, content } = item;
  if (!roles.includes(String(role))) return broken(`${at}.role is unknown.`, `${at}.role`);
  if (role === "assistant" && !profile.assistantMessages && item["id"] === undefined)
    return declined("Messages of the assistant are not accepted.", `${at}.role`, "unsupported_value");
  const here = `${at}.content`;
  const kinds = role === "assistant" ? ["output_text", "refusal"] : ["input_text", "input_image"];
  return firstRefusal(
    () => refuseBreakpoint(content, here, profile),
    () => refuseContent(content, here, kinds, profile),
    () => refuseEmpty(content, here, profile),
    () => refuseStrangers(item, at, ["type", "role", "content"], profile),
    () => refuseStrangePart(item, here, profile),
  );
}

const shownInParts: Readonly<Record<string, readonly string[]>> = {
  input_text: ["type", "text"],
  input_image: ["type", "image_url", "detail"],
  output_text: ["type", "text", "annotations", "logprobs"],
  refusal: ["type", "refusal"],
};

/** A strict service looks into the parts that a client wrote itself: no other fields, and no text without a word. */
function refuseStrangePart(message: JsonObject, at: string, profile: Profile): Refusal | undefined {
  if (profile.unknown === "ignored" || message["id"] !== undefined) return undefined;
  for (const [index, part] of listAt(message, "content").entries()) {
    if (!isObject(part)) continue;
    const here = `${at}[${index}]`;
    const shown = shownInParts[String(part["type"])] ?? [];
    const stranger = Object.keys(part).find((key) => !shown.includes(key));
    if (stranger !== undefined)
      return declined(`Unknown parameter: ${here}.${stranger}.`, `${here}.${stranger}`);
    if (stringAt(part, "text")?.trim() === "")
      return broken(`${here}.text must not be empty.`, `${here}.text`);
  }
  return undefined;
}

/** What a client wrote itself has the shown fields only; an item of the service, known by its id, has all of its own. */
function refuseStrangers(
  item: JsonObject,
  at: string,
  shown: readonly string[],
  profile: Profile,
): Refusal | undefined {
  if (profile.unknown === "ignored" || item["id"] !== undefined) return undefined;
  const stranger = Object.keys(item).find((key) => !shown.includes(key));
  return stranger === undefined
    ? undefined
    : declined(`Unknown parameter: ${at}.${stranger}.`, `${at}.${stranger}`);
}

function refuseContent(
  content: unknown,
  at: string,
  kinds: readonly string[],
  profile: Profile,
): Refusal | undefined {
  if (typeof content === "string") return undefined;
  if (!isList(content)) return broken(`${at} must be a string or an array of parts.`, at);
  return firstRefusal(
    ...content.map((part, index) => () => refusePart(part, `${at}[${index}]`, kinds, profile)),
  );
}

function refusePart(
  part: unknown,
  at: string,
  kinds: readonly string[],
  profile: Profile,
): Refusal | undefined {
  const type = stringAt(part, "type");
  if (!kinds.includes(type ?? ""))
    return broken(`A part of the type ${String(type)} is not known here.`, `${at}.type`);
  if (type === "input_image") {
    if (!profile.images) return declined("Image parts are not accepted.", `${at}.type`, "unsupported_value");
    const address = stringAt(part, "image_url") ?? "";
    if (/^(https?:\/\/|data:image\/[\w.+-]+;base64,[A-Za-z0-9+/]+=*$)/.test(address)) return undefined;
    return broken(`${at}.image_url must be an address or a base64 data URL.`, `${at}.image_url`);
  }
  const key = type === "refusal" ? "refusal" : "text";
  return stringAt(part, key) === undefined
    ? broken(`${at}.${key} must be a string.`, `${at}.${key}`)
    : undefined;
}

/** `output` is a string; parts of text are tolerated where unknown things are. */
function refuseOutput(item: JsonObject, at: string, profile: Profile): Refusal | undefined {
  const output = item["output"];
  const parts =
    profile.unknown === "ignored" &&
    isList(output) &&
    output.every((part) => ["input_text", "input_image"].includes(stringAt(part, "type") ?? ""));
  return firstRefusal(
    () => refuseStrings(item, at, ["call_id"]),
    () =>
      typeof output === "string" || parts
        ? undefined
        : broken(`${at}.output must be a string.`, `${at}.output`),
    () => refuseBreakpoint(output, `${at}.output`, profile),
    () => refuseStrangers(item, at, ["type", "call_id", "output"], profile),
  );
}

function refuseEmpty(content: unknown, at: string, profile: Profile): Refusal | undefined {
  if (profile.unknown === "ignored") return undefined;
  const empty = typeof content === "string" ? content.trim() === "" : isList(content) && content.length === 0;
  return empty ? broken(`${at} must not be empty.`, at) : undefined;
}

// Interface, "Cache behavior" 5: a breakpoint in content is answered with 400.
function refuseBreakpoint(content: unknown, at: string, profile: Profile): Refusal | undefined {
  const word = "prompt_cache_breakpoint";
  if (hasKey(content, word)) return broken("Explicit cache breakpoints are unsupported.", at);
  if (!profile.breakpointInText || !JSON.stringify(content ?? "").includes(word)) return undefined;
  return declined(`Explicit cache breakpoints are unsupported: ${word}.`, at, "invalid_request");
}

function hasKey(value: unknown, key: string): boolean {
  if (isList(value)) return value.some((each) => hasKey(each, key));
  return isObject(value) && (key in value || Object.values(value).some((each) => hasKey(each, key)));
}
