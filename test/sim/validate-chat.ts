// The rules of Chat completions and of the token estimate, which share their messages.
import { firstRefusal } from "./checks.ts";
import { isList, isObject, type JsonObject, listAt, stringAt } from "./json.ts";
import type { Profile } from "./profiles.ts";
import { broken, declined, type Refusal } from "./refusal.ts";
import { refuseChatTools, refuseToolMessages } from "./validate-chat-tools.ts";
import { refuseFields, refuseModel } from "./validate-responses.ts";

/** Interface, "Versioning" 3. */
export const modelIds = ["svc-k3", "svc-k2.7-code", "svc-k2.7-code-highspeed", "svc-k2.6"];

export function refuseChat(body: JsonObject, profile: Profile): Refusal | undefined {
  return firstRefusal(
    () => refuseModel(body, modelIds),
    () => refuseFields(body, profile, ["model", "messages", "stream"]),
    () => refuseMessages(body, profile),
    () => refuseStream(body),
    () => refuseLimits(body),
    () => refuseChatTools(body, profile),
  );
}

export function refuseEstimate(body: JsonObject, profile: Profile): Refusal | undefined {
  return firstRefusal(
    () => refuseModel(body, modelIds),
    () => refuseFields(body, profile, ["model", "messages"]),
    () => refuseMessages(body, profile),
  );
}

function refuseStream(body: JsonObject): Refusal | undefined {
  const stream = body["stream"];
  if (stream !== undefined && stream !== null && typeof stream !== "boolean")
    return broken("stream must be a boolean.", "stream");
  const options = body["stream_options"];
  if (options === undefined) return undefined;
  if (stream !== true) return broken("stream_options is only allowed when streaming.", "stream_options");
  return isObject(options) ? undefined : broken("stream_options must be an object.", "stream_options");
}

/** The two names of one limit. */
function refuseLimits(body: JsonObject): Refusal | undefined {
  const names = ["max_completion_tokens", "max_tokens"].filter((name) => body[name] !== undefined);
  const wrong = names.find((name) => !Number.isInteger(body[name]) || Number(body[name]) < 1);
  if (wrong !== undefined) return broken(`${wrong} must be an integer above 0.`, wrong);
  return names.length > 1 ? broken("The limit is there under two names.", "max_tokens") : undefined;
}

function refuseMessages(body: JsonObject, profile: Profile): Refusal | undefined {
  const messages = body["messages"];
  if (messages === undefined)
    return broken("messages is required.", "messages", "missing_required_parameter");
  if (!isList(messages) || messages.length === 0)
    return broken("messages must be a non-empty array.", "messages");
  return firstRefusal(
    ...messages.map((message, index) => () => refuseMessage(message, `messages[${index}]`, profile)),
    () => refusePartial(messages),
    () => refuseToolMessages(messages),
  );
}

/** A beginning to be continued is the last thing said, by the assistant. */
function refusePartial(messages: readonly unknown[]): Refusal | undefined {
  const partial = messages.findIndex((message) => isObject(message) && message["partial"] === true);
  if (partial < 0) return undefined;
  const fits = partial === messages.length - 1 && stringAt(messages[partial], "role") === "assistant";
  if (fits) return undefined;
  const at = `messages[${partial}].partial`;
  return broken("Only the last message may be partial, and only the assistant's.", at);
}

function refuseMessage(message: unknown, at: string, profile: Profile): Refusal | undefined {
  if (!isObject(message)) return broken(`${at} must be an object.`, at);
  const { role, content, name, partial, ...rest } = message;
  if (!["system", "user", "assistant", "tool"].includes(String(role)))
    return broken(`${at}.role is unknown.`, `${at}.role`);
  if (name !== undefined && name !== null && typeof name !== "string")
    return broken(`${at}.name must be a string or null.`, `${at}.name`);
  if (partial !== undefined && typeof partial !== "boolean")
    return broken(`${at}.partial must be a boolean.`, `${at}.partial`);
  const [stranger] = Object.keys(rest);
  if (stranger !== undefined && profile.unknown === "refused")
    return declined(`Unknown parameter: ${at}.${stranger}.`, `${at}.${stranger}`);
  if (role === "assistant" && listAt(message, "tool_calls").length > 0 && (content ?? "") === "")
    return undefined;
  return refuseContent(content, `${at}.content`, profile);
}

// Interface, "Chat message": content must not be empty; two kinds of parts are shown.
function refuseContent(content: unknown, at: string, profile: Profile): Refusal | undefined {
  const empty = broken(`${at} must not be empty.`, at);
  if (typeof content === "string") return content === "" ? empty : undefined;
  if (!isList(content))
    return content === undefined || content === null ? empty : broken(`${at} has the wrong type.`, at);
  if (content.length === 0) return empty;
  return firstRefusal(...content.map((part, index) => () => refusePart(part, `${at}[${index}]`, profile)));
}

function refusePart(part: unknown, at: string, profile: Profile): Refusal | undefined {
  const type = stringAt(part, "type");
  if (!isObject(part) || (type !== "text" && type !== "image_url"))
    return broken(`Unknown part type: ${String(type)}.`, `${at}.type`);
  const stranger = Object.keys(part).find((key) => key !== "type" && key !== type);
  if (stranger !== undefined && profile.unknown === "refused")
    return declined(`Unknown parameter: ${at}.${stranger}.`, `${at}.${stranger}`);
  if (type === "text")
    return (stringAt(part, "text") ?? "") === ""
      ? broken(`${at}.text must not be empty.`, `${at}.text`)
      : undefined;
  if (!profile.images) return declined("Image parts are not accepted.", `${at}.type`, "unsupported_value");
  const address = stringAt(part["image_url"], "url") ?? "";
  if (/^(https?:\/\/|data:image\/[\w.+-]+;base64,[A-Za-z0-9+/]+=*$)/.test(address)) return undefined;
  return broken(`${at}.image_url.url must be an address or a base64 data URL.`, `${at}.image_url.url`);
}
