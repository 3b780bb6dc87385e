// Requests and responses as text for the inspector: edited bodies, hidden encrypted contents, `curl` commands, and
// answers in a form that can be compared.
import { isDeepStrictEqual } from "node:util";
import { type Message, message } from "../../conversation/messages.ts";
import {
  type ChatMessage,
  type Composable,
  type Composed,
  type ContentPart,
  jsonFormat,
  type ResponsesRequest,
  type WebSearchInclude,
} from "../../service/request.ts";
import { messageParts } from "../../service/response-items.ts";
import type { ProfileSettings } from "../../service/settings.ts";
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  parseJson,
  replaceEncrypted,
} from "../../util/json.ts";
import { present } from "../../util/present.ts";

type ReadEdited = { readonly ok: true; readonly asked: Composable } | Refused;
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

/** What the settings add to every request. It can be changed there, but not here. */
export interface EditedSettings {
  readonly cacheKeyField: string;
  readonly userIdField: string;
  readonly extraBody?: ProfileSettings["extraBody"];
}

/**
 * Converts a body that a person has edited back to the client's own terms. It is sent through the same builder as
 * everything else, and anything that the builder would not send is refused by name. Skips comment lines. The client
 * adds the identifier of this installation again.
 */
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
    // NaN is refused where all values are validated, with that message.
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

/** Finds a field whose new value would otherwise be silently ignored. */
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

/** Fields that the settings add may be removed, but not changed. */
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

export interface HiddenContents {
  readonly text: string;
  /** Each placeholder with the content for which it stands. */
  readonly contents: ReadonlyMap<string, string>;
}

/**
 * Replaces encrypted content in text for people by its size (requirements D5); `restoreEncrypted` puts it back after a
 * person has edited the text. Works on JSON as text, with or without comments. Different contents of the same size get
 * numbers, so that each can be restored wherever its placeholder was moved.
 */
export function hideEncrypted(json: string): HiddenContents {
  const contents = new Map<string, string>();
  const places = new Map<string, string>();
  const sameSize = new Map<number, number>();
  const text = replaceEncrypted(json, (content) => {
    const known = places.get(content);
    if (known !== undefined) return known;
    const bytes = Buffer.byteLength(content);
    const number = (sameSize.get(bytes) ?? 0) + 1;
    sameSize.set(bytes, number);
    const place = number === 1 ? `[${bytes} bytes]` : `[${bytes} bytes, ${number}]`;
    places.set(content, place);
    contents.set(place, content);
    return place;
  });
  return { text, contents };
}

export const restoreEncrypted = (json: string, contents: HiddenContents["contents"]): string =>
  replaceEncrypted(json, (place) => contents.get(place) ?? place);

/** Quotes a text as one word for a POSIX shell. NUL characters are not possible. */
export const shellWord = (text: string): string =>
  /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("\0", "").replaceAll("'", `'\\''`)}'`;

/** Linux limits one argument to 128 KiB; a longer body is passed by standard input. */
const longestWord = 100_000;

/**
 * Formats a request as a `curl` command for a POSIX shell. The API key is a shell variable, so that no text of ours
 * ever contains it. `note`: a comment that says that encrypted content, which does not belong on the clipboard, was
 * left out.
 */
export function curlOf({ method, url, headers, body: whole }: Composed, note: string): string {
  const { text: body, contents } = hideEncrypted(whole);
  const remark = contents.size === 0 ? "" : `# ${note.replace(/\s+/g, " ")}\n`;
  const named = Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`);
  const isLong = Buffer.byteLength(body) > longestWord;
  const lines = [
    `curl -X ${method} ${shellWord(url)}`,
    `-H "Authorization: Bearer $PATCHBAY_KEY"`,
    ...named,
    isLong ? "--data-binary @-" : `--data-raw ${shellWord(body)}`,
  ];
  const command = remark + lines.join(" \\\n  ");
  if (!isLong) return `${command}\n`;
  const end = endWord(body);
  return `${command} <<'${end}'\n${body}\n${end}\n`;
}

/** A heredoc delimiter that is not a line of the body. */
function endWord(body: string): string {
  const lines = new Set(body.split("\n"));
  let word = "END_OF_BODY";
  while (lines.has(word)) word += "_";
  return word;
}

/**
 * Converts raw response items to comparable text: messages, summaries of reasoning, calls with their input. Encrypted
 * content is left out.
 */
export const answerOf = (items: readonly string[]): string =>
  items
    .flatMap((raw) => {
      const item = asObject(parseJson(raw));
      const text = item === undefined ? "" : textOf(item).trim();
      return text === "" ? [] : [text];
    })
    .join("\n\n");

function textOf(item: JsonObject): string {
  const name = asString(item["name"]) ?? "";
  switch (item["type"]) {
    case "reasoning":
      return asArray(item["summary"])
        .map((part) => `> ${asString(asObject(part)?.["text"]) ?? ""}`)
        .join("\n");
    case "function_call":
      return `[${name}]\n${asString(item["arguments"]) ?? ""}`;
    case "custom_tool_call":
      return `[${name}]\n${asString(item["input"]) ?? ""}`;
    case "web_search_call":
      return `[web_search] ${asString(asObject(item["action"])?.["query"]) ?? ""}`;
    default:
      return messageParts(item)
        .map(({ text }) => text)
        .join("");
  }
}
